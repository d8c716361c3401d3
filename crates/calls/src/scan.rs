//! The scanner: one pass over the text that stops at what looks like a call.
//!
//! Text inside a call belongs to that call, so a call that stands in a string value is data.

use std::ops::Range;

use storeyline_state::Diagnostic;

use crate::MAX_CALLS;
use crate::call::{Call, Dialect, Parsed};
use crate::literal::{self, Broken};

/// After this many unreadable calls the rest of the text is left alone; it bounds the work.
const MAX_BROKEN: usize = 64;

/// The MVU calls that are read here.
const UNDERSCORE_NAMES: [&str; 1] = ["set"];

pub(crate) fn scan(text: &str, skipped: &[Range<usize>]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut at = 0;
    while let Some(start) = next_mark(text, at) {
        if let Some(block) = skipped.iter().find(|block| block.contains(&start)) {
            at = block.end;
            continue;
        }
        let Some(head) = head(text, start) else {
            at = start + 2;
            continue;
        };
        if parsed.calls.len() >= MAX_CALLS || parsed.diagnostics.len() >= MAX_BROKEN {
            parsed.diagnostics.push(too_many(start..text.len()));
            return parsed;
        }
        match literal::arguments(text, head.arguments) {
            Ok(arguments) => {
                let call = finish(text, start, head, arguments);
                at = call.span.end;
                parsed.calls.push(call);
            }
            Err(broken) => {
                parsed.diagnostics.push(unreadable(text, start, &broken));
                at = head.arguments;
            }
        }
    }
    parsed
}

/// The next `@.` or `_.`.
fn next_mark(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..bytes.len().saturating_sub(1)).find(|&at| bytes[at + 1] == b'.' && matches!(bytes[at], b'@' | b'_'))
}

struct Head {
    dialect: Dialect,
    name: String,
    /// The byte after the opening bracket.
    arguments: usize,
    wide: bool,
}

/// Reads `@.NAME(` or `_.name(`.
fn head(text: &str, start: usize) -> Option<Head> {
    let dialect = if text.as_bytes()[start] == b'@' { Dialect::At } else { Dialect::Underscore };
    if dialect == Dialect::Underscore && inside_word(text, start) {
        return None;
    }
    let mut rest = &text[start + 2..];
    if dialect == Dialect::At {
        rest = rest.strip_prefix("var.").unwrap_or(rest);
    }
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let name = &rest[..length];
    let known = match dialect {
        Dialect::At => name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'),
        Dialect::Underscore => UNDERSCORE_NAMES.contains(&name),
    };
    if !known {
        return None;
    }
    let blanks = rest[length..].len() - rest[length..].trim_start_matches([' ', '\t']).len();
    let open = rest[length + blanks..].chars().next().filter(|open| matches!(open, '(' | '（'))?;
    let arguments = text.len() - rest.len() + length + blanks + open.len_utf8();
    Some(Head { dialect, name: name.to_owned(), arguments, wide: open == '（' })
}

/// `snake_.set(` is not a call: the underscore belongs to a word.
fn inside_word(text: &str, start: usize) -> bool {
    text[..start]
        .chars()
        .next_back()
        .is_some_and(|before| before.is_ascii_alphanumeric() || before == '_' || before == '$')
}

