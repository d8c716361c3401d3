//! How much a script may use. Everything but the clock is counted, so that a verdict is the same on
//! every machine.

use std::time::Duration;

/// How many polls of the engine make one tick; the engine decides this.
pub(crate) const POLLS_PER_TICK: u64 = 10_000;

/// The limits of scripts and patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Ticks for one call; a tick is 10,000 calls or turns of a loop.
    pub call_ticks: u64,
    /// Ticks for all calls of one page, see [`Scripts::begin_page`](storeyline_functions::Scripts::begin_page).
    pub page_ticks: u64,
    /// Ticks for one request. It is no property of a page, so running out gives *incomplete*.
    pub request_ticks: u64,
    /// Bytes of the JavaScript heap, the library included.
    pub memory: usize,
    /// Bytes of the JavaScript stack.
    pub stack: usize,
    /// Bytes of a result, roughly as JSON.
    pub output: usize,
    /// Bytes of a source or a pattern.
    pub source: usize,
    /// After how long a worker that no longer counts is ended; gives *incomplete*.
    pub wall: Duration,
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
        }
    }
}
