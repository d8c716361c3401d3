//! Paths into a state, in lodash's syntax: `角色.金币`, `背包[0].名字`, `a["b.c"]`.
//!
//! A `StatePath` is always valid. If the root object has the whole text as a key, that key is resolved
//! (lodash does the same).

use std::fmt;
use std::str::FromStr;

use crate::object::array_index;
use crate::op::Step;
use crate::spot::Spot;
use crate::value::{Text, Value};

/// Maximum number of keys in a path.
pub const MAX_KEYS: usize = 64;

/// JavaScript objects give this key a special meaning.
const FORBIDDEN: &str = "__proto__";

#[derive(Clone, PartialEq, Eq)]
pub struct StatePath {
    /// As it was written.
    source: Text,
    keys: Vec<Text>,
    /// Whether the source text may be one key of the root object.
    maybe_literal: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("the path is empty")]
    Empty,
    /// More than [`MAX_KEYS`] keys.
    #[error("the path has more than 64 keys")]
    TooLong,
    /// A key that JavaScript objects give a special meaning.
    #[error("`__proto__` cannot be a key")]
    Forbidden,
}

impl StatePath {
    /// Returns the path of the whole state.
    pub fn root() -> StatePath {
        StatePath::joined(Vec::new())
    }

    /// Makes a path from its keys, which are taken literally.
    pub fn from_keys(keys: impl IntoIterator<Item = impl AsRef<str>>) -> Result<StatePath, PathError> {
        let path = StatePath::joined(keys.into_iter().map(Text::new).collect());
        check(&path.keys)?;
        Ok(path)
    }

    pub fn from_steps(steps: &[Step]) -> Result<StatePath, PathError> {
        StatePath::from_keys(steps.iter().map(Step::to_key))
    }

    fn joined(keys: Vec<Text>) -> StatePath {
        StatePath { source: keys.join(".").into(), keys, maybe_literal: false }
    }

    /// Parses an RFC 6901 pointer; the leading slash is optional.
    pub fn from_pointer(pointer: &str) -> Result<StatePath, PathError> {
        let inner = pointer.strip_prefix('/').unwrap_or(pointer);
        if pointer.is_empty() {
            return Ok(StatePath::root());
        }
        StatePath::from_keys(inner.split('/').map(|key| key.replace("~1", "/").replace("~0", "~")))
    }

    /// Returns the path with one more key.
    pub fn child(&self, key: &str) -> Result<StatePath, PathError> {
        StatePath::from_keys(self.keys().into_iter().chain([key]))
    }

    /// Returns the path without its last key, and that key. Returns `None` for the root.
    pub fn parent(&self) -> Option<(StatePath, &str)> {
        let (last, keys) = self.keys.split_last()?;
        Some((StatePath::joined(keys.to_vec()), last))
    }

    /// Returns the path as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the keys without regard to a literal key of the root.
    pub fn keys(&self) -> Vec<&str> {
        self.keys.iter().map(Text::as_str).collect()
    }

    /// Returns the keys that this path resolves to in a state.
    pub fn keys_in(&self, state: &Value) -> Vec<&str> {
        self.resolved(state).collect()
    }

    /// Iterates over the keys that this path resolves to in a state.
    pub(crate) fn resolved<'a>(
        &'a self,
        state: &Value,
    ) -> impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator + use<'a> {
        let keys = match state {
            Value::Object(object) if self.maybe_literal && object.get(&self.source).is_some() => {
                std::slice::from_ref(&self.source)
            }
            _ => &self.keys,
        };
        keys.iter().map(Text::as_str)
    }

    /// Returns the value at this path.
    pub fn get<'a>(&self, state: &'a Value) -> Option<&'a Value> {
        let mut value = state;
        for key in self.resolved(state) {
            value = child(value, key)?;
        }
        Some(value)
    }

    /// Returns the steps to the value at this path, if it exists.
    pub fn steps(&self, state: &Value) -> Option<Vec<Step>> {
        Spot::find(state, self).map(Spot::into_steps)
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

/// Returns the step to a child, and the child. The step shares the key of the object.
pub(crate) fn step<'a>(value: &'a Value, key: &str) -> Option<(Step, &'a Value)> {
    match value {
        Value::Object(object) => object.entry(key).map(|(own, child)| (Step::Key(own.clone()), child)),
        Value::List(items) => {
            let index = array_index(key)? as usize;
            items.get(index).map(|item| (Step::Index(index), item))
        }
        _ => None,
    }
}

