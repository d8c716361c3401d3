//! Parses JSON text from outside into a [`Value`], and formats values as JSON.
//!
//! The parser is strict JSON with two differences: half a surrogate pair becomes U+FFFD instead of
//! an error, and nesting is bounded. Numbers stay exact, key order is JavaScript's.

mod write;

use std::borrow::Cow;

use crate::number::Number;
use crate::object::Object;
use crate::text::line_and_column;
use crate::value::Value;

pub use write::{write, write_into, write_pretty, write_start, write_text};

/// Maximum nesting of lists and objects in anything that is parsed or built.
pub const MAX_DEPTH: usize = 100;

/// Extra nesting allowed in stored text: an op of a trace contains values that may be [`MAX_DEPTH`]
/// deep.
const STORED_EXTRA_DEPTH: usize = 20;

/// Initial capacity of a list or object; `Vec` allocates the same on its first push.
const INITIAL_CAPACITY: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at line {line}, column {column}")]
pub struct JsonError {
    pub problem: &'static str,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// Parses one JSON value; only whitespace may follow it.
pub fn read(text: &str) -> Result<Value, JsonError> {
    read_up_to(text, MAX_DEPTH)
}

/// Parses JSON that we wrote ourselves around values: traces, ops, rules.
pub fn read_stored(text: &str) -> Result<Value, JsonError> {
    read_up_to(text, MAX_DEPTH + STORED_EXTRA_DEPTH)
}

/// Parses the JSON value at the start of a text and returns it with its length in bytes.
pub fn read_start(text: &str) -> Option<(Value, usize)> {
    let mut parser = Parser { text, at: 0, max_depth: MAX_DEPTH };
    let value = parser.value(0).ok()?;
    Some((value, parser.at))
}

fn read_up_to(text: &str, max_depth: usize) -> Result<Value, JsonError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser { text, at: 0, max_depth };
    let value = parser
        .value(0)
        .and_then(|value| if parser.next().is_none() { Ok(value) } else { Err("text after the end of the value") });
    value.map_err(|problem| error_at(text, parser.at, problem))
}

fn error_at(text: &str, at: usize, problem: &'static str) -> JsonError {
    let (line, column) = line_and_column(text, at);
    JsonError { problem, line, column }
}

/// Replaces escapes of half a surrogate pair by `\ufffd`, so that strict parsers accept the text.
pub fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'\\') {
        at += found;
        let Some(unit) = escaped_unit(bytes, at) else {
            at = (at + 2).min(bytes.len());
            continue;
        };
        let pair = is_high(unit) && escaped_unit(bytes, at + 6).is_some_and(is_low);
        if !pair && (is_high(unit) || is_low(unit)) {
            mended.get_or_insert_with(|| bytes.to_vec())[at..at + 6].copy_from_slice(b"\\ufffd");
        }
        at += if pair { 12 } else { 6 };
    }
    match mended {
        Some(bytes) => Cow::Owned(String::from_utf8(bytes).expect("only ASCII was replaced by ASCII")),
        None => Cow::Borrowed(text),
    }
}

fn is_high(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xdc00..0xe000).contains(&unit)
}

/// Returns the code unit of the `\uXXXX` that starts at `at`, if there is one.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if &escape[..2] != b"\\u" || !escape[2..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    max_depth: usize,
}

