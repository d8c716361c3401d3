//! Fast path for most arguments: a quoted text without a backslash, a plain number, strict JSON.
//!
//! An argument is accepted here only if the tolerant path ([`split`](crate::split), then [`value`])
//! would give the same value, with the same end and no repair; everything else is left to that
//! path.

use storeyline_state::object::shape::Shape;
use storeyline_state::{Number, Value, json};

use crate::call::Arg;
use crate::find;
use crate::value::{self, Form};

/// Parses the argument at `start`, and returns the offset of the comma or bracket after it.
#[inline]
pub(crate) fn read(text: &str, start: usize, args: &mut Vec<Arg>, before: &mut Option<Shape>) -> Option<usize> {
    match text.as_bytes().get(start)? {
        b'"' | b'\'' | b'`' => quoted(text, start, args),
        b'-' | b'0'..=b'9' => number(text, start, args),
        b'{' | b'[' => literal(text, start, args, before),
        _ => None,
    }
}

/// Inlined, because most arguments are quoted texts.
#[inline(always)]
fn quoted(text: &str, start: usize, args: &mut Vec<Arg>) -> Option<usize> {
    let end = start + quoted_length(&text.as_bytes()[start..])?;
    let mark = mark_after(text, end)?;
    args.push(Arg::new(Value::text(&text[start + 1..end - 1]), Form::Quoted));
    Some(mark)
}

fn number(text: &str, start: usize, args: &mut Vec<Arg>) -> Option<usize> {
    let Some((whole, end)) = whole(text.as_bytes(), start) else { return decimal(text, start, args) };
    if let Some(mark) = mark_after(text, end) {
        args.push(Arg::new(Value::Number(Number::from(whole)), Form::Literal));
        return Some(mark);
    }
    if matches!(text.as_bytes().get(end), Some(b'.' | b'0'..=b'9')) {
        return decimal(text, start, args);
    }
    let (sum, end) = sum(text.as_bytes(), whole, end)?;
    let mark = mark_after(text, end)?;
    args.push(Arg::new(Value::Number(Number::from(sum)), Form::Arithmetic));
    Some(mark)
}

/// Parses an integer of at most 15 digits, as JSON writes it, and returns the offset after it.
fn whole(bytes: &[u8], start: usize) -> Option<(i64, usize)> {
    let (number, end) = json::whole(bytes, start)?;
    // `007` is arithmetic.
    let first = start + usize::from(bytes[start] == b'-');
    (bytes[first] != b'0' || end == first + 1).then_some((number, end))
}

/// Parses `40 + 4`; models write an old value and its change like this.
fn sum(bytes: &[u8], one: i64, end: usize) -> Option<(i64, usize)> {
    let sign = skip_whitespace(bytes, end);
    let start = skip_whitespace(bytes, sign + 1);
    let (other, end) = whole(bytes, start).filter(|_| bytes[start] != b'-')?;
    match bytes[sign] {
        b'+' => Some((one + other, end)),
        b'-' => Some((one - other, end)),
        _ => None,
    }
}

fn decimal(text: &str, start: usize, args: &mut Vec<Arg>) -> Option<usize> {
    let rest = &text[start..];
    let length = rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-')).count();
    let mark = mark_after(text, start + length)?;
    let number = value::plain_number(&rest[..length]).ok()?;
    args.push(Arg::new(Value::Number(number), Form::Literal));
    Some(mark)
}

/// Examines at most as many bytes as the tolerant path does before it gives up.
fn literal(text: &str, start: usize, args: &mut Vec<Arg>, before: &mut Option<Shape>) -> Option<usize> {
    let (value, length) = json::read_start(&text[start..], before)?;
    let mark = mark_after(text, start + length)?;
    args.push(Arg::new(value, Form::Literal));
    Some(mark)
}

/// Returns the length of a quoted text with its quotes, or `None` if it contains a backslash.
fn quoted_length(text: &[u8]) -> Option<usize> {
    let (quote, rest) = text.split_first()?;
    match find::near(rest, *quote, b'\\') {
        Some(length) => (rest[length] == *quote).then_some(length + 2),
        None => long_quoted_length(text),
    }
}

/// Not inlined, to keep the register pressure of the common case low.
#[cold]
fn long_quoted_length(text: &[u8]) -> Option<usize> {
    let (quote, rest) = text.split_first()?;
    let length = find::either(rest, *quote, b'\\')?;
    (rest[length] == *quote).then_some(length + 2)
}

