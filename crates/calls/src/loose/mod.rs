//! The one tolerant reader of JSON, for everything that models and authors write: patch blocks,
//! arguments of calls, initial variables.
//!
//! A text is read exactly first (JSON5 with quotes around every text); only what is not exact is
//! mended. So a well-formed text is stored whatever it holds. Where the end of a value had to be
//! guessed and the value would hold structure of what stands around it, it is refused: nothing of
//! the rest of the JSON may end up inside a value.

mod bare;
mod escape;
mod key;
mod look;
mod ops;
mod reader;
mod repair;
mod text;

use storeyline_state::Value;

pub(crate) use escape::unescaped;
pub(crate) use look::{call_at, closing, first, holds_structure, is_quote};
pub(crate) use ops::{Limits, Op, has_ops, has_starts, read_ops};
pub(crate) use reader::{Place, Reader};
pub use reader::{Unreadable, Why};
pub use repair::{Repair, Repairs};

use reader::Around;

/// A value with what was mended in it, and the byte after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    pub value: Value,
    pub repairs: Repairs,
    pub end: usize,
}

/// Reads the value with which a text begins.
pub fn read(text: &str, max_depth: usize) -> Result<Loose, Unreadable> {
    if is_escaped(text) {
        let read = read_with(&unescaped(text), false, max_depth)?;
        // Where its end stands in the escaped text is not known; all of it was read or nothing.
        let end = if read.end == unescaped(text).len() { text.len() } else { 0 };
        return Ok(Loose { end, ..read });
    }
    read_with(text, true, max_depth).or_else(|_| read_with(text, false, max_depth))
}

/// Whether a list or an object was escaped as a whole: its first quote is.
fn is_escaped(text: &str) -> bool {
    let inner = text.trim_start().trim_start_matches(['{', '[']).trim_start();
    inner.starts_with("\\\"") || inner.starts_with("\\'")
}

fn read_with(text: &str, exact: bool, max_depth: usize) -> Result<Loose, Unreadable> {
    let mut reader = Reader::new(text, exact, max_depth);
    let value = reader.value(Place::Alone, Around::default())?;
    Ok(Loose { value, repairs: reader.repairs, end: reader.at })
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn said(text: &str) -> Option<String> {
        read(text, 40).ok().filter(|read| read.end == text.len()).map(|read| json::write(&read.value))
    }

    #[test]
    fn what_is_exact_is_never_mended() {
        for (text, wanted) in [
            (r#"{"a':b": 1,}"#, r#"{"a':b":1}"#),
            (r#"{"a": "x', 'b': 1",}"#, r#"{"a":"x', 'b': 1"}"#),
            (r#"['a", "b', 'c',]"#, r#"["a\", \"b","c"]"#),
        ] {
            assert_eq!(said(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_guessed_text_that_holds_structure_is_refused() {
        for text in [
            r#"{"a",: "x" "b": 8}"#,
            r#"{"a": "x" y "b": "z, "c", "d": 1}"#,
            r#"{"a": "他说"好{", "b": 1}"#,
            r#"["a, _.set('b', 1); "c" d]"#,
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
