//! Reports text that looks like an update and cannot be parsed.

use std::ops::Range;

use crate::loose::{call_at, is_quote};

/// Names that tools give to updates.
const NAMES: [&str; 18] = [
    "set", "add", "sub", "insert", "assign", "remove", "unset", "delete", "update", "push", "append", "merge", "inc",
    "dec", "increase", "decrease", "setvar", "addvar",
];

/// Maximum number of bytes of a call that are shown.
const SHOWN: usize = 200;

/// Returns the span of the first op that belongs to no block. `read` are the ranges that were
/// parsed or skipped, in order.
pub(crate) fn ops(text: &str, read: &[Range<usize>]) -> Option<Range<usize>> {
    let is_read = |at: usize| {
        let next = read.partition_point(|range| range.end <= at);
        read.get(next).is_some_and(|range| range.start <= at)
    };
    let mut keys = memchr::memmem::find_iter(text.as_bytes(), "\"op\"");
    let key = keys.find(|at| !is_read(*at) && text[..*at].trim_end().ends_with('{') && has_colon(&text[at + 4..]))?;
    let start = text[..key].rfind('{').unwrap_or(key);
    let shown = &text[start..text.floor_char_boundary(start + SHOWN)];
    Some(start..start + shown.find('\n').unwrap_or(shown.len()))
}

/// Returns the span of a skipped HTML comment that contains an update. A state that SAM stores in a
/// comment is no update.
pub(crate) fn commented(text: &str, skipped: &[Range<usize>]) -> Option<Range<usize>> {
    let is_comment = |range: &&Range<usize>| {
        let comment = &text[(*range).clone()];
        comment.starts_with("<!--") && !comment.starts_with("<!--<|state|>")
    };
    let holds_update = |range: &&Range<usize>| {
        let comment = &text[(*range).clone()];
        let mut marks = comment.match_indices(['_', '@']);
        marks.any(|(at, _)| call_at(&comment[at..])) || (comment.contains("\"op\"") && comment.contains("\"path\""))
    };
    let found = skipped.iter().filter(is_comment).find(holds_update)?;
    Some(found.start..text.floor_char_boundary((found.start + SHOWN).min(found.end)))
}

/// Returns the span of an update tag that was encoded as HTML.
pub(crate) fn encoded_block(text: &str) -> Option<Range<usize>> {
    memchr::memmem::find(text.as_bytes(), b"&lt;")?;
    let tags = ["&lt;JSONPatch&gt;", "&lt;json_patch&gt;", "&lt;UpdateVariable&gt;"];
    let found = tags.iter().find_map(|tag| memchr::memmem::find(text.as_bytes(), tag.as_bytes()))?;
    let shown = &text[found..text.floor_char_boundary(found + SHOWN)];
    Some(found..found + shown.find('\n').unwrap_or(shown.len()))
}

fn has_colon(text: &str) -> bool {
    text.trim_start().starts_with([':', '：'])
}

/// Examines the `_.` or the opening bracket at `mark`. Returns the span of the update and the code
/// of the diagnostic.
pub(crate) fn at(text: &str, mark: usize) -> Option<(Range<usize>, &'static str)> {
    let is_underscore = matches!(text.as_bytes()[mark], b'_' | b'@');
    let name = if is_underscore { mark + 2 } else { mark - letters_before(text, mark) };
    let length = text[name..].bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let rest = &text[name + length..];
    if is_underscore && begins_with_name(&text[name..]) && has_end(rest) {
        let line = &rest[..rest.floor_char_boundary(SHOWN)];
        return Some((mark..name + length + line.find('\n').unwrap_or(line.len()), "E-CALL-NAME"));
    }
    let rest = rest.trim_start_matches(' ').strip_prefix(['(', '（'])?;
    let line = &rest[..rest.floor_char_boundary(SHOWN)];
    let line = line.lines().next().unwrap_or_default();
    let has_path = line.trim_start().starts_with(is_quote) && line.contains([',', '，']);
    let known = NAMES.iter().any(|known| known.eq_ignore_ascii_case(&text[name..name + length]));
    if length == 0 || !has_path || !(known || is_underscore) {
        return None;
    }
    let end = text.len() - rest.len() + line.len();
    let start = if is_underscore { mark } else { name };
    Some((start..end, if is_underscore { "E-CALL-NAME" } else { "E-CALL-UNREAD" }))
}

fn begins_with_name(text: &str) -> bool {
    NAMES.iter().any(|name| text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name)))
}

/// Tells whether a closing bracket and a quote are on the line: the opening bracket is missing.
fn has_end(rest: &str) -> bool {
    let line = &rest[..rest.floor_char_boundary(SHOWN)];
    let line = line.lines().next().unwrap_or_default();
    line.contains([')', '）']) && line.contains(is_quote)
}

fn letters_before(text: &str, bracket: usize) -> usize {
    text.as_bytes()[..bracket].iter().rev().take(24).take_while(|byte| byte.is_ascii_alphabetic()).count()
}
