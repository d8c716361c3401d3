//! Paths into a state, in lodash's syntax: `角色.金币`, `背包[0].名字`, `a["b.c"]`.
//!
//! A path that exists is valid. If the root object has the whole text as a literal key, that key
//! is meant (lodash does the same).

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

/// Splits at dots and brackets. A bracket that is not closed is part of the key, as models write it.
fn split(text: &str) -> Vec<Arc<str>> {
    let mut keys: Vec<Arc<str>> = Vec::with_capacity(4);
    // Where the present key begins; nothing right after a bracket.
    let mut start = Some(0);
    let mut at = 0;
    while let Some(found) = text[at..].find(['.', '[']) {
        let here = at + found;
        let closed = (text.as_bytes()[here] == b'[').then(|| bracket(&text[here..])).flatten();
        if text.as_bytes()[here] == b'.' {
            if let Some(start) = start {
                keys.push(Arc::from(&text[start..here]));
            }
            at = here + 1;
            start = Some(at);
        } else if let Some((inner, length)) = closed {
            let before = &text[start.unwrap_or(here).min(here)..here];
            if !before.is_empty() {
                keys.push(Arc::from(before));
            }
            keys.push(Arc::from(inner));
            at = here + length;
            // Words right after a bracket are a key of their own.
            start = text[at..].starts_with(|next| next != '.' && next != '[').then_some(at);
        } else {
            start = start.or(Some(here));
            at = here + 1;
        }
    }
    if let Some(start) = start.filter(|_| !text.is_empty()) {
        keys.push(Arc::from(&text[start..]));
    }
    keys
}

/// The key inside `[…]` at the start of the text, and the length of the whole.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let inner = &text[1..];
    if let Some(quote) = inner.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) {
        let end = inner[1..].find(quote)? + 1;
        return inner[end + 1..].starts_with(']').then(|| (&inner[1..end], end + 3));
    }
    // The key ends at the first of these, so that many open brackets are not searched again and again.
    let end = inner.find([']', '[', '.'])?;
    (end > 0 && inner[end..].starts_with(']')).then(|| (&inner[..end], end + 2))
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
