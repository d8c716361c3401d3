//! Reads the system clock and the random source of the operating system. No other file of the engine does, so that
//! all the rest gives the same result for the same input.

use std::time::{SystemTime, UNIX_EPOCH};

use storeyline_state::PageId;

/// Returns milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Returns a new random id as text, for what belongs to no story. It has the form of a page id.
pub fn new_id() -> String {
    PageId::from_random(random_bytes()).to_string()
}

/// Returns 16 random bytes for a new id.
pub(crate) fn random_bytes() -> [u8; 16] {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}
