//! Parses the text of initial variables as MVU does, without its losses.
//!
//! In: the contents of an `[initvar]` entry or of an `<initvar>` block: YAML, JSON, JSON5 or TOML.
//! Out: an object, or nothing, and a diagnostic for everything that was repaired or left out.
//! Nothing in it is executed, and size, nesting and repetition (YAML's aliases) are bounded.

mod blocks;
mod json5;
mod macros;
pub(crate) mod merge;
mod toml;
mod yaml;
mod yaml_repair;

use storeyline_state::{Diagnostic, Severity, Value, json, text};

pub(crate) use blocks::{block_text, entry_text};
pub use macros::Names;
pub(crate) use merge::{lay_under, merge};

use crate::MAX_FILE;

/// Maximum length of one text in bytes; the largest known one has 35,000.
pub(crate) const MAX_TEXT: usize = 1_000_000;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParsedVariables {
    pub value: Option<Value>,
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedVariables {
    fn of(value: Value) -> ParsedVariables {
        ParsedVariables { value: Some(value), diagnostics: Vec::new() }
    }

    /// Tells whether everything was parsed, and is an object.
    fn is_whole(&self) -> bool {
        self.is_object() && !self.has_error()
    }

    fn has_error(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }

    fn is_object(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.as_object().is_some())
    }
}

pub fn read(source: &str, names: &Names) -> ParsedVariables {
    if source.len() > MAX_TEXT {
        return refused("E-INIT-SIZE", "文本太大，没有读取。", "the text is too large and was not read");
    }
    let mut diagnostics = Vec::new();
    let source = text::canonical(source.strip_prefix('\u{feff}').unwrap_or(source)).into_owned();
    let source = macros::without_templates(&source, &mut diagnostics);
    let (source, hidden) = macros::hide(&source);
    if source.trim().is_empty() {
        return ParsedVariables { value: None, diagnostics };
    }
    let mut found = in_any_form(&source);
    diagnostics.append(&mut found.diagnostics);
    let value = found.value.map(|value| hidden.show(&value, names));
    match value {
        Some(value) if value.as_object().is_some() => ParsedVariables { value: Some(value), diagnostics },
        Some(_) => {
            diagnostics.push(not_an_object());
            ParsedVariables { value: None, diagnostics }
        }
        None => ParsedVariables { value: None, diagnostics },
    }
}

/// Parses nearly correct JSON; `None` if it is not, or is cut off.
pub(crate) fn read_loose(source: &str) -> Option<Value> {
    let found = (source.len() <= MAX_FILE).then(|| json5::read(source))?;
    let whole = !found.has_error() && !found.diagnostics.iter().any(|found| found.code == "W-INIT-CUT");
    found.value.filter(|_| whole)
}

/// Tries JSON and its relatives for a text with a leading bracket, YAML for all else, in MVU's
/// order. The first format that gives a complete object is used; else the most readable result.
fn in_any_form(source: &str) -> ParsedVariables {
    if let Ok(value) = json::read(source) {
        return ParsedVariables::of(value);
    }
    let readers: &[fn(&str) -> ParsedVariables] = match source.trim_start().as_bytes().first() {
        Some(b'{') => &[json5::read, yaml::read],
        Some(b'[') => &[toml::read, json5::read, yaml::read],
        _ => &[yaml::read, toml::read, yaml_repair::read],
    };
    let mut best = ParsedVariables::default();
    for reader in readers {
        let found = reader(source);
        if found.is_whole() {
            return found;
        }
        if rank(&found) > rank(&best) || best.diagnostics.is_empty() {
            best = found;
        }
    }
    best
}

/// Rates a result: more of an object is better; any value is better than none.
fn rank(found: &ParsedVariables) -> usize {
    match &found.value {
        Some(Value::Object(object)) => 2 + object.len(),
        Some(_) => 1,
        None => 0,
    }
}

fn refused(code: &str, zh: &str, en: &str) -> ParsedVariables {
    ParsedVariables { value: None, diagnostics: vec![Diagnostic::error(code, 0..0, zh, en)] }
}

fn not_an_object() -> Diagnostic {
    Diagnostic::error(
        "E-INIT-OBJECT",
        0..0,
        "初始变量必须是“键: 值”的形式（例如 `角色: {金币: 5}`，冒号用半角并在后面空一格），没有用它。",
        "initial variables must be keys with values (for example `hero: {gold: 5}`, with a blank after the colon); left out",
    )
}

/// Makes a diagnostic at a line and column, both from 1.
fn at(source: &str, code: &str, line: usize, column: usize, zh: &str, en: &str) -> Diagnostic {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = source[start..].find('\n').map_or(source.len(), |length| start + length);
    Diagnostic::error(
        code,
        start..end,
        format!("第 {line} 行第 {column} 列：{zh}"),
        format!("line {line}, column {column}: {en}"),
    )
}

