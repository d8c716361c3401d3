//! Parses `<set path="角色.名字">张三</set>` in a text, the same as `@.set("角色.名字", "张三")`. Off by
//! default.

use crate::call::{Arg, Call, Dialect};
use crate::entities::decoded;
use crate::json_call::Candidate;
use crate::split::{Broken, MAX_LENGTH};
use crate::value::{self, Form};
use storeyline_state::Value;

/// The functions that take a path and at most one value.
const NAMES: [&str; 7] = ["set", "add", "sub", "append", "remove", "assign", "unset"];

/// Parses the tag at `start`.
pub(crate) fn read(text: &str, start: usize) -> Candidate {
    let Some((name, path, inner)) = opening(text, start) else { return Candidate::NotACall(start + 1) };
    let window = &text[inner..text.floor_char_boundary(inner + MAX_LENGTH)];
    let Some((content, length)) = content(window, name) else {
        let long = inner + window.len() < text.len();
        return Candidate::Broken(Broken { code: if long { "E-CALL-LONG" } else { "E-CALL-OPEN" }, at: inner });
    };
    let mut args = vec![Arg::new(Value::text(&path), Form::Quoted)];
    let read = value::read(&decoded(content.trim()));
    if read.form != Form::Empty {
        args.push(Arg::new(read.value, read.form));
    }
    Candidate::Call(Call::new(Dialect::At, name, args, start..inner + length))
}

/// Parses the opening tag: the name, the path, and the offset after `>`.
fn opening(text: &str, start: usize) -> Option<(&'static str, String, usize)> {
    let rest = &text[start + 1..];
    let name = NAMES.into_iter().find(|name| {
        let given = rest.as_bytes().get(..name.len() + 1);
        given
            .is_some_and(|given| given[..name.len()].eq_ignore_ascii_case(name.as_bytes()) && given[name.len()] == b' ')
    })?;
    let rest = rest[name.len()..].trim_start_matches(' ').strip_prefix("path=")?;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    // A path is on one line.
    let rest = &rest[1..];
    let end = rest.find([quote, '\n', '<'])?;
    let after = rest[end..].strip_prefix(quote)?.trim_start_matches(' ').strip_prefix('>')?;
    Some((name, decoded(&rest[..end]), text.len() - after.len()))
}

/// Returns the text before the closing tag, and the offset after the tag. A second opening tag
/// before it means that this one was not closed.
fn content<'a>(window: &'a str, name: &str) -> Option<(&'a str, usize)> {
    let mut at = 0;
    while let Some(found) = window[at..].find('<') {
        let here = at + found;
        let after = &window.as_bytes()[here + 1..];
        let is_name =
            |bytes: &[u8]| bytes.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()));
        if after.first() == Some(&b'/') && is_name(&after[1..]) && after.get(1 + name.len()) == Some(&b'>') {
            return Some((&window[..here], here + 3 + name.len()));
        }
        if is_name(after) && after.get(name.len()) == Some(&b' ') {
            return None;
        }
        at = here + 1;
    }
    None
}
