//! Paths into a state, in lodash's syntax: `角色.金币`, `背包[0].名字`, `a["b.c"]`.
//!
//! A path that exists is valid. If the root object has the whole text as a literal key, that key
//! is meant (lodash does the same).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::object::array_index;
use crate::op::Step;
use crate::value::Value;

/// How many keys a path may have.
pub const MAX_KEYS: usize = 64;

/// A path as it was written, and its keys.
#[derive(Clone, PartialEq, Eq)]
pub struct StatePath {
    source: Arc<str>,
    keys: Vec<Arc<str>>,
    /// Whether the source may be one literal key of the root.
    maybe_literal: bool,
}

/// Why a text is not a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There is no key in it.
    #[error("the path is empty")]
    Empty,
    /// It has more than [`MAX_KEYS`] keys.
    #[error("the path has more than 64 keys")]
    TooLong,
    /// A key that JavaScript objects give a meaning of its own.
    #[error("`__proto__` cannot be a key")]
    Forbidden,
}

impl StatePath {
    /// Returns the path of the whole state.
    pub fn root() -> StatePath {
        StatePath { source: Arc::from(""), keys: Vec::new(), maybe_literal: false }
    }

    /// Makes a path from its keys; nothing is split and no literal key is looked for.
    pub fn from_keys(keys: Vec<Arc<str>>) -> Result<StatePath, PathError> {
        check(&keys)?;
        Ok(StatePath { source: Arc::from(keys.join(".")), keys, maybe_literal: false })
    }

    /// Reads an RFC 6901 pointer; the leading slash may be missing.
    pub fn from_pointer(pointer: &str) -> Result<StatePath, PathError> {
        let inner = pointer.strip_prefix('/').unwrap_or(pointer);
        if pointer.is_empty() {
            return Ok(StatePath::root());
        }
        let keys = inner.split('/').map(|key| Arc::from(key.replace("~1", "/").replace("~0", "~")));
        StatePath::from_keys(keys.collect())
    }

    /// Returns the path one key further down.
    pub fn child(&self, key: &str) -> Result<StatePath, PathError> {
        StatePath::from_keys(self.keys.iter().cloned().chain([Arc::from(key)]).collect())
    }

    /// Returns the path one key further up and the last key; nothing for the root.
    pub fn parent(&self) -> Option<(StatePath, Arc<str>)> {
        let (last, keys) = self.keys.split_last()?;
        let source = Arc::from(keys.join("."));
        Some((StatePath { source, keys: keys.to_vec(), maybe_literal: false }, last.clone()))
    }

    /// Returns the path as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the keys as they were divided.
    pub fn keys(&self) -> &[Arc<str>] {
        &self.keys
    }

    /// Returns the keys that this path means in a state.
    pub fn keys_in(&self, state: &Value) -> &[Arc<str>] {
        match state {
            Value::Object(object) if self.maybe_literal && object.get(&self.source).is_some() => {
                std::slice::from_ref(&self.source)
            }
            _ => &self.keys,
        }
    }

    /// Returns the value at this path.
    pub fn get<'a>(&self, state: &'a Value) -> Option<&'a Value> {
        let mut value = state;
        for key in self.keys_in(state) {
            value = child(value, key)?;
        }
        Some(value)
    }

    /// Returns the steps to the value at this path, if it exists.
    pub fn steps(&self, state: &Value) -> Option<Vec<Step>> {
        let mut value = state;
        let keys = self.keys_in(state);
        let mut steps = Vec::with_capacity(keys.len() + 1);
        for key in keys {
            steps.push(step(value, key)?);
            value = child(value, key)?;
        }
        Some(steps)
    }
}

/// Returns the value under a key of an object, or under an index of a list.
pub fn child<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(object) => object.get(key),
        Value::List(items) => items.get(array_index(key)? as usize),
        _ => None,
    }
}

fn step(value: &Value, key: &Arc<str>) -> Option<Step> {
    match value {
        Value::Object(_) => Some(Step::Key(key.clone())),
        Value::List(_) => Some(Step::Index(array_index(key)? as usize)),
        _ => None,
    }
}

impl FromStr for StatePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let keys = split(text);
        check(&keys)?;
        Ok(StatePath { source: Arc::from(text), keys, maybe_literal: true })
    }
}

fn check(keys: &[Arc<str>]) -> Result<(), PathError> {
    if keys.is_empty() {
        return Err(PathError::Empty);
    }
    if keys.len() > MAX_KEYS {
        return Err(PathError::TooLong);
    }
    if keys.iter().any(|key| &**key == "__proto__") {
        return Err(PathError::Forbidden);
    }
    Ok(())
}

