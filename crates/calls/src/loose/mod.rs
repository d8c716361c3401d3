//! The tolerant JSON parser, for everything that models and authors write: patch blocks, arguments
//! of calls, initial variables.
//!
//! A text is parsed strictly first (JSON5 with quotes enclosing every text); only if that fails is it
//! repaired. So a well-formed text is taken literally. If the end of a value had to be guessed and
//! the value would contain structure of the surrounding JSON, it is refused: no part of the
//! surrounding JSON may end up inside a value.

mod bare;
mod escape;
mod key;
mod lookahead;
mod ops;
mod parser;
mod repair;
mod text;

use storeyline_state::Value;

pub(crate) use escape::unescaped;
pub(crate) use lookahead::{call_at, closing, contains_structure, first, is_quote};
pub(crate) use ops::{LooseOp, OpLimits, has_ops, has_starts, read_ops};
pub(crate) use parser::{Context, LooseParser};
pub use parser::{Unreadable, UnreadableKind};
pub use repair::{Repair, Repairs};
pub(crate) use text::next_quote;

use parser::Enclosing;

/// A value, its repairs, and the offset after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    pub value: Value,
    pub repairs: Repairs,
    pub end: usize,
}

/// Parses the value at the start of a text.
pub fn read(text: &str, max_depth: usize) -> Result<Loose, Unreadable> {
    if is_escaped(text) {
        let read = read_with(&unescaped(text), false, max_depth)?;
        // The end in the escaped text is unknown, so either all of it was consumed or nothing.
        let end = if read.end == unescaped(text).len() { text.len() } else { 0 };
        return Ok(Loose { end, ..read });
    }
    read_with(text, true, max_depth).or_else(|_| read_with(text, false, max_depth))
}

/// Tells whether a list or an object was escaped as a whole: its first quote is escaped.
fn is_escaped(text: &str) -> bool {
    let inner = text.trim_start().trim_start_matches(['{', '[']).trim_start();
    inner.starts_with("\\\"") || inner.starts_with("\\'")
}

fn read_with(text: &str, exact: bool, max_depth: usize) -> Result<Loose, Unreadable> {
    let mut parser = LooseParser::new(text, exact, max_depth);
    let value = parser.value(Context::Alone, Enclosing::default())?;
    Ok(Loose { value, repairs: parser.repairs, end: parser.at })
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn decoded(text: &str) -> Option<String> {
        read(text, 40).ok().filter(|read| read.end == text.len()).map(|read| json::write(&read.value))
    }

    #[test]
    fn what_is_exact_is_never_mended() {
        for (text, wanted) in [
            (r#"{"a':b": 1,}"#, r#"{"a':b":1}"#),
            (r#"{"a": "x', 'b': 1",}"#, r#"{"a":"x', 'b': 1"}"#),
            (r#"['a", "b', 'c',]"#, r#"["a\", \"b","c"]"#),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(wanted), "{text}");
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
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