impl FromStr for StatePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let keys = split(text);
        check(&keys)?;
        Ok(StatePath { source: text.into(), keys, maybe_literal: true })
    }
}

fn check(keys: &[Text]) -> Result<(), PathError> {
    match keys.len() {
        0 => Err(PathError::Empty),
        length if length > MAX_KEYS => Err(PathError::TooLong),
        _ if keys.iter().any(|key| key == FORBIDDEN) => Err(PathError::Forbidden),
        _ => Ok(()),
    }
}

/// Splits a text as lodash does: see its `isKey`, `stringToPath` and their patterns.
///
/// In addition, a key in a bracket may be in backticks, because models write that.
fn split(text: &str) -> Vec<Text> {
    let mut keys = Vec::new();
    if !is_deep(text) {
        keys.extend((!text.is_empty()).then(|| text.into()));
        return keys;
    }
    if text.starts_with('.') {
        keys.push(Text::default());
    }
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.find(['.', '[', ']']).unwrap_or(rest.len());
        let (key, length) = match bracket(rest) {
            _ if plain > 0 => (Some(rest[..plain].into()), plain),
            Some((key, length)) => (Some(unescaped(key).into()), length),
            None => (is_empty_key(rest).then(Text::default), 1),
        };
        keys.extend(key);
        rest = &rest[length..];
    }
    keys
}

/// Tells whether there is a dot or a closed bracket; otherwise the whole text is one key.
fn is_deep(text: &str) -> bool {
    let closed = |(at, _): (usize, &str)| {
        let inner = &text[at + 1..];
        inner.find(['[', ']']).is_some_and(|end| inner[end..].starts_with(']')) || quoted(inner).is_some()
    };
    text.contains('.') || text.match_indices('[').any(closed)
}

/// Tells whether the text starts with a separator that is followed by another one or by the end,
/// which makes an empty key.
fn is_empty_key(text: &str) -> bool {
    let after = text.strip_prefix('.').or_else(|| text.strip_prefix("[]"));
    after.is_some_and(|after| after.is_empty() || after.starts_with('.') || after.starts_with("[]"))
}

/// Returns the key in a `[number]` or `["quoted"]` at the start of the text, and the length of the
/// whole. Any other bracket is only a separator.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('[')?;
    if let Some((key, length)) = quoted(inner) {
        return Some((key, length + 1));
    }
    // The key ends at the first of these, so that many open brackets do not cause a quadratic
    // search.
    let end = inner.find([']', '[']).filter(|end| inner[*end..].starts_with(']'))?;
    let key = &inner[..end];
    let (whole, fraction) = key.split_once('.').unwrap_or((key, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(fraction);
    number.then(|| (key, key.len() + 2))
}

/// Returns the quoted text before a `]`, and the length of both.
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

/// Removes each backslash that is not itself escaped.
fn unescaped(key: &str) -> String {
    let mut characters = key.chars();
    let mut plain = String::with_capacity(key.len());
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    plain
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source())
    }
}

impl fmt::Debug for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StatePath({:?})", self.keys())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn keys(text: &str) -> Vec<String> {
        text.parse::<StatePath>().unwrap().keys().into_iter().map(str::to_owned).collect()
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
    fn dots_alone_divide_as_lodash_does() {
        let pieces = ["", ".", "..", "a", "金币", "/", "\\", "七个字的长长键"];
        for index in 0..pieces.len().pow(4) {
            let text: String = (0..4).map(|digit| pieces[index / pieces.len().pow(digit) % pieces.len()]).collect();
            let wanted: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('.').collect() };
            assert_eq!(split(&text), wanted, "{text}");
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
