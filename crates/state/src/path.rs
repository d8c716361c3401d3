//! Paths into a state, in lodash's syntax: `角色.金币`, `背包[0].名字`, `a["b.c"]`.
//!
//! A path that exists is valid. If the root object has the whole text as a literal key, that key
//! is meant (lodash does the same).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::object::array_index;
use crate::op::Step;
use crate::value::{Text, Value};

/// How many keys a path may have.
pub const MAX_KEYS: usize = 64;

/// JavaScript objects give this key a meaning of its own.
const FORBIDDEN: &str = "__proto__";

/// A path as it was written, and its keys.
///
/// A path is divided on every call, and its keys are mostly looked up and dropped, so they are
/// stretches of one text, which is often the text of the argument itself.
#[derive(Clone, PartialEq, Eq)]
pub struct StatePath {
    /// The source, and behind it those keys that do not stand in it letter by letter.
    text: Text,
    source: Range<usize>,
    keys: Stretches,
    /// Whether the source may be one literal key of the root.
    maybe_literal: bool,
}

/// Few paths are deeper than this.
type Stretches = SmallVec<[Range<usize>; 4]>;

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
        StatePath { text: Text::default(), source: 0..0, keys: Stretches::new(), maybe_literal: false }
    }

    /// Makes a path from its keys; nothing is split and no literal key is looked for.
    pub fn from_keys(keys: impl IntoIterator<Item = impl AsRef<str>>) -> Result<StatePath, PathError> {
        let path = StatePath::joined(keys);
        check(&path.text, &path.keys)?;
        Ok(path)
    }

    fn joined(keys: impl IntoIterator<Item = impl AsRef<str>>) -> StatePath {
        let mut text = String::new();
        let mut stretches = Stretches::new();
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

    /// Reads a part of a text; the text is shared where the part is all of it.
    pub fn within(text: &Text, part: &str) -> Result<StatePath, PathError> {
        if part.len() == text.len() { StatePath::divided(text.clone()) } else { part.parse() }
    }

    fn divided(mut text: Text) -> Result<StatePath, PathError> {
        let source = 0..text.len();
        let mut keys = Stretches::new();
        if !dotted(&text, &mut keys) {
            text = split(text, &mut keys);
        }
        check(&text, &keys)?;
        Ok(StatePath { text, source, keys, maybe_literal: true })
    }

    /// Reads an RFC 6901 pointer; the leading slash may be missing.
    pub fn from_pointer(pointer: &str) -> Result<StatePath, PathError> {
        let inner = pointer.strip_prefix('/').unwrap_or(pointer);
        if pointer.is_empty() {
            return Ok(StatePath::root());
        }
        StatePath::from_keys(inner.split('/').map(|key| key.replace("~1", "/").replace("~0", "~")))
    }

    /// Says whether there can be a path one key further down.
    pub fn check_child(&self, key: &str) -> Result<(), PathError> {
        match key {
            _ if self.keys.len() >= MAX_KEYS => Err(PathError::TooLong),
            FORBIDDEN => Err(PathError::Forbidden),
            _ => Ok(()),
        }
    }

    /// Returns the path one key further down.
    pub fn child(&self, key: &str) -> Result<StatePath, PathError> {
        StatePath::from_keys(self.read(&self.keys).chain([key]))
    }

    /// Returns the path one key further up and the last key; nothing for the root.
    pub fn parent(&self) -> Option<(StatePath, &str)> {
        let (last, keys) = self.keys.split_last()?;
        Some((StatePath::joined(self.read(keys)), &self.text[last.clone()]))
    }

    /// Returns the path as it was written.
    pub fn source(&self) -> &str {
        &self.text[self.source.clone()]
    }

    /// Returns the keys as they were divided.
    pub fn keys(&self) -> Vec<&str> {
        self.read(&self.keys).collect()
    }

    /// Returns the keys that this path means in a state.
    pub fn keys_in(&self, state: &Value) -> Vec<&str> {
        self.meant(state).collect()
    }

    /// Goes through the keys that this path means in a state.
    pub(crate) fn meant<'a>(
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
        for key in self.meant(state) {
            value = child(value, key)?;
        }
        Some(value)
    }

    /// Returns the steps to the value at this path, if it exists.
    pub fn steps(&self, state: &Value) -> Option<Vec<Step>> {
        let mut value = state;
        let keys = self.meant(state);
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

/// Returns the step to a child, and the child. An object lends the key that it has itself.
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
    // Few keys are as long as this one, so few are looked at.
    let is_forbidden = |key: &Range<usize>| key.end - key.start == FORBIDDEN.len() && &text[key.clone()] == FORBIDDEN;
    if keys.iter().any(is_forbidden) {
        return Err(PathError::Forbidden);
    }
    Ok(())
}

/// Splits a text at its dots, in one look. Tells whether that was all: brackets need a closer look.
fn dotted(text: &str, keys: &mut Stretches) -> bool {
    let mut start = 0;
    let mut look = |word: [u8; 8], place: usize| {
        let mut marks = marks(word);
        while marks != 0 {
            let byte = marks.trailing_zeros() as usize / 8;
            if word[byte] != b'.' {
                return false;
            }
            keys.push(start..place + byte);
            start = place + byte + 1;
            marks &= marks - 1;
        }
        true
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let is_dotted = words.iter().enumerate().all(|(index, word)| look(*word, index * 8)) && look(last, words.len() * 8);
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
    // A byte below 128 reaches 128 when 127 is added, unless it is zero.
    let differs_from = |mark: u8| ((word & LOWS) ^ (ONES * u64::from(mark))) + LOWS;
    !(word | (differs_from(b'.') & differs_from(b'[') & differs_from(b']'))) & !LOWS
}

/// Splits a text as lodash does: see its `isKey`, `stringToPath` and their patterns.
///
/// One tolerance for models: a key in a bracket may also stand between backticks. Returns the text
/// with those keys behind it that had escapes in them.
fn split(text: Text, keys: &mut Stretches) -> Text {
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

/// Where the key of `[number]` or `["quoted"]` at the start of the text is, and the length of the
/// whole. Any other bracket only separates.
fn bracket(text: &str) -> Option<(Range<usize>, usize)> {
    let inner = text.strip_prefix('[')?;
    if let Some((key, length)) = quoted(inner) {
        return Some((2..2 + key.len(), length + 1));
    }
    // The key ends at the first of these, so that many open brackets are not searched again and again.
    let end = inner.find([']', '[']).filter(|end| inner[*end..].starts_with(']'))?;
    let key = &inner[..end];
    let (whole, fraction) = key.split_once('.').unwrap_or((key, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(fraction);
    number.then(|| (1..1 + key.len(), key.len() + 2))
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
            let (mut found, mut wanted) = (Stretches::new(), Stretches::new());
            assert_eq!(dotted(&text, &mut found), !text.contains(['[', ']']), "{text}");
            split(Text::new(&text), &mut wanted);
            let keys =
                |stretches: &Stretches| stretches.iter().map(|key| text[key.clone()].to_owned()).collect::<Vec<_>>();
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
