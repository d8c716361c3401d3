//! Parses one call that is written as a JSON object, `{"function": "SET", "args": ["path", 1]}`. It means the same
//! as `@.SET("path", 1)`. The scanner asks for it at a `{` if the rules of the story have `json_calls` on (off by
//! default).

use storeyline_state::Value;

use crate::call::{Arg, Call, Dialect};
use crate::split::{Broken, MAX_LENGTH};
use crate::value;
use crate::{messages, patch};

/// Result of parsing where a call may begin.
pub(crate) enum Candidate {
    Call(Call),
    /// Scanning continues at this offset.
    NotACall(usize),
    Broken(Broken),
}

/// Parses the object whose `{` is at `start`. If its first key is neither `function` nor `args`, scanning continues
/// after the brace; if it is and the object is no call, the whole object is skipped, so that nested objects are not
/// scanned repeatedly.
pub(crate) fn parse_at(text: &str, start: usize) -> Candidate {
    if !begins_with_a_key(&text[start + 1..]) {
        return Candidate::NotACall(start + 1);
    }
    let window = &text[start..text.floor_char_boundary(start + MAX_LENGTH)];
    let Some(length) = patch::object_length(window) else {
        let code = if start + window.len() < text.len() { "E-CALL-LONG" } else { "E-CALL-OPEN" };
        return Candidate::Broken(Broken { code, at: start + window.len() });
    };
    let end = start + length;
    let read = value::read(&text[start..end]);
    let name = read.value.get("function").and_then(Value::as_text).filter(|name| is_name(name));
    let args = read.value.get("args").and_then(Value::as_list);
    let (Some(name), Some(args)) = (name, args) else { return Candidate::NotACall(end) };
    let span = start..end;
    let repairs = read.repaired.iter().map(|code| messages::repaired(code, span.clone())).collect();
    let args = args.iter().cloned().map(Arg::given).collect();
    Candidate::Call(Call { repairs, ..Call::new(Dialect::At, name, args, span) })
}

/// Cheap check that keeps a brace in prose from being parsed.
fn begins_with_a_key(inner: &str) -> bool {
    let key = inner.trim_start().trim_start_matches(['"', '\'']);
    key.starts_with("function") || key.starts_with("args")
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_alphanumeric() || character == '_')
}
