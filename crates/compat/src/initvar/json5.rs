//! JSON as authors write it, by the parser of [`storeyline_calls::loose`]; its repairs become
//! diagnostics with line and column.

use storeyline_calls::loose::{self, Loose, Repair, Unreadable, UnreadableKind};
use storeyline_state::json::MAX_DEPTH;
use storeyline_state::text::line_and_column;

use super::{ParsedVariables, at, warn_at};

pub(super) fn read(source: &str) -> ParsedVariables {
    match loose::read(source, MAX_DEPTH) {
        Ok(read) => with_repairs(source, read),
        Err(error) => refused(source, error),
    }
}

fn with_repairs(source: &str, read: Loose) -> ParsedVariables {
    let mut diagnostics = Vec::new();
    for (repair, offset) in read.repairs.iter() {
        let (code, zh, en) = words(repair);
        let (line, column) = line_and_column(source, offset);
        diagnostics.push(warn_at(source, code, line, column, zh, en));
    }
    if !source[read.end..].trim().is_empty() {
        let (line, column) = line_and_column(source, read.end);
        let (zh, en) = ("后面还有多余的文字，没有读。", "what follows the value was not read");
        diagnostics.push(at(source, "E-INIT-JSON", line, column, zh, en));
    }
    ParsedVariables { value: Some(read.value), diagnostics }
}

fn refused(source: &str, error: Unreadable) -> ParsedVariables {
    let (zh, en) = match error.why {
        UnreadableKind::Deep => ("嵌套太深。", "nested too deeply"),
        UnreadableKind::Nothing => ("这里缺一个值。", "a value is missing here"),
        UnreadableKind::NotExact | UnreadableKind::Structure => (
            "这里的引号或括号损坏，无法确定值到哪里为止。",
            "quotes or brackets are damaged here; where the value ends is uncertain",
        ),
    };
    let (line, column) = line_and_column(source, error.at);
    ParsedVariables { value: None, diagnostics: vec![at(source, "E-INIT-JSON", line, column, zh, en)] }
}

fn words(repair: Repair) -> (&'static str, &'static str, &'static str) {
    match repair {
        Repair::MissingComma => ("W-INIT-COMMA", "这里缺逗号，已补上。", "a comma is missing here; it was added"),
        Repair::ExtraComma => ("W-INIT-COMMA", "多余的逗号已忽略。", "a comma too many was left out"),
        Repair::MissingColon => ("W-INIT-COLON", "这里缺冒号，已补上。", "a colon is missing here; it was added"),
        Repair::MissingValue => {
            ("W-INIT-VALUE", "这里缺一个值，按空值读取。", "a value is missing here; it was read as null")
        }
        Repair::Brackets => ("W-INIT-BRACKETS", "缺少或多余的括号已修正。", "a missing or extra bracket was repaired"),
        Repair::CutOff => ("W-INIT-CUT", "文本在这里断了，已补上括号。", "the text breaks off here; it was closed"),
        Repair::MissingQuote => ("W-INIT-QUOTED", "这里缺引号，已补上。", "a quote is missing here; it was added"),
        Repair::InnerQuotes => {
            ("W-INIT-QUOTED", "文本里没有转义的引号按文字读取。", "unescaped quotes were read as part of the text")
        }
        Repair::NoQuotes => {
            ("W-INIT-QUOTED", "这里的文字没有引号，已当作文本。", "words without quotes were read as text")
        }
        Repair::SkippedWords => ("W-INIT-WORDS", "多余的文字已忽略。", "words that belong to no value were left out"),
        Repair::FullWidth | Repair::CurlyQuotes | Repair::Thousands => {
            ("W-INIT-MARKS", "全角或弯曲的符号按普通符号读取。", "full-width or curly marks were read as plain ones")
        }
    }
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
            ("{\"a\": 1,\n \"b\" 2}", r#"{"a":1,"b":2}"#),
            ("{\"a\": {\"x\": \"他说\"好\"了\", \"y\": 1}", r#"{"a":{"x":"他说\"好\"了","y":1}}"#),
        ] {
            let found = read(source);
            assert_eq!(found.value.as_ref().map(json::write).as_deref(), Some(wanted), "{source}: {found:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_names_its_place() {
        let found = read("{\"a\": 1,\n {\"b\": 2}}");
        assert_eq!(found.value, None);
        assert!(found.diagnostics[0].message.en.starts_with("line 2, column 2: "), "{found:?}");
        for source in ["{{{{", "}", "]", "{[", "[}", "{:", "\\", "{a:]", &"[".repeat(50_000), &"{a:".repeat(50_000)] {
            read(source);
        }
    }
}
