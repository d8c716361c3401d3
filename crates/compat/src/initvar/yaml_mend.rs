//! YAML that is nearly right: tabs, full-width colons, and values that want quotes.
//!
//! Each repair changes one line and is told; the text must become readable, or nothing is repaired.

use storeyline_state::Diagnostic;

use super::{Found, warn_at, yaml};

/// How many values may be put into quotes, and up to which size of text: every try reads it again.
const MAX_TRIES: usize = 40;
const MAX_TEXT: usize = 200_000;

/// Repairs and reads.
pub(super) fn read(source: &str) -> Found {
    if source.len() > MAX_TEXT {
        return Found::default();
    }
    let mut told = Vec::new();
    let mut lines: Vec<String> = source.split('\n').map(str::to_owned).collect();
    let mut found = yaml::read(source);
    mend_all(
        &mut lines,
        source,
        &mut told,
        tabs,
        "W-INIT-TABS",
        "缩进用了制表符，已换成空格。",
        "tabs in front of a line were read as blanks",
    );
    if !found.is_whole() && !found.is_object() {
        mend_all(
            &mut lines,
            source,
            &mut told,
            colon,
            "W-INIT-COLON",
            "全角冒号 `：` 已当作 `: `。",
            "a full-width colon was read as `: `",
        );
    }
    for _ in 0..MAX_TRIES {
        found = yaml::read(&lines.join("\n"));
        let Some(line) = broken_line(&found) else { break };
        let Some(mended) = [line, line.saturating_sub(1)].into_iter().filter(|line| *line > 0).find_map(|line| {
            let text = lines.get(line - 1)?;
            quoted(text).map(|text| (line, text))
        }) else {
            break;
        };
        lines[mended.0 - 1] = mended.1;
        let (zh, en) =
            ("这个值没有引号就不是 YAML，已当作文本。", "without quotes this value is not YAML; it was read as text");
        told.push(warn_at(source, "W-INIT-QUOTED", mended.0, 1, zh, en));
    }
    if found.is_whole() {
        told.append(&mut found.diagnostics);
        found.diagnostics = told;
    }
    found
}

fn broken_line(found: &Found) -> Option<usize> {
    let error = found.diagnostics.iter().find(|found| found.code == "E-INIT-YAML")?;
    let digits = error.message.en.strip_prefix("line ")?;
    digits[..digits.find(',')?].parse().ok()
}

type Mend = fn(&str) -> Option<String>;

/// Applies a repair to every line; the first one is told.
fn mend_all(
    lines: &mut [String],
    source: &str,
    told: &mut Vec<Diagnostic>,
    mend: Mend,
    code: &str,
    zh: &str,
    en: &str,
) {
    for (index, line) in lines.iter_mut().enumerate() {
        let Some(mended) = mend(line) else { continue };
        *line = mended;
        if !told.iter().any(|found| found.code == code) {
            told.push(warn_at(source, code, index + 1, 1, zh, en));
        }
    }
}

fn tabs(line: &str) -> Option<String> {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = &line[..line.len() - rest.len()];
    indent.contains('\t').then(|| indent.replace('\t', "  ") + rest)
}

/// `名：林舟`, where no other colon comes before.
fn colon(line: &str) -> Option<String> {
    let at = line.find('：')?;
    let key = &line[..at];
    let is_key = !key.contains([':', '"', '\'', '{', '[', '#']) && !key.trim().is_empty();
    is_key.then(|| format!("{key}: {}", line[at + '：'.len_utf8()..].trim_start()))
}

/// `key: value` or `- value` with the value in single quotes.
fn quoted(line: &str) -> Option<String> {
    let at = match line.find(": ") {
        Some(colon) => colon + 2,
        None => line.find("- ").filter(|dash| line[..*dash].trim().is_empty())? + 2,
    };
    let value = line[at..].trim();
    let is_mended = value.starts_with('\'') && value.ends_with('\'') && value.len() > 1;
    if value.is_empty() || is_mended || matches!(value, "|" | ">" | "|-" | ">-") {
        return None;
    }
    Some(format!("{}'{}'", &line[..at], value.replace('\'', "''")))
}
