//! Paths into a state, in lodash's syntax: `角色.金币`, `背包[0].名字`, `a["b.c"]`.
//!
//! A `StatePath` is always valid. If the root object has the whole text as a key, that key is resolved
//! (lodash does the same).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::object::array_index;
use crate::op::Step;
use crate::value::{Text, Value};

/// Maximum number of keys in a path.
pub const MAX_KEYS: usize = 64;

/// JavaScript objects give this key a special meaning.
const FORBIDDEN: &str = "__proto__";

/// A path: its text as written, and its keys.
///
/// Paths are parsed on every call and their keys are mostly looked up once. So the keys are ranges
/// of one text, which is often the text of the argument itself.
#[derive(Clone, PartialEq, Eq)]
pub struct StatePath {
    /// The source text, followed by the keys that had escapes and do not occur literally in it.
    text: Text,
    source: Range<usize>,
    keys: KeyRanges,
    /// Whether the source text may be one key of the root object.
    maybe_literal: bool,
}

/// The ranges of the keys. Few paths have more than four.
type KeyRanges = SmallVec<[Range<usize>; 4]>;

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
        StatePath { text: Text::default(), source: 0..0, keys: KeyRanges::new(), maybe_literal: false }
    }

    /// Makes a path from its keys, which are taken literally.
    pub fn from_keys(keys: impl IntoIterator<Item = impl AsRef<str>>) -> Result<StatePath, PathError> {
        let path = StatePath::joined(keys);
        check(&path.text, &path.keys)?;
        Ok(path)
    }

    fn joined(keys: impl IntoIterator<Item = impl AsRef<str>>) -> StatePath {
        let mut text = String::new();
        let mut stretches = KeyRanges::new();
        for key in keys {
            if !stretches.is_empty() {
                text.push('.');
            }
            let start = text.len();
            text.push_str(key.as_ref());
            stretches.push(start..text.len());
        }
        StatePath { source: 0..text.len(), text: text.into(), keys: stretches, maybe_literal: false }
    }

    /// Parses a part of a text. The text is shared if the part is all of it.
    pub fn within(text: &Text, part: &str) -> Result<StatePath, PathError> {
        if part.len() == text.len() { StatePath::divided(text.clone()) } else { part.parse() }
    }

    fn divided(mut text: Text) -> Result<StatePath, PathError> {
        let source = 0..text.len();
        let mut keys = KeyRanges::new();
        if !dotted(&text, &mut keys) {
            text = split(text, &mut keys);
        }
        check(&text, &keys)?;
        Ok(StatePath { text, source, keys, maybe_literal: true })
    }

    /// Parses an RFC 6901 pointer; the leading slash is optional.
    pub fn from_pointer(pointer: &str) -> Result<StatePath, PathError> {
        let inner = pointer.strip_prefix('/').unwrap_or(pointer);
        if pointer.is_empty() {
            return Ok(StatePath::root());
        }
        StatePath::from_keys(inner.split('/').map(|key| key.replace("~1", "/").replace("~0", "~")))
    }

    /// Checks that [`child`](Self::child) would succeed.
    pub fn check_child(&self, key: &str) -> Result<(), PathError> {
        match key {
            _ if self.keys.len() >= MAX_KEYS => Err(PathError::TooLong),
            FORBIDDEN => Err(PathError::Forbidden),
            _ => Ok(()),
        }
    }

    /// Returns the path with one more key.
    pub fn child(&self, key: &str) -> Result<StatePath, PathError> {
        StatePath::from_keys(self.read(&self.keys).chain([key]))
    }

    /// Returns the path without its last key, and that key. Returns `None` for the root.
    pub fn parent(&self) -> Option<(StatePath, &str)> {
        let (last, keys) = self.keys.split_last()?;
        Some((StatePath::joined(self.read(keys)), &self.text[last.clone()]))
    }

    /// Returns the path as it was written.
    pub fn source(&self) -> &str {
        &self.text[self.source.clone()]
    }

    /// Returns the keys without regard to a literal key of the root.
    pub fn keys(&self) -> Vec<&str> {
        self.read(&self.keys).collect()
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
        let stretches = match state {
            Value::Object(object) if self.maybe_literal && object.get(self.source()).is_some() => {
                std::slice::from_ref(&self.source)
            }
            _ => &self.keys,
        };
        self.read(stretches)
    }

    fn read<'a>(
        &'a self,
        stretches: &'a [Range<usize>],
    ) -> impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator {
        stretches.iter().map(|stretch| &self.text[stretch.clone()])
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
        let mut value = state;
        let keys = self.resolved(state);
        let mut steps = Vec::with_capacity(keys.len() + 1);
        for key in keys {
            let (step, child) = step(value, key)?;
            steps.push(step);
            value = child;
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
        StatePath::divided(Text::new(text))
    }
}

