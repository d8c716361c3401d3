//! The values that may stand between the brackets of a call: JSON5-like literals, read with the
//! tolerance that models need. A word without quotes is text.

use std::sync::Arc;

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::{Number, Object, Value};

/// What stands between the brackets.
#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) values: Vec<Value>,
    /// The byte after the closing bracket.
    pub(crate) end: usize,
    /// What was tolerated, as stable codes.
    pub(crate) repaired: Vec<&'static str>,
}

/// Why the arguments cannot be read, and where.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) code: &'static str,
    pub(crate) at: usize,
}

/// Reads arguments; `start` is the byte after the opening bracket.
pub(crate) fn arguments(text: &str, start: usize) -> Result<Arguments, Broken> {
    let mut reader = Reader { text, at: start, repaired: Vec::new() };
    let mut values = Vec::new();
    reader.blanks();
    if reader.close() {
        return Ok(Arguments { values, end: reader.at, repaired: reader.repaired });
    }
    loop {
        values.push(reader.value(0)?);
        reader.blanks();
        if reader.close() {
            break;
        }
        if !reader.comma() {
            return Err(reader.broken("E-CALL-COMMA"));
        }
        reader.blanks();
        if reader.close() {
            reader.repair("W-TRAILING-COMMA");
            break;
        }
    }
    Ok(Arguments { values, end: reader.at, repaired: reader.repaired })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    repaired: Vec<&'static str>,
}

/// Opening quote → closing quote. The curly pair is what phones and models make of straight ones.
const QUOTES: [(char, char); 5] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’')];

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn repair(&mut self, code: &'static str) {
        if !self.repaired.contains(&code) {
            self.repaired.push(code);
        }
    }

    fn broken(&self, code: &'static str) -> Broken {
        let code = if self.at >= self.text.len() { "E-CALL-OPEN" } else { code };
        Broken { code, at: self.at }
    }

    fn blanks(&mut self) {
        while let Some(character) = self.peek().filter(|character| character.is_whitespace()) {
            self.at += character.len_utf8();
        }
    }

    fn tolerant(&mut self, plain: char, wide: char) -> bool {
        if self.eat(plain) {
            return true;
        }
        let found = self.eat(wide);
        if found {
            self.repair("W-FULL-WIDTH");
        }
        found
    }

    fn close(&mut self) -> bool {
        self.tolerant(')', '）')
    }

    fn comma(&mut self) -> bool {
        self.tolerant(',', '，')
    }

    fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        if depth > MAX_DEPTH / 2 {
            return Err(self.broken("E-CALL-DEEP"));
        }
        self.blanks();
        match self.peek() {
            Some('{') if self.text[self.at..].starts_with("{{") => self.macro_name(),
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some(open) if QUOTES.iter().any(|(quote, _)| *quote == open) => self.quoted().map(Value::text),
            Some(_) => self.word(),
            None => Err(self.broken("E-CALL-OPEN")),
        }
    }

    /// A host macro without quotes, `{{user}}`: text that evaluation resolves.
    fn macro_name(&mut self) -> Result<Value, Broken> {
        let rest = &self.text[self.at..];
        let end = rest.find("}}").ok_or_else(|| self.broken("E-CALL-VALUE"))? + 2;
        if rest[2..end - 2].contains(['{', '\n']) {
            return Err(self.broken("E-CALL-VALUE"));
        }
        self.at += end;
        self.repair("W-NO-QUOTES");
        Ok(Value::text(&rest[..end]))
    }

    fn quoted(&mut self) -> Result<String, Broken> {
        let open = self.peek().expect("the caller saw a quote");
        let close = QUOTES.iter().find(|(quote, _)| *quote == open).expect("the caller saw a quote").1;
        if open != close {
            self.repair("W-CURLY-QUOTES");
        }
        self.at += open.len_utf8();
        let mut string = String::new();
        while let Some(character) = self.peek() {
            self.at += character.len_utf8();
            match character {
                '\\' => self.escape(&mut string)?,
                _ if character == close => return Ok(string),
                other => string.push(other),
            }
        }
        Err(self.broken("E-CALL-OPEN"))
    }

    fn escape(&mut self, string: &mut String) -> Result<(), Broken> {
        let Some(character) = self.peek() else {
            return Err(self.broken("E-CALL-OPEN"));
        };
        self.at += character.len_utf8();
        match character {
            'n' => string.push('\n'),
            't' => string.push('\t'),
            'r' => string.push('\r'),
            'b' => string.push('\u{8}'),
            'f' => string.push('\u{c}'),
            'u' => string.push(self.unicode()),
            '\n' => {}
            other => string.push(other),
        }
        Ok(())
    }

    fn unicode(&mut self) -> char {
        let Some(unit) = self.hex4(self.at) else {
            return 'u';
        };
        self.at += 4;
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let low = self.text[self.at..].starts_with("\\u").then(|| self.hex4(self.at + 2)).flatten();
        let Some(low) = low.filter(|low| (0xdc00..0xe000).contains(low)) else {
            return char::REPLACEMENT_CHARACTER;
        };
        self.at += 6;
        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }

    fn list(&mut self, depth: usize) -> Result<Value, Broken> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.eat(']') {
                return Ok(Value::list(items));
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            if !self.comma() && self.peek() != Some(']') {
                return Err(self.broken("E-CALL-COMMA"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Broken> {
        self.at += 1;
        let mut object = Object::default();
        loop {
            self.blanks();
            if self.eat('}') {
                return Ok(Value::object(object));
            }
            let key = self.key()?;
            self.blanks();
            if !self.tolerant(':', '：') {
                return Err(self.broken("E-CALL-COLON"));
            }
            let value = self.value(depth + 1)?;
            object.insert(Arc::from(key), value);
            self.blanks();
            if !self.comma() && self.peek() != Some('}') {
                return Err(self.broken("E-CALL-COMMA"));
            }
        }
    }

    fn key(&mut self) -> Result<String, Broken> {
        if self.peek().is_some_and(|open| QUOTES.iter().any(|(quote, _)| *quote == open)) {
            return self.quoted();
        }
        let word = self.bare();
        if word.is_empty() { Err(self.broken("E-CALL-COLON")) } else { Ok(word) }
    }

    /// A number, a keyword, or text without quotes.
    fn word(&mut self) -> Result<Value, Broken> {
        let word = self.bare();
        Ok(match word.as_str() {
            "" => return Err(self.broken("E-CALL-VALUE")),
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" | "undefined" => Value::Null,
            word => match word.parse::<Number>() {
                Ok(number) => Value::Number(number),
                Err(_) => {
                    self.repair("W-NO-QUOTES");
                    Value::text(word)
                }
            },
        })
    }

    /// Text without quotes, up to a mark of the grammar. A list index belongs to an unquoted path:
    /// `背包[0].名字`.
    fn bare(&mut self) -> String {
        let start = self.at;
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.find(|character: char| MARKS.contains(character)).unwrap_or(rest.len());
            match index_length(&self.text[self.at..]) {
                Some(length) if self.at > start => self.at += length,
                _ => return self.text[start..self.at].trim().to_owned(),
            }
        }
    }
}

/// What ends a word without quotes.
const MARKS: &str = ",，()（）{}[]:：;；\n\"'`“”";

/// The length of `[12]` at the start of a text.
fn index_length(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('[')?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && text[1 + digits..].starts_with(']')).then_some(digits + 2)
}
