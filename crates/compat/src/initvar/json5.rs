//! JSON as authors write it: JSON5, and what a repair would make of JSON that is nearly right.
//!
//! Comments, single quotes, keys without quotes, trailing and missing commas, full-width marks,
//! line breaks in texts; what breaks off is closed. Never runs anything.

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::{Number, Object, Text, Value};

use super::{Found, at, warn_at};

/// Reads a value.
pub(super) fn read(source: &str) -> Found {
    let mut reader = Reader { source, at: 0, repairs: Vec::new() };
    let value = reader.value(0);
    reader.blanks();
    let place = |offset: usize| {
        let before = &source[..offset.min(source.len())];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    };
    let mut diagnostics = Vec::new();
    for (offset, code, zh, en) in std::mem::take(&mut reader.repairs) {
        let (line, column) = place(offset);
        diagnostics.push(warn_at(source, code, line, column, zh, en));
    }
    let (line, column) = place(reader.at);
    match value {
        Ok(value) => {
            if reader.at < source.len() {
                let (zh, en) = ("后面还有多余的文字，没有读。", "what follows the value was not read");
                diagnostics.push(at(source, "E-INIT-JSON", line, column, zh, en));
            }
            Found { value: Some(value), diagnostics }
        }
        Err((zh, en)) => {
            diagnostics.insert(0, at(source, "E-INIT-JSON", line, column, zh, en));
            Found { value: None, diagnostics }
        }
    }
}

type Why = (&'static str, &'static str);

struct Reader<'a> {
    source: &'a str,
    at: usize,
    /// One of each kind: offset, code, words.
    repairs: Vec<(usize, &'static str, &'static str, &'static str)>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: &[char]) -> bool {
        let found = self.peek().filter(|character| wanted.contains(character));
        self.at += found.map_or(0, char::len_utf8);
        found.is_some()
    }

    fn repaired(&mut self, code: &'static str, zh: &'static str, en: &'static str) {
        if !self.repairs.iter().any(|(_, known, ..)| *known == code) {
            self.repairs.push((self.at, code, zh, en));
        }
    }

    fn cut(&mut self) {
        self.repaired("W-INIT-CUT", "文本在这里断了，已补上括号。", "the text breaks off here; it was closed");
    }

    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Why> {
        if depth >= MAX_DEPTH {
            return Err(("嵌套太深。", "nested too deeply"));
        }
        self.blanks();
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('"' | '\'' | '“' | '`') => Ok(Value::text(self.quoted())),
            Some(_) => Ok(self.bare()),
            None => Err(("这里缺一个值。", "a value is missing here")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Why> {
        self.at += 1;
        let mut entries: Vec<(Text, Value)> = Vec::new();
        loop {
            self.blanks();
            while self.eat(&[',', '，']) {
                self.blanks();
            }
            if self.eat(&['}']) {
                break;
            }
            if self.peek().is_none() {
                self.cut();
                break;
            }
            let key = self.key()?;
            self.blanks();
            if !self.eat(&[':', '：']) {
                if self.peek().is_none() {
                    self.cut();
                    break;
                }
                return Err(("键后面缺冒号。", "`:` is missing after a key"));
            }
            self.blanks();
            if self.peek().is_none() {
                self.cut();
                break;
            }
            let value =
                if matches!(self.peek(), Some(',' | '，' | '}')) { Value::Null } else { self.value(depth + 1)? };
            entries.push((key, value));
            self.separator('}');
        }
        Ok(Value::object(entries.into_iter().collect::<Object>()))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Why> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blanks();
            while self.eat(&[',', '，']) {
                self.blanks();
            }
            if self.eat(&[']']) {
                break;
            }
            match self.peek() {
                None => {
                    self.cut();
                    break;
                }
                Some('}') => return Err(("缺 `]`。", "`]` is missing")),
                Some(_) => items.push(self.value(depth + 1)?),
            }
            self.separator(']');
        }
        Ok(Value::list(items))
    }

    /// A comma may be forgotten.
    fn separator(&mut self, close: char) {
        self.blanks();
        let there = self.peek().is_none_or(|next| [',', '，', close].contains(&next));
        if !there {
            self.repaired("W-INIT-COMMA", "这里缺逗号，已补上。", "a comma is missing here; it was added");
        }
    }

    fn key(&mut self) -> Result<Text, Why> {
        if matches!(self.peek(), Some('"' | '\'' | '“' | '`')) {
            return Ok(self.quoted().into());
        }
        let rest = self.rest();
        let end = rest.find([':', '：', '\n', '{', '}', '[', ']', ',', '"']).unwrap_or(rest.len());
        let key = rest[..end].trim();
        if key.is_empty() {
            return Err(("这里缺一个键。", "a key is missing here"));
        }
        self.at += end;
        Ok(key.into())
    }

    fn quoted(&mut self) -> String {
        let open = self.peek().expect("the caller saw a quote");
        let close = if open == '“' { '”' } else { open };
        self.at += open.len_utf8();
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let Some(plain) = rest.find([close, '\\']) else {
                out.push_str(rest);
                self.at = self.source.len();
                self.cut();
                return out;
            };
            out.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat(&[close]) {
                return out;
            }
            self.at += 1;
            self.escape(&mut out);
        }
    }

    fn escape(&mut self, out: &mut String) {
        let Some(character) = self.peek() else { return };
        self.at += character.len_utf8();
        match character {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'v' => out.push('\u{b}'),
            '0' => out.push('\0'),
            '\n' => {}
            'x' => out.push(self.hex(2).and_then(char::from_u32).unwrap_or('x')),
            'u' => out.push(self.unicode()),
            other => out.push(other),
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.rest().get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }

    fn unicode(&mut self) -> char {
        let Some(unit) = self.hex(4) else { return 'u' };
        if (0xd800..0xdc00).contains(&unit) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            match self.hex(4).filter(|low| (0xdc00..0xe000).contains(low)) {
                Some(low) => {
                    let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                }
                None => self.at = before,
            }
        }
        char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// A number, a keyword, or words without quotes up to the next mark or line.
    fn bare(&mut self) -> Value {
        let rest = self.rest();
        let mut end = rest.find([',', '，', '}', ']', '\n']).unwrap_or(rest.len());
        for comment in [" //", "/*"] {
            end = rest[..end].find(comment).unwrap_or(end);
        }
        // Never stand still: a stray bracket is a text of its own.
        let end = end.max(self.peek().map_or(0, char::len_utf8));
        let word = rest[..end].trim();
        // `1 "b": 2`: a comma was forgotten.
        let first = word.split_whitespace().next().unwrap_or(word);
        if let Some(value) = literal(first).filter(|_| first.len() < word.len() && word.contains(['"', ':'])) {
            self.at += first.len();
            return value;
        }
        self.at += end;
        literal(word).unwrap_or_else(|| {
            self.repaired(
                "W-INIT-QUOTED",
                "这里的文字没有引号，已当作文本。",
                "words without quotes were read as text",
            );
            Value::text(word)
        })
    }
}