/// Splits a text as lodash does: see its `isKey`, `stringToPath` and their patterns.
///
/// One tolerance for models: a key in a bracket may also stand between backticks.
fn split(text: &str) -> Vec<Arc<str>> {
    if text.is_empty() {
        return Vec::new();
    }
    if !is_deep(text) {
        return vec![Arc::from(text)];
    }
    let mut keys: Vec<Arc<str>> = Vec::with_capacity(4);
    if text.starts_with('.') {
        keys.push(Arc::from(""));
    }
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let plain = rest.find(['.', '[', ']']).unwrap_or(rest.len());
        if plain > 0 {
            keys.push(Arc::from(&rest[..plain]));
            rest = &rest[plain..];
        } else if let Some((key, length)) = bracket(rest) {
            keys.push(Arc::from(key));
            rest = &rest[length..];
        } else {
            if is_empty_key(rest) {
                keys.push(Arc::from(""));
            }
            rest = &rest[character.len_utf8()..];
        }
    }
    keys
}

/// Whether there is a dot or a closed bracket; else the whole text is one key.
fn is_deep(text: &str) -> bool {
    let closed = |(at, _): (usize, &str)| {
        let inner = &text[at + 1..];
        inner.find(['[', ']']).is_some_and(|end| inner[end..].starts_with(']')) || quoted(inner).is_some()
    };
    text.contains('.') || text.match_indices('[').any(closed)
}

/// Whether a dot or `[]` stands before another one or before the end: between them is an empty key.
fn is_empty_key(text: &str) -> bool {
    let after = text.strip_prefix('.').or_else(|| text.strip_prefix("[]"));
    after.is_some_and(|after| after.is_empty() || after.starts_with('.') || after.starts_with("[]"))
}

/// The key of `[number]` or `["quoted"]` at the start of the text, and the length of the whole. Any
/// other bracket only separates.
fn bracket(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let inner = text.strip_prefix('[')?;
    if let Some((key, length)) = quoted(inner) {
        return Some((unescape(key), length + 1));
    }
    // The key ends at the first of these, so that many open brackets are not searched again and again.
    let end = inner.find([']', '[']).filter(|end| inner[*end..].starts_with(']'))?;
    let key = &inner[..end];
    let (whole, fraction) = key.split_once('.').unwrap_or((key, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(fraction);
    number.then(|| (Cow::Borrowed(key), key.len() + 2))
}

/// What stands between quotes before a `]`, and the length of both.
fn quoted(inner: &str) -> Option<(&str, usize)> {
    let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let mut characters = inner.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == quote {
            return inner[at + 1..].starts_with(']').then(|| (&inner[1..at], at + 2));
        }
        if character == '\\' {
            characters.next().filter(|(_, escaped)| !matches!(escaped, '\n' | '\r' | '\u{2028}' | '\u{2029}'))?;
        }
    }
    None
}

/// Takes each backslash away, and leaves one of two.
fn unescape(key: &str) -> Cow<'_, str> {
    if !key.contains('\\') {
        return Cow::Borrowed(key);
    }
    let mut characters = key.chars();
    let mut plain = String::with_capacity(key.len());
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    Cow::Owned(plain)
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source())
    }
}

impl fmt::Debug for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StatePath({:?})", self.keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn keys(text: &str) -> Vec<String> {
        text.parse::<StatePath>().unwrap().keys.iter().map(|key| key.to_string()).collect()
    }

    #[test]
    fn dots_and_brackets_separate_keys() {
        assert_eq!(keys("角色.金币"), ["角色", "金币"]);
        assert_eq!(keys("a[0].b"), ["a", "0", "b"]);
        assert_eq!(keys("a[\"b.c\"]['d']"), ["a", "b.c", "d"]);
        assert_eq!(keys("[0]"), ["0"]);
        assert_eq!(keys("a..b"), ["a", "", "b"]);
        assert_eq!(keys("a[b"), ["a[b"]);
    }

    #[test]
    fn odd_texts_are_divided_as_lodash_divides_them() {
        for (text, wanted) in [
            ("a[b]", vec!["a", "b"]),
            ("a[b.c]", vec!["a", "b", "c"]),
            ("x.a[b", vec!["x", "a", "b"]),
            ("a]b", vec!["a]b"]),
            (".", vec!["", ""]),
            ("a.", vec!["a", ""]),
            (".a", vec!["", "a"]),
            ("a[].b", vec!["a", "", "b"]),
            ("[]", vec![""]),
            ("a[-1][1.5]", vec!["a", "-1", "1.5"]),
            (r#"a["b]c"].d"#, vec!["a", "b]c", "d"]),
            (r#"a["b\"c"]"#, vec!["a", "b\"c"]),
            (r"a['\\']", vec!["a", "\\"]),
            ("a[\"b'].c", vec!["a", "\"b'", "c"]),
            ("a[`b.c`]", vec!["a", "b.c"]),
        ] {
            assert_eq!(keys(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_literal_key_of_the_root_comes_first() {
        let state = json::read(r#"{"a.b":1,"a":{"b":2}}"#).unwrap();
        let path: StatePath = "a.b".parse().unwrap();
        assert_eq!(path.get(&state), Some(&Value::from(1)));
    }

    #[test]
    fn empty_long_and_forbidden_paths_are_refused() {
        assert_eq!("".parse::<StatePath>(), Err(PathError::Empty));
        assert_eq!("a.__proto__.b".parse::<StatePath>(), Err(PathError::Forbidden));
        assert_eq!(vec!["a"; 65].join(".").parse::<StatePath>(), Err(PathError::TooLong));
    }
}