fn check(text: &str, keys: &[Range<usize>]) -> Result<(), PathError> {
    if keys.is_empty() {
        return Err(PathError::Empty);
    }
    if keys.len() > MAX_KEYS {
        return Err(PathError::TooLong);
    }
    // Compares the length first, because few keys have the length of the forbidden one.
    let is_forbidden = |key: &Range<usize>| key.end - key.start == FORBIDDEN.len() && &text[key.clone()] == FORBIDDEN;
    if keys.iter().any(is_forbidden) {
        return Err(PathError::Forbidden);
    }
    Ok(())
}

/// Splits a text at its dots in one pass. Returns false at a bracket, which needs the full parser.
fn dotted(text: &str, keys: &mut KeyRanges) -> bool {
    let mut start = 0;
    let mut scan_word = |word: [u8; 8], offset: usize| {
        let mut marks = marks(word);
        while marks != 0 {
            let byte = marks.trailing_zeros() as usize / 8;
            if word[byte] != b'.' {
                return false;
            }
            keys.push(start..offset + byte);
            start = offset + byte + 1;
            marks &= marks - 1;
        }
        true
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let is_dotted =
        words.iter().enumerate().all(|(index, word)| scan_word(*word, index * 8)) && scan_word(last, words.len() * 8);
    if !text.is_empty() {
        keys.push(start..text.len());
    }
    is_dotted
}

/// Sets the high bit of each byte that is a dot or a bracket.
fn marks(word: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const LOWS: u64 = ONES * 0x7f;
    let word = u64::from_le_bytes(word);
    // Adding 127 to a byte below 128 sets its high bit, unless the byte is zero.
    let differs_from = |mark: u8| ((word & LOWS) ^ (ONES * u64::from(mark))) + LOWS;
    !(word | (differs_from(b'.') & differs_from(b'[') & differs_from(b']'))) & !LOWS
}

/// Splits a text as lodash does: see its `isKey`, `stringToPath` and their patterns.
///
/// In addition, a key in a bracket may be in backticks, because models write that. Returns the text
/// followed by the keys that had escapes.
fn split(text: Text, keys: &mut KeyRanges) -> Text {
    keys.clear();
    if !is_deep(&text) {
        keys.extend((!text.is_empty()).then_some(0..text.len()));
        return text;
    }
    if text.starts_with('.') {
        keys.push(0..0);
    }
    let mut plain_text = String::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let plain = rest.bytes().position(|byte| matches!(byte, b'.' | b'[' | b']')).unwrap_or(rest.len());
        if plain > 0 {
            keys.push(at..at + plain);
            at += plain;
        } else if let Some((key, length)) = bracket(rest) {
            if rest[key.clone()].contains('\\') {
                let start = text.len() + plain_text.len();
                unescape(&rest[key], &mut plain_text);
                keys.push(start..text.len() + plain_text.len());
            } else {
                keys.push(at + key.start..at + key.end);
            }
            at += length;
        } else {
            if is_empty_key(rest) {
                keys.push(at..at);
            }
            at += 1;
        }
    }
    if plain_text.is_empty() { text } else { Text::from([&*text, &*plain_text].concat()) }
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

/// Returns the range of the key in a `[number]` or `["quoted"]` at the start of the text, and the
/// length of the whole. Any other bracket is only a separator.
fn bracket(text: &str) -> Option<(Range<usize>, usize)> {
    let inner = text.strip_prefix('[')?;
    if let Some((key, length)) = quoted(inner) {
        return Some((2..2 + key.len(), length + 1));
    }
    // The key ends at the first of these, so that many open brackets do not cause a quadratic
    // search.
    let end = inner.find([']', '[']).filter(|end| inner[*end..].starts_with(']'))?;
    let key = &inner[..end];
    let (whole, fraction) = key.split_once('.').unwrap_or((key, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(fraction);
    number.then(|| (1..1 + key.len(), key.len() + 2))
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
fn unescape(key: &str, plain: &mut String) {
    let mut characters = key.chars();
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
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
        let pieces = ["", ".", "..", "a", "金币", "[", "]", "/", "Z", "\\", "^", "\u{5b}", "\u{db}", "七个字的长长键"];
        for index in 0..pieces.len().pow(4) {
            let text: String = (0..4).map(|digit| pieces[index / pieces.len().pow(digit) % pieces.len()]).collect();
            let (mut found, mut wanted) = (KeyRanges::new(), KeyRanges::new());
            assert_eq!(dotted(&text, &mut found), !text.contains(['[', ']']), "{text}");
            split(Text::new(&text), &mut wanted);
            let keys =
                |stretches: &KeyRanges| stretches.iter().map(|key| text[key.clone()].to_owned()).collect::<Vec<_>>();
            assert!(text.contains(['[', ']']) || keys(&found) == keys(&wanted), "{text}");
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
