//! Finds calls in a message text, with spans and diagnostics. Never fails, never evaluates text as
//! code.
//!
//! In: the canonical text of a page. Out: every call in text order, whatever dialect it is written
//! in, and a diagnostic for each one that had to be repaired or dropped. What a call *means* is not
//! known here.

pub mod call;
pub mod name;
pub mod value;

mod arithmetic;
mod damaged;
mod entities;
mod find;
mod head;
mod json_call;
pub mod loose;
mod messages;
mod patch;
mod scan;
mod skipped;
mod split;
mod tag_call;
mod tagged;
mod unread;
mod whitespace;

use std::ops::Range;

pub use call::{Arg, Call, Dialect, Forced, Parsed};
pub use damaged::ZERO_WIDTH;
pub use name::Name;
pub use tagged::tagged;
pub use value::Form;

/// Per-story settings of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSettings {
    /// Skip `<think>` and `<thinking>` blocks.
    pub skip_reasoning: bool,
    pub skip_html_comments: bool,
    /// Accept `@.NAME(args)` only at the start of a line or after another call on it, as SAM 3.5
    /// does.
    pub line_mode: bool,
    /// Parse `{"function": "SET", "args": […]}`.
    pub json_calls: bool,
    /// Parse `<set path="…">…</set>`.
    pub tag_calls: bool,
}

impl Default for ParseSettings {
    fn default() -> Self {
        ParseSettings {
            skip_reasoning: true,
            skip_html_comments: false,
            line_mode: false,
            json_calls: false,
            tag_calls: false,
        }
    }
}

/// Maximum number of calls in one text; the rest is reported and dropped.
pub(crate) const MAX_CALLS: usize = 2_000;

/// Returns the byte ranges of a text that are not parsed.
pub fn skipped_ranges(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
    skipped::ranges(text, settings)
}

pub fn parse(text: &str, settings: &ParseSettings) -> Parsed {
    scan::scan(text, &skipped::ranges(text, settings), settings)
}
