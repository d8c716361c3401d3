//! Parses the text of one argument: JSON, what models write instead of JSON, and arithmetic.
//!
//! Never fails: everything else is text.

use std::borrow::Cow;

use storeyline_state::{Number, Value, json};

use crate::arithmetic;
use crate::loose::{self, Loose, Repair};
use crate::split::{self, note};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A number, a keyword, a list or an object.
    Literal,
    Quoted,
    /// An expression that was computed.
    Arithmetic,
    /// Words without quotes.
    Bare,
    Undefined,
    Empty,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ParsedValue {
    pub value: Value,
    pub form: Form,
    /// Stable codes of the repairs.
    pub repaired: Vec<&'static str>,
}

/// Maximum nesting of lists and objects in an argument.
pub(crate) const MAX_DEPTH: usize = 40;

/// Parses one argument.
pub fn read(text: &str) -> ParsedValue {
    let mut repaired = Vec::new();
    let (value, form) = value(text, 0, &mut repaired);
    ParsedValue { value, form, repaired }
}

/// Returns where a list or an object in loose notation cannot be read on, in bytes; `None` for anything else.
pub fn stopped_at(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let inner = &text[start..];
    if !inner.starts_with(['{', '[']) {
        return None;
    }
    let end = match loose::read(inner, MAX_DEPTH) {
        Ok(read) if read.repairs.contains(Repair::CutOff) => inner.len(),
        Ok(read) => read.end,
        Err(unreadable) => unreadable.at,
    };
    Some(start + end)
}

fn value(text: &str, depth: usize, repaired: &mut Vec<&'static str>) -> (Value, Form) {
    let text = without_comments(text.trim());
    if text.is_empty() {
        return (Value::Null, Form::Empty);
    }
    if text == "undefined" {
        return (Value::Null, Form::Undefined);
    }
    if let Some(keyword) = keyword(text) {
        return (keyword, Form::Literal);
    }
    if let Some(text) = quoted(text, repaired) {
        return (Value::text(text), Form::Quoted);
    }
    if let Ok(number) = plain_number(text) {
        return (Value::Number(number), Form::Literal);
    }
    if let Some(value) = container(text, repaired) {
        return (value, Form::Literal);
    }
    if let Some(number) = arithmetic::compute(text) {
        return (Value::Number(number), Form::Arithmetic);
    }
    if let Some(list) = dashes(text, depth, repaired) {
        return (list, Form::Literal);
    }
    note(repaired, "W-NO-QUOTES");
    (Value::text(stripped(text)), Form::Bare)
}

/// Parses a list or an object that spans the whole text.
fn container(text: &str, repaired: &mut Vec<&'static str>) -> Option<Value> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    if let Ok(value) = json::read(text) {
        return Some(value);
    }
    if let Some(matrix) = between(text, '[', ']').and_then(matrix) {
        return Some(matrix);
    }
    let whole = |read: &Loose| read.end == text.len() && !read.repairs.contains(Repair::CutOff);
    let read = loose::read(text, MAX_DEPTH).ok().filter(whole)?;
    read.repairs.iter().for_each(|(repair, _)| note(repaired, repair.as_str()));
    Some(read.value)
}

pub(crate) fn keyword(text: &str) -> Option<Value> {
    Some(match text {
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        "null" | "None" | "NULL" | "~" => Value::Null,
        _ => return None,
    })
}

/// Parses a number in JSON's notation; `007` and `+5` are arithmetic.
pub(crate) fn plain_number(text: &str) -> Result<Number, ()> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    if leading_zero || !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(());
    }
    text.parse().map_err(|_| ())
}

fn between(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// `[1,2;3,4]` is a matrix to the peers, which store it as text.
fn matrix(inner: &str) -> Option<Value> {
    if !inner.contains(';') {
        return None;
    }
    let row = |row: &str| -> Option<String> {
        let cells = row.split(',').map(|cell| arithmetic::compute(cell).map(|number| number.to_string()));
        Some(format!("[{}]", cells.collect::<Option<Vec<_>>>()?.join(", ")))
    };
    let rows = inner.split(';').map(row).collect::<Option<Vec<_>>>()?;
    Some(Value::text(format!("[{}]", rows.join(", "))))
}

/// Parses `- a` on each line as a list of words.
fn dashes(text: &str, depth: usize, repaired: &mut Vec<&'static str>) -> Option<Value> {
    if depth >= MAX_DEPTH || !text.starts_with("- ") {
        return None;
    }
    let mut item = |line: &str| line.trim().strip_prefix("- ").map(|item| value(item, depth + 1, repaired).0);
    text.lines().map(&mut item).collect::<Option<Vec<_>>>().map(Value::list)
}

/// Returns the text without leading comments.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    loop {
        let next = if rest.starts_with("//") {
            rest.find('\n').map(|end| &rest[end..])
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| &rest[end + 2..])
        } else {
            return rest;
        };
        rest = next.unwrap_or("").trim();
    }
}