/// Same as a warning.
fn warn_at(source: &str, code: &str, line: usize, column: usize, zh: &str, en: &str) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..at(source, code, line, column, zh, en) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_plain(source: &str) -> ParsedVariables {
        read(source, &Names::default())
    }

    fn shown(source: &str) -> String {
        read_plain(source).value.map_or("-".into(), |value| json::write(&value))
    }

    #[test]
    fn every_form_gives_the_same_state() {
        let wanted = r#"{"角色":{"名":"林舟","金币":5,"背包":["药水"]},"日期":"2031-05-07"}"#;
        for source in [
            wanted.to_owned(),
            "角色:\n  名: 林舟\n  金币: 5\n  背包:\n    - 药水\n日期: 2031-05-07".into(),
            "\u{feff}角色:\r\n  名: 林舟\r\n  金币: 5\r\n  背包: [药水]\r\n日期: 2031-05-07\r\n".into(),
            "{\n 角色: {名: '林舟', 金币: +5, 背包: ['药水',],}, // 注释\n 日期: '2031-05-07' /* end */\n}".into(),
            "\"日期\" = 2031-05-07\n[\"角色\"]\n\"名\" = \"林舟\"\n\"金币\" = 5\n\"背包\" = [\"药水\"]".into(),
            "[角色]\n名 = \"林舟\"\n金币 = 5\n背包 = [\"药水\"]\n".to_owned(),
        ] {
            let value = read_plain(&source).value.unwrap_or_else(|| panic!("{source}: {:?}", read_plain(&source)));
            assert_eq!(value.get("角色"), json::read(wanted).unwrap().get("角色"), "{source}");
            if source.contains("日期") {
                assert_eq!(value.get("日期").and_then(Value::as_text), Some("2031-05-07"), "{source}");
            }
        }
    }

    #[test]
    fn what_is_no_object_is_refused_with_a_hint() {
        for source in ["只是一句话", "- a\n- b", "[1, 2]", "5"] {
            let found = read_plain(source);
            assert_eq!(found.value, None, "{source}");
            assert_eq!(found.diagnostics.last().unwrap().code, "E-INIT-OBJECT", "{source}");
        }
        assert_eq!(read_plain(" \n "), ParsedVariables::default());
        assert_eq!(read_plain("# 只有注释").value, None);
    }

    #[test]
    fn names_may_stand_where_yaml_would_stumble() {
        let source = "{{user}}的好感: 5\n主角: {{user}}\n地点: <user>的家\n别名: [{{char}}, '{{ User }}']";
        let names = Names { user: Some("旅人: [甲]".into()), character: Some("阿丽娅".into()) };
        assert_eq!(
            json::write(&read(source, &names).value.unwrap()),
            r#"{"旅人: [甲]的好感":5,"主角":"旅人: [甲]","地点":"旅人: [甲]的家","别名":["阿丽娅","旅人: [甲]"]}"#
        );
        assert_eq!(
            shown(source),
            r#"{"{{user}}的好感":5,"主角":"{{user}}","地点":"<user>的家","别名":["{{char}}","{{ User }}"]}"#
        );
    }

    #[test]
    fn templates_are_left_out_and_never_run() {
        let found = read_plain("<% if (x) { %>\n金币: 5\n<% } %>");
        assert_eq!(json::write(&found.value.unwrap()), r#"{"金币":5}"#);
        assert_eq!(found.diagnostics[0].code, "W-INIT-TEMPLATE");
    }

    #[test]
    fn common_slips_are_repaired_and_told() {
        for (source, wanted, code) in [
            ("角色:\n\t名: 林舟\n\t金币: 5", r#"{"角色":{"名":"林舟","金币":5}}"#, "W-INIT-TABS"),
            ("a:\t1\nb: 2", r#"{"a":1,"b":2}"#, "W-INIT-TABS"),
            ("a:\n  b: 1\n c: 2\nd: 3", r#"{"a":{"b":1},"c":2,"d":3}"#, "W-INIT-INDENT"),
            ("名：林舟\n金币： 5", r#"{"名":"林舟","金币":5}"#, "W-INIT-COLON"),
            ("话: 他说: 好\n金币: 5", r#"{"话":"他说: 好","金币":5}"#, "W-INIT-QUOTED"),
            ("头衔: [见习]骑士\n金币: 5", r#"{"头衔":"[见习]骑士","金币":5}"#, "W-INIT-QUOTED"),
            ("名: \"林\"舟\n金币: 5", r#"{"名":"\"林\"舟","金币":5}"#, "W-INIT-QUOTED"),
            ("队长: @阿菱\n比例: %5\n金币: 5", r#"{"队长":"@阿菱","比例":"%5","金币":5}"#, "W-INIT-QUOTED"),
            ("话: \"没有写完\n血: 3", r#"{"话":"\"没有写完","血":3}"#, "W-INIT-QUOTED"),
            ("{\"a\": 1 \"b\": {\"c\": [1, 2", r#"{"a":1,"b":{"c":[1,2]}}"#, "W-INIT-CUT"),
        ] {
            let found = read_plain(source);
            assert_eq!(found.value.as_ref().map(json::write).as_deref(), Some(wanted), "{source}: {found:?}");
            let codes: Vec<_> = found.diagnostics.iter().map(|found| found.code.as_str()).collect();
            assert!(codes.contains(&code), "{source}: {codes:?}");
        }
    }

    #[test]
    fn a_text_that_breaks_off_gives_what_is_readable() {
        let found = read_plain("角色:\n  金币: 5\n  {血\n后: 3\n");
        assert_eq!(found.value.map(|value| json::write(&value)), Some(r#"{"角色":{"金币":5}}"#.into()));
        let told = &found.diagnostics[0];
        assert_eq!(told.code, "E-INIT-YAML");
        assert!(told.message.en.starts_with("line "), "{}", told.message.en);
    }
}
