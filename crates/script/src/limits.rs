//! Resource limits of scripts. Everything except time is counted, so that a verdict is
//! the same on every machine.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Number of engine polls per tick; fixed by the engine.
pub(crate) const POLLS_PER_TICK: u64 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Ticks of one call; a tick is 10,000 function calls or loop iterations.
    pub call_ticks: u64,
    /// Ticks of all calls of one page, see
    /// [`Scripts::begin_page`](storeyline_functions::Scripts::begin_page).
    pub page_ticks: u64,
    /// Ticks of one request. It is no property of a page, so exceeding it gives *incomplete*.
    pub request_ticks: u64,
    /// Bytes of the JavaScript heap, including lodash.
    pub memory: usize,
    /// Bytes of the JavaScript stack.
    pub stack: usize,
    /// Bytes of a result, roughly as JSON.
    pub output: usize,
    /// Bytes of a source or a pattern.
    pub source: usize,
    /// Time after which a worker that stopped counting is killed; gives *incomplete*.
    pub wall: Duration,
    /// Time of all calls of one page; gives *incomplete*.
    pub page_time: Duration,
    /// Time of all calls of one request; gives *incomplete*.
    pub request_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            call_ticks: 1_000,
            page_ticks: 4_000,
            request_ticks: 200_000,
            memory: 64 << 20,
            stack: 512 << 10,
            output: 8 << 20,
            source: 256 << 10,
            wall: Duration::from_secs(10),
            page_time: Duration::from_secs(10),
            request_time: Duration::from_secs(600),
        }
    }
}