type Parsed<T> = Result<T, &'static str>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips whitespace and returns the next byte.
    fn next(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        self.at = at;
        bytes.get(at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str, value: Value) -> Parsed<Value> {
        if !self.text[self.at..].starts_with(word) {
            return Err("not a JSON value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Parsed<Value> {
        if depth > self.max_depth {
            return Err("nested too deeply");
        }
        match self.next() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Value::text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => Err("not a JSON value"),
            None => Err("the text ends too early"),
        }
    }

    fn object(&mut self, depth: usize) -> Parsed<Value> {
        self.at += 1;
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(Value::empty_object());
        }
        let mut object = Object::with_capacity(INITIAL_CAPACITY);
        loop {
            if self.next() != Some(b'"') {
                return Err("a key in quotes is missing");
            }
            let key = self.string()?;
            if self.next() != Some(b':') {
                return Err("`:` is missing after a key");
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            object.insert(key.into(), value);
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err("`,` or `}` is missing"),
            }
        }
        self.at += 1;
        Ok(Value::object(object))
    }

    fn list(&mut self, depth: usize) -> Parsed<Value> {
        self.at += 1;
        if self.next() == Some(b']') {
            self.at += 1;
            return Ok(Value::list(Vec::new()));
        }
        let mut items = Vec::with_capacity(INITIAL_CAPACITY);
        loop {
            items.push(self.value(depth + 1)?);
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err("`,` or `]` is missing"),
            }
        }
        self.at += 1;
        Ok(Value::list(items))
    }

    fn number(&mut self) -> Parsed<Value> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let number = self.text[start..self.at].parse::<Number>();
        number.map(Value::Number).map_err(|_| "a number that cannot be kept")
    }

    /// Parses a string that starts at the current quote.
    fn string(&mut self) -> Parsed<Cow<'a, str>> {
        self.at += 1;
        let first = self.plain()?;
        if self.eat(b'"') {
            return Ok(Cow::Borrowed(first));
        }
        let mut string = first.to_owned();
        loop {
            if self.eat(b'"') {
                return Ok(Cow::Owned(string));
            }
            if self.peek() != Some(b'\\') {
                return Err("a control character in a string");
            }
            string.push(self.escape()?);
            string.push_str(self.plain()?);
        }
    }

    /// Returns the text up to the next quote, escape or control character of a string.
    fn plain(&mut self) -> Parsed<&'a str> {
        let rest = &self.text[self.at..];
        let (words, last) = rest.as_bytes().as_chunks();
        let far = words.iter().enumerate().find_map(|(index, word)| Some(index * 8 + plain_bytes(word)?));
        let near = || last.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '));
        let Some(plain) = far.or_else(|| Some(words.len() * 8 + near()?)) else {
            self.at = self.text.len();
            return Err("a string is not closed");
        };
        self.at += plain;
        Ok(&rest[..plain])
    }

    fn escape(&mut self) -> Parsed<char> {
        let simple = match self.text.as_bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err("an unknown escape"),
        };
        self.at += 2;
        Ok(simple)
    }

    fn unicode_escape(&mut self) -> Parsed<char> {
        let bytes = self.text.as_bytes();
        let unit = escaped_unit(bytes, self.at).ok_or("an unknown escape")?;
        self.at += 6;
        if !is_high(unit) {
            return Ok(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let Some(low) = escaped_unit(bytes, self.at).filter(|&unit| is_low(unit)) else {
            return Ok(char::REPLACEMENT_CHARACTER);
        };
        self.at += 6;
        let code = 0x10000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// Returns the number of bytes before the first quote, backslash or control character, if there is
/// one.
#[inline]
fn plain_bytes(word: &[u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let word = u64::from_le_bytes(*word);
    // Sets the high bit of the first byte that is below `bound`, of no earlier byte, and perhaps of
    // later ones.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let is = |mark: u8| below(word ^ (ONES * u64::from(mark)), 1);
    let found = (is(b'"') | is(b'\\') | below(word, b' ')) & HIGHS;
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_reading_and_writing() {
        for text in [
            r#"{"角色":{"金币":5,"hp":-1.5},"背包":["药水",null,true,{}],"a\"b":"\n\t\\ \u0001"}"#,
            r#"{"1":1,"2":2,"b":[],"a":"😀"}"#,
            "[]",
            "\"x\"",
        ] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced() {
        assert_eq!(read(r#""a\ud83d b\ude00 \ud83d\ude00""#).unwrap().as_text(), Some("a\u{fffd} b\u{fffd} 😀"));
        assert_eq!(replace_lone_surrogates(r#""\ud83d\\ud83d \ud83d\ude00""#), r#""\ufffd\\ud83d \ud83d\ude00""#);
        assert!(matches!(replace_lone_surrogates(r#""plain \n""#), Cow::Borrowed(_)));
    }

    #[test]
    fn the_beginning_of_a_value_is_cheap() {
        let value = Value::list(vec![Value::text("金".repeat(1_000)); 1_000]);
        let start = write_start(&value, 40);
        assert!(start.starts_with("[\"金金") && (40..100).contains(&start.len()), "{start}");
        assert_eq!(write_start(&read(r#"{"a":[1,2]}"#).unwrap(), 40), r#"{"a":[1,2]}"#);
    }

    #[test]
    fn a_value_may_be_the_start_of_a_text() {
        for (text, length) in [("{\"a\": [1]}, 2)", 10), (" [] x", 3), ("12a", 2)] {
            let (value, found) = read_start(text).unwrap();
            assert_eq!((found, Ok(value)), (length, read(&text[..length])), "{text}");
        }
        assert!(["", "{a: 1}", "[1", "[1,]", "x"].iter().all(|text| read_start(text).is_none()));
    }

    #[test]
    fn errors_name_the_position() {
        let error = read("{\"a\": 1,\n \"金\" 2}").unwrap_err();
        assert_eq!(error.to_string(), "`:` is missing after a key at line 2, column 6");
        for text in ["", "{", "[1,]", "{\"a\":1,}", "01x", "\"a", "nul", "1 2", "\"\u{1}\"", "\"\\x\"", "\\"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn pretty_json_is_javascripts() {
        let value = read(r#"{"a":[],"b":{},"c":[1,{"d":"x"}]}"#).unwrap();
        assert_eq!(
            write_pretty(&value),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": \"x\"\n    }\n  ]\n}"
        );
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&deep(MAX_DEPTH)).is_ok());
        assert!(read(&deep(MAX_DEPTH + 2)).is_err());
        assert!(read_stored(&deep(MAX_DEPTH + STORED_EXTRA_DEPTH)).is_ok());
        assert!(read_stored(&deep(MAX_DEPTH + STORED_EXTRA_DEPTH + 2)).is_err());
        assert!(read(&"[".repeat(1_000_000)).is_err());
    }
}