fn finish(text: &str, start: usize, head: Head, arguments: literal::Arguments) -> Call {
    let mut end = arguments.end;
    let mut codes = arguments.repaired;
    if head.wide && !codes.contains(&"W-FULL-WIDTH") {
        codes.push("W-FULL-WIDTH");
    }
    let rest = &text[end..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    match rest[blanks..].chars().next() {
        Some(';') => end += blanks + 1,
        Some('；') => end += blanks + '；'.len_utf8(),
        _ => {}
    }
    let reason = reason(text, &mut end);
    let span = start..end;
    let repairs = codes.into_iter().map(|code| repaired(code, span.clone())).collect();
    Call { dialect: head.dialect, name: head.name, args: arguments.values, reason, span, repairs }
}

/// Reads `//reason` up to the end of the line.
fn reason(text: &str, end: &mut usize) -> Option<String> {
    let rest = &text[*end..];
    let comment = rest.trim_start_matches([' ', '\t']).strip_prefix("//")?;
    let line = comment.lines().next().unwrap_or("");
    // Another call on the same line is a call, not a reason.
    let line = &line[..next_mark(line, 0).unwrap_or(line.len())];
    *end = text.len() - comment.len() + line.len();
    Some(line.trim().to_owned()).filter(|reason| !reason.is_empty())
}

fn repaired(code: &'static str, span: Range<usize>) -> Diagnostic {
    let (zh, en) = match code {
        "W-FULL-WIDTH" => ("全角符号按半角读取。", "Full-width marks were read as plain ones."),
        "W-CURLY-QUOTES" => ("弯引号按直引号读取。", "Curly quotes were read as straight ones."),
        "W-TRAILING-COMMA" => ("多余的逗号已忽略。", "A comma too many was left out."),
        "W-NO-QUOTES" => ("没有引号的文字按文本读取。", "A word without quotes was read as text."),
        _ => ("调用已修正。", "The call was repaired."),
    };
    Diagnostic::warning(code, span, zh, en)
}

fn unreadable(text: &str, start: usize, broken: &Broken) -> Diagnostic {
    let line_end = text[start..].find('\n').map_or(text.len(), |found| start + found);
    let span = start..line_end.max(broken.at.min(text.len()));
    let (zh, en) = match broken.code {
        "E-CALL-OPEN" => ("这个调用没有写完，没有执行。", "This call is not finished; it was not carried out."),
        "E-CALL-COMMA" => {
            ("参数之间缺少逗号，没有执行。", "A comma is missing between arguments; the call was not carried out.")
        }
        "E-CALL-COLON" => {
            ("对象的键后缺少冒号，没有执行。", "A colon is missing after a key; the call was not carried out.")
        }
        "E-CALL-DEEP" => {
            ("参数嵌套过深，没有执行。", "The arguments are nested too deeply; the call was not carried out.")
        }
        _ => ("参数无法读取，没有执行。", "The arguments cannot be read; the call was not carried out."),
    };
    Diagnostic::error(broken.code, clip(text, span), zh, en)
}

/// At most 400 bytes of a broken call are shown.
fn clip(text: &str, span: Range<usize>) -> Range<usize> {
    let mut end = span.end.min(span.start + 400);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    span.start..end
}

fn too_many(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(
        "E-CALL-MANY",
        span,
        "调用或错误太多，其余部分没有读取。",
        "There are too many calls or errors; the rest of the text was not read.",
    )
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use crate::{ParseSettings, parse};

    /// Every call as `NAME[args] reason`, then the codes.
    fn read(text: &str) -> Vec<String> {
        let parsed = parse(text, &ParseSettings::default());
        let calls = parsed.calls.iter().map(|call| {
            let args = json::write(&storeyline_state::Value::list(call.args.clone()));
            let reason = call.reason.as_deref().map(|reason| format!(" //{reason}")).unwrap_or_default();
            let repairs: String = call.repairs.iter().map(|repair| format!(" {}", repair.code)).collect();
            format!("{}{args}{reason}{repairs}", call.name)
        });
        calls.chain(parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.clone())).collect()
    }

    #[test]
    fn calls_are_read_from_prose() {
        let cases: [(&str, &[&str]); 17] = [
            ("她笑了。@.SET(\"角色.名字\", \"张三\");然后", &["SET[\"角色.名字\",\"张三\"]"]),
            ("@.ADD('金币', -5.50)", &["ADD[\"金币\",-5.5]"]),
            ("@.var.SET(\"a\", 1);", &["SET[\"a\",1]"]),
            ("@.SET(\n  \"a\",\n  {b: [1, 2,], 'c': null}\n);", &["SET[\"a\",{\"b\":[1,2],\"c\":null}]"]),
            ("_.set('a', 1, 2);//因为", &["set[\"a\",1,2] //因为"]),
            ("_.set('a', 2); // one _.set('b', 3);", &["set[\"a\",2] //one", "set[\"b\",3]"]),
            ("@.SET（“金币”，5）；", &["SET[\"金币\",5] W-CURLY-QUOTES W-FULL-WIDTH"]),
            ("@.SET (金币, 5,)", &["SET[\"金币\",5] W-NO-QUOTES W-TRAILING-COMMA"]),
            ("@.SET(背包[0].名字, 刀)", &["SET[\"背包[0].名字\",\"刀\"] W-NO-QUOTES"]),
            ("@.SET(a[0][1], {{user}})", &["SET[\"a[0][1]\",\"{{user}}\"] W-NO-QUOTES"]),
            ("@.SET(\"a\", \"@.SET('b', 1);\")", &["SET[\"a\",\"@.SET('b', 1);\"]"]),
            ("@.SET(\"a\", 1 @.ADD(\"b\", 2);", &["ADD[\"b\",2]", "E-CALL-COMMA"]),
            ("<think>@.SET(\"a\", 1);</think>@.SET(\"a\", 2);", &["SET[\"a\",2]"]),
            ("mail me@.example or x_.set('a', 1) or @.5(1) or @.SET", &[]),
            ("@.UNSET(\"a\") @.SET(\"b\"", &["UNSET[\"a\"]", "E-CALL-OPEN"]),
            ("@.SET(\"a\" 1)", &["E-CALL-COMMA"]),
            ("@.SET(\"a\", \"\\ud83d\")", &["SET[\"a\",\"\u{fffd}\"]"]),
        ];
        for (text, wanted) in cases {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_span_covers_the_call_and_its_semicolon() {
        let text = "金 @.SET(\"a\", 1) ; x";
        let parsed = parse(text, &ParseSettings::default());
        assert_eq!(&text[parsed.calls[0].span.clone()], "@.SET(\"a\", 1) ;");
    }

    #[test]
    fn hostile_text_is_bounded() {
        let texts = [
            "@.A(".repeat(50_000),
            "@.A([".repeat(50_000),
            "@.A(\"".repeat(50_000),
            "@.A(1)".repeat(50_000),
            format!("@.A(a{})", "[0]b".repeat(50_000)),
        ];
        for text in texts {
            let parsed = parse(&text, &ParseSettings::default());
            assert!(parsed.calls.len() <= crate::MAX_CALLS);
            assert!(parsed.diagnostics.len() <= super::MAX_BROKEN + 1);
        }
    }
}
