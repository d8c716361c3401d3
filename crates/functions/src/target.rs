//! Resolves a written path to a path of the state.
//!
//! Cards and models write one path in several ways: `角色.金币`, `/角色/金币`, with a `stat_data` prefix,
//! percent-encoded. The literal interpretation is used if it exists in the state; else the first of
//! the other interpretations that does.

use percent_encoding::percent_decode_str;
use storeyline_calls::ZERO_WIDTH;
use storeyline_state::path::PathError;
use storeyline_state::{StatePath, Value};

/// Prefixes that tools put before every path, meaning the state itself.
const PREFIXES: [&str; 3] = ["stat_data", "status_current_variables", "$"];

/// Parses a path in lodash's syntax.
pub(crate) fn dotted(state: &Value, written: &str) -> Result<StatePath, PathError> {
    if is_plain(written) {
        return written.parse();
    }
    let usual = if written.starts_with('/') { StatePath::from_pointer } else { str::parse };
    resolve(state, written, usual)
}

/// Parses an RFC 6901 pointer; a text without a slash is a path in lodash's syntax.
pub(crate) fn pointer(state: &Value, written: &str) -> Result<StatePath, PathError> {
    let usual = if written.contains('/') || written.is_empty() { StatePath::from_pointer } else { str::parse };
    resolve(state, written, usual)
}

/// Tells whether a path has only one interpretation.
fn is_plain(written: &str) -> bool {
    let odd = |byte: u8| matches!(byte, b'/' | b'%' | b'"' | b'\'' | b' ' | b'\\' | b'#' | b'>' | 0xe2 | 0xe3 | 0xef);
    !written.bytes().any(odd)
        && !written.starts_with(['.', '['])
        && !written.ends_with('.')
        && !written.contains("..")
        && !PREFIXES.iter().any(|prefix| written.starts_with(prefix))
}

type PathParser = fn(&str) -> Result<StatePath, PathError>;

fn resolve(state: &Value, written: &str, usual: PathParser) -> Result<StatePath, PathError> {
    let plain = usual(written)?;
    if plain.get(state).is_some() {
        return Ok(plain);
    }
    let inner = without_prefix(state, written);
    let decoded = percent_decoded(inner);
    let candidates: Vec<StatePath> = decoded
        .as_deref()
        .into_iter()
        .chain([inner])
        .flat_map(|text| {
            [usual(text), quoted_keys(text), StatePath::from_pointer(text), text.trim_start_matches('/').parse()]
        })
        .flatten()
        .collect();
    let exists = |path: &&StatePath| path.get(state).is_some();
    let has_parent = |path: &&StatePath| {
        let parent = path.parent().filter(|(parent, _)| !parent.keys().is_empty());
        parent.is_some_and(|(parent, _)| parent.get(state).is_some())
    };
    // An existing path found by lenient splitting is preferred to a new key with marks in its name.
    let lenient = lenient_keys(inner).ok();
    let has_marks = candidates
        .first()
        .is_some_and(|path| path.keys().iter().any(|key| key.trim() != *key || key.is_empty() || key.contains(MARKS)));
    let found = candidates.iter().find(exists);
    let found = found.or_else(|| lenient.as_ref().filter(exists));
    let found = found.or_else(|| lenient.as_ref().filter(|path| has_marks && has_parent(path)));
    let found = found.or_else(|| candidates.iter().find(has_parent)).or(candidates.first());
    Ok(found.cloned().unwrap_or(plain))
}

/// Returns the path without a prefix that means the whole state, unless the state has an entry of
/// that name.
fn without_prefix<'a>(state: &Value, written: &'a str) -> &'a str {
    let path = written.strip_prefix('/').unwrap_or(written);
    let rest = PREFIXES.iter().filter(|prefix| state.get(prefix).is_none()).find_map(|prefix| {
        let rest = path.strip_prefix(prefix)?;
        rest.strip_prefix('.').or(rest.starts_with('/').then_some(rest))
    });
    rest.unwrap_or(written)
}