/// Returns unquoted words without quotes, backslashes and whitespace at both ends.
pub(crate) fn stripped(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\' | '“' | '”')).to_owned()
}

/// Returns the decoded contents of a quoted text, or `None` if it is not quoted.
fn quoted<'a>(text: &'a str, repaired: &mut Vec<&'static str>) -> Option<Cow<'a, str>> {
    let (inner, open) = split::unquoted(text)?;
    if !open.is_ascii() {
        note(repaired, "W-CURLY-QUOTES");
    }
    Some(loose::unescaped(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_models_write_them() {
        let cases = [
            ("65", "65"),
            ("-12.50", "-12.5"),
            ("007", "7"),
            ("+5", "5"),
            ("'007'", "\"007\""),
            ("true", "true"),
            ("None", "null"),
            ("\"a\\n\\\"b\\\"\"", "\"a\\n\\\"b\\\"\""),
            ("'a\\nb'", "\"a\\nb\""),
            ("`第一行\n第二行`", "\"第一行\\n第二行\""),
            ("'她喊\"快跑\"'", "\"她喊\\\"快跑\\\"\""),
            ("“好”", "\"好\""),
            ("\"C:\\\\\"", "\"C:\\\\\""),
            ("暴怒", "\"暴怒\""),
            ("{name: '白', lv: 2,}", "{\"name\":\"白\",\"lv\":2}"),
            ("[1 + 1, 2 * 3]", "[2,6]"),
            ("[undefined, 1]", "[null,1]"),
            ("[甲, 乙]", "[\"甲\",\"乙\"]"),
            ("{甲: }", "{\"甲\":null}"),
            ("[]", "[]"),
            ("[1,]", "[1]"),
            ("[,1]", "[1]"),
            ("[1,,2]", "[1,2]"),
            ("{\"a\":[1,{\"b\":[true,null]}]}", "{\"a\":[1,{\"b\":[true,null]}]}"),
            ("{ // 注释\n a: 1, /* x */ b: 2 }", "{\"a\":1,\"b\":2}"),
            ("(3 + 4) * 2", "14"),
            ("3 > 2", "\"3 > 2\""),
            ("3:06", "\"3:06\""),
            ("状态: 良好", "\"状态: 良好\""),
            ("苹果 # 红的", "\"苹果 # 红的\""),
            ("- 苹果", "[\"苹果\"]"),
            ("- 苹果\n- - 梨", "[\"苹果\",[\"梨\"]]"),
            ("~", "null"),
            ("@队长", "\"@队长\""),
            ("new Date('2030-02-03')", "\"new Date('2030-02-03')\""),
            ("[1,2;3,4]", "\"[[1, 2], [3, 4]]\""),
            ("it's fine", "\"it's fine\""),
            ("\\\"hp\\\"", "\"hp\""),
            ("{{user}}", "\"{{user}}\""),
            ("[(() => 40 + 2)()]", "[\"(() => 40 + 2)()\"]"),
            ("\"\\ud83d\\ude00 \\ud83d\"", "\"😀 \u{fffd}\""),
            ("", "null"),
            ("{a", "\"{a\""),
            ("[\"锋利(+2)\", '轻巧']", "[\"锋利(+2)\",\"轻巧\"]"),
            ("90-15", "75"),
            ("'  x '", "\"  x \""),
        ];
        for (text, wanted) in cases {
            assert_eq!(json::write(&read(text).value), wanted, "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded_in_every_form() {
        let many = 100_000;
        for text in [
            "- ".repeat(many),
            "[".repeat(many) + &"]".repeat(many),
            "{a:".repeat(many) + &"}".repeat(many),
            "[{a:".repeat(many) + &"}]".repeat(many),
            "(".repeat(many),
            "/* */".repeat(many),
        ] {
            assert!(read(&text).value.depth() <= MAX_DEPTH + 1, "{}", &text[..8]);
        }
    }
}