fn literal(word: &str) -> Option<Value> {
    Some(match word {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        // JSON has no place for the last ones; saved by JavaScript they are null.
        "null" | "None" | "undefined" | "NaN" | "Infinity" | "-Infinity" | "+Infinity" => Value::Null,
        _ => return number(word).map(Value::Number),
    })
}

fn number(word: &str) -> Option<Number> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok().map(Number::from)?,
        None => digits.parse().ok()?,
    };
    Some(if negative { number.negated() } else { number })
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn json5_and_slips_are_read() {
        for (source, wanted) in [
            ("{a: .5, 'b': 0xFF, \"c\": -Infinity, d: +1e2,}", r#"{"a":0.5,"b":255,"c":null,"d":100}"#),
            (
                "{ // 不要, 读 \"我\n a: 'it\\'s', b: \"x\\u4e2d\\ud83d\\ude00\\ud83d\" }",
                "{\"a\":\"it's\",\"b\":\"x中😀\u{fffd}\"}",
            ),
            ("{“键”：“值”，b：2}", r#"{"键":"值","b":2}"#),
            ("{a: 第一行\n b: 2 // 注\n}", r#"{"a":"第一行","b":2}"#),
            ("{\"a\": 1 \"b\": true}", r#"{"a":1,"b":true}"#),
            ("{\"话\": \"两\n行\"", r#"{"话":"两\n行"}"#),
            ("[1, [2, 3], ]", "[1,[2,3]]"),
            ("{a:, b: }", r#"{"a":null,"b":null}"#),
        ] {
            let found = read(source);
            assert_eq!(found.value.as_ref().map(json::write).as_deref(), Some(wanted), "{source}: {found:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_names_its_place() {
        let found = read("{\"a\": 1,\n \"b\" 2}");
        assert_eq!(found.diagnostics[0].message.en, "line 2, column 6: `:` is missing after a key");
        for source in ["{{{{", "}", "]", "{[", "[}", "{:", "\\", "{a:]", &"[".repeat(50_000), &"{a:".repeat(50_000)] {
            read(source);
        }
    }
}
