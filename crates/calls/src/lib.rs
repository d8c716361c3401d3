//! Message text → calls, with spans and diagnostics. Never fails, never evaluates text as code.
//!
//! In: the canonical text of a page. Out: every call in text order, whatever dialect it is written
//! in, and a remark for each one that had to be repaired or dropped. What a call *means* is not
//! known here.

pub mod call;
pub mod name;
pub mod value;

mod arithmetic;
mod blanks;
mod entities;
mod find;
mod head;
mod json_call;
pub mod loose;
mod mend;
mod patch;
mod scan;
mod skipped;
mod split;
mod tag_call;
mod tagged;
mod unread;
mod words;

use std::ops::Range;

pub use call::{Arg, Call, Dialect, Forced, Parsed};
pub use name::Name;
pub use tagged::tagged;
pub use value::Form;

/// What may differ from story to story in how a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSettings {
    /// Leave out what stands in `<think>` and `<thinking>` blocks.
    pub skip_reasoning: bool,
    /// Leave out what stands in HTML comments.
    pub skip_html_comments: bool,
    /// An `@.NAME(args)` counts only where it begins its line or follows another one on it, as in SAM 3.5.
    pub line_mode: bool,
    /// Read `{"function": "SET", "args": […]}`.
    pub json_calls: bool,
    /// Read `<set path="…">…</set>`.
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

/// How many calls one text may hold; the rest is reported and dropped.
pub(crate) const MAX_CALLS: usize = 2_000;

/// Returns the stretches of a text that are not read.
pub fn skipped_stretches(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
    skipped::stretches(text, settings)
}

/// Finds the calls in a text.
pub fn parse(text: &str, settings: &ParseSettings) -> Parsed {
    scan::scan(text, &skipped::stretches(text, settings), settings)
}
