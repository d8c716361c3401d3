//! The clock and the random numbers: no other file of the engine reads them.

use std::time::{SystemTime, UNIX_EPOCH};

use storeyline_state::PageId;

/// Returns milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Returns a new id as text, for things outside stories.
pub fn new_id() -> String {
    PageId::from_random(random()).to_string()
}

/// Returns 16 random bytes for a new id.
pub(crate) fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}