/// Marks that rarely occur in a key.
const MARKS: [char; 8] = ['[', ']', '．', '。', '／', '>', '\\', '#'];

/// Splits at any mark: `a . b`, `.a.b`, `/a//b/`, `a．b`, `["a","b"]`, `/list[0]`, `#/a`.
fn lenient_keys(written: &str) -> Result<StatePath, PathError> {
    let divides = |next: char| matches!(next, '.' | '/' | ',') || MARKS.contains(&next);
    let outside = |next: char| next.is_whitespace() || matches!(next, '"' | '\'' | '`');
    let trimmed = |key: &str| key.replace(ZERO_WIDTH, "").trim_matches(outside).to_owned();
    StatePath::from_keys(written.split(divides).map(trimmed).filter(|key| !key.is_empty()))
}

/// Splits `人."小明".分`: keys in quotes between dots, which may contain dots themselves.
fn quoted_keys(written: &str) -> Result<StatePath, PathError> {
    let mut keys: Vec<String> = Vec::new();
    let mut rest = written;
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'));
        let closed = quote.and_then(|quote| rest[1..].split_once(quote));
        let (key, after) = match closed {
            Some((key, after)) if after.is_empty() || after.starts_with('.') => (key, after),
            _ => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        keys.push(key.to_owned());
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    StatePath::from_keys(keys)
}

/// Decodes `/%E9%87%91` to `/金`. Returns `None` if there is nothing to decode, or if the result is
/// no text.
fn percent_decoded(written: &str) -> Option<String> {
    let decoded = percent_decode_str(written).decode_utf8().ok()?;
    (decoded != written).then(|| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn one_place_is_found_in_all_its_spellings() {
        let state = json::read(r#"{"角色":{"金币":1,"a.b":2,"x/y":3,"50%":4},"l":[1]}"#).unwrap();
        for (written, wanted) in [
            ("角色.金币", "1"),
            ("/角色/金币", "1"),
            ("角色/金币", "1"),
            ("/角色.金币", "1"),
            ("stat_data.角色.金币", "1"),
            ("/stat_data/角色/金币", "1"),
            ("/status_current_variables/角色/金币", "1"),
            ("status_current_variables.角色.金币", "1"),
            ("$.角色.金币", "1"),
            ("/%E8%A7%92%E8%89%B2/%E9%87%91%E5%B8%81", "1"),
            ("/角色/a.b", "2"),
            ("/角色/x~1y", "3"),
            ("/角色/50%", "4"),
            ("角色.\"金币\"", "1"),
            ("角色 . 金币", "1"),
            (".角色.金币", "1"),
            ("角色..金币", "1"),
            ("角色。金币", "1"),
            ("//角色//金币/", "1"),
            ("#/角色/金币", "1"),
            ("[\"角色\",\"金币\"]", "1"),
            ("/l[0]", "1"),
            ("'角色'.'a.b'", "2"),
        ] {
            for path in [dotted(&state, written), pointer(&state, written)] {
                let found = path.unwrap().get(&state).map(json::write);
                assert_eq!(found.as_deref(), Some(wanted), "{written}");
            }
        }
        assert_eq!(pointer(&state, "/l/-").unwrap().keys(), ["l", "-"]);
        assert_eq!(pointer(&state, "/stat_data/角色/新").unwrap().keys(), ["角色", "新"]);
        assert_eq!(pointer(&state, "/新").unwrap().keys(), ["新"]);
    }

    #[test]
    fn a_name_that_the_state_has_is_no_prefix() {
        let state = json::read(r#"{"stat_data":{"a":1},"a":2}"#).unwrap();
        let path = pointer(&state, "/stat_data/a").unwrap();
        assert_eq!(path.get(&state).map(json::write).as_deref(), Some("1"));
    }
}