/// Returns the offset of the comma or bracket, if only whitespace precedes it.
fn mark_after(text: &str, end: usize) -> Option<usize> {
    let at = skip_whitespace(text.as_bytes(), end);
    matches!(text.as_bytes().get(at), Some(b',' | b')')).then_some(at)
}

fn skip_whitespace(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split::{self, SplitBuffers};
    use crate::whitespace;

    /// Pieces of arguments, and what makes them hard to parse.
    const TOKENS: &[&str] = &[
        "\"",
        "'",
        "`",
        "“",
        "”",
        "‘",
        "’",
        "(",
        ")",
        "（",
        "）",
        "[",
        "]",
        "{",
        "}",
        ",",
        "，",
        ":",
        "：",
        ";",
        "\\",
        "\\n",
        "\\u0041",
        "/",
        "//",
        "/*",
        "*/",
        "\n",
        "\n@.A(",
        " ",
        "  ",
        "\t",
        "\u{a0}",
        "\u{3000}",
        "\u{feff}",
        "\u{0}",
        "0",
        "5",
        "12",
        "007",
        "500",
        "-",
        "+",
        ".",
        "1.5",
        "e3",
        "*",
        "true",
        "undefined",
        "a",
        "金",
        "角色",
        "it's",
        "١",
        "\"a\"",
        "'金.币'",
        "`x\ny`",
        "\"\\\"\"",
        "[1, 2]",
        "[1,]",
        "{\"a\": 1}",
        "{\"a\": [\"甲\", {}]}",
        "{a: 1}",
        "{{user}}",
        "40 + 4",
        "\"a\", ",
        "'b' ,",
        "5, ",
        "-1.50)",
        ", 500",
        "[\"x\"] )",
        "[1]，",
    ];

    fn arguments() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(TOKENS), 0..14).prop_map(|tokens| tokens.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn what_is_plain_is_what_the_tolerant_way_reads(text in arguments()) {
            let (mut straight, mut tolerant): (SplitBuffers, SplitBuffers) = Default::default();
            let mut before = None;
            let found = split::split_arguments(&text, 0, &mut straight, |text, start, args| read(text, start, args, &mut before));
            let wanted = split::split_arguments(&text, 0, &mut tolerant, |_, _, _| None);
            let ends = |split: &split::SplitCall| split.end;
            prop_assert_eq!(found.as_ref().map(ends), wanted.as_ref().map(ends));
            prop_assert_eq!(&straight.repaired, &tolerant.repaired);
            let ranges = |buffers: &SplitBuffers| buffers.arguments.iter().map(|one| one.range.clone()).collect::<Vec<_>>();
            prop_assert_eq!(ranges(&straight), ranges(&tolerant));
            let Ok(found) = found else { return Ok(()) };
            prop_assert_eq!(found.args.len(), straight.arguments.len());
            for (arg, argument) in found.args.iter().zip(&straight.arguments).filter(|(_, argument)| argument.is_plain) {
                let wanted = value::read(whitespace::trim(&text[argument.range.clone()]));
                prop_assert_eq!((&arg.value, arg.form), (&wanted.value, wanted.form));
                prop_assert!(arg.commas.is_none() && wanted.repaired.is_empty());
            }
        }
    }

    #[test]
    fn plain_arguments_are_read_at_once() {
        let known = |text: &str| read(text, 0, &mut Vec::new(), &mut None);
        for text in [
            "40 + 4)",
            "-7  -12 ,",
            "\"角色.金币\",",
            "'a' )",
            "`\n`,",
            "-12.50)",
            "0,",
            "[1, {\"a\": \"b\\n\"}])",
            "{}  ,",
        ] {
            assert_eq!(known(text), Some(text.len() - 1), "{text}");
        }
        for text in [
            "\"a\\\"\",",
            "'a'b)",
            "'a'，",
            "“a”,",
            "007)",
            "+5)",
            "1 + 02)",
            "1 - -2)",
            "1 + 2 * 3)",
            "1 + )",
            "1 +",
            "1",
            "[1,])",
            "{a: 1})",
            "a,",
            "'a'",
            "",
            ")",
        ] {
            assert_eq!(known(text), None, "{text}");
        }
    }
}
