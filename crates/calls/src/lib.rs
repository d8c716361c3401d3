//! Message text → calls, with spans and diagnostics. Never fails, never evaluates text as code.
//!
//! In: the canonical text of a page. Out: every call in text order, whatever dialect it is written
//! in, and a remark for each one that had to be repaired or dropped. What a call *means* is not
//! known here.

pub mod call;
mod literal;
mod reasoning;
mod scan;

pub use call::{Call, Dialect, Parsed};

/// What may differ from story to story in how a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSettings {
    /// Leave out what stands in `<think>` and `<thinking>` blocks.
    pub skip_reasoning: bool,
}

impl Default for ParseSettings {
    fn default() -> Self {
        ParseSettings { skip_reasoning: true }
    }
}

/// How many calls one text may hold; the rest is reported and dropped.
pub const MAX_CALLS: usize = 2_000;

/// Finds the calls in a text.
pub fn parse(text: &str, settings: &ParseSettings) -> Parsed {
    let skipped = if settings.skip_reasoning { reasoning::blocks(text) } else { Vec::new() };
    scan::scan(text, &skipped)
}
