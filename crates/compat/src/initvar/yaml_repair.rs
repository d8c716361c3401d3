//! Repairs nearly correct YAML: tabs, full-width colons, lines between two levels, values that need
//! quotes.
//!
//! Each repair changes one line and is reported; if the text does not become readable, nothing is
//! repaired.

use storeyline_state::Diagnostic;

use super::{ParsedVariables, warn_at, yaml};

/// Maximum number of values that are quoted, and maximum text size: every try parses it again.
const MAX_TRIES: usize = 40;
const MAX_TEXT: usize = 200_000;

/// Repairs and parses: first what is certainly wrong, then full-width colons too, which may be part
/// of a text.
pub(super) fn read(source: &str) -> ParsedVariables {
    if source.len() > MAX_TEXT {
        return ParsedVariables::default();
    }
    let mut mended = RepairedYaml { source, lines: source.split('\n').map(str::to_owned).collect(), told: Vec::new() };
    mended.all(tabs, "W-INIT-TABS", "缩进用了制表符，已换成空格。", "tabs in front of a line were read as blanks");
    let mut with_colons = mended.clone();
    let found = mended.quote_and_read();
    if found.is_whole() {
        return found;
    }
    with_colons.all(colon, "W-INIT-COLON", "全角冒号 `：` 已当作 `: `。", "a full-width colon was read as `: `");
    let again = with_colons.quote_and_read();
    if again.is_whole() { again } else { found }
}

/// A text being repaired, and the repairs so far.
#[derive(Clone)]
struct RepairedYaml<'a> {
    source: &'a str,
    lines: Vec<String>,
    told: Vec<Diagnostic>,
}

impl RepairedYaml<'_> {
    /// Applies a repair to every line; the first one is reported.
    fn all(&mut self, mend: fn(&str) -> Option<String>, code: &str, zh: &str, en: &str) {
        for (index, line) in self.lines.iter_mut().enumerate() {
            let Some(mended) = mend(line) else { continue };
            *line = mended;
            if !self.told.iter().any(|found| found.code == code) {
                self.told.push(warn_at(self.source, code, index + 1, 1, zh, en));
            }
        }
    }

    /// Quotes values at the parser's errors, as long as that helps.
    fn quote_and_read(mut self) -> ParsedVariables {
        let mut found = yaml::read(&self.lines.join("\n"));
        for _ in 0..MAX_TRIES {
            let Some(line) = broken_line(&found) else { break };
            if let Some(index) = [line, line.saturating_sub(1)].into_iter().find(|line| self.indent(*line)) {
                let (zh, en) = (
                    "缩进对不上前面的任何一级，已向左对齐。",
                    "this line stood between two levels; it was moved to the left",
                );
                self.told.push(warn_at(self.source, "W-INIT-INDENT", index, 1, zh, en));
                found = yaml::read(&self.lines.join("\n"));
                continue;
            }
            let Some(index) = [line, line.saturating_sub(1)].into_iter().find(|line| self.quote(*line)) else { break };
            let (zh, en) = (
                "这个值没有引号就不是 YAML，已当作文本。",
                "without quotes this value is not YAML; it was read as text",
            );
            self.told.push(warn_at(self.source, "W-INIT-QUOTED", index, 1, zh, en));
            found = yaml::read(&self.lines.join("\n"));
        }
        if found.is_whole() {
            self.told.append(&mut found.diagnostics);
            found.diagnostics = self.told;
        }
        found
    }

    /// Moves a line (from 1) that is between two levels to the outer one, as MVU's parser does.
    fn indent(&mut self, line: usize) -> bool {
        let Some(index) = line.checked_sub(1).filter(|index| *index < self.lines.len()) else { return false };
        let width = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let mut levels = vec![0];
        for line in self.lines[..index].iter().filter(|line| !line.trim().is_empty()) {
            levels.retain(|level| *level <= width(line));
            if levels.last() != Some(&width(line)) {
                levels.push(width(line));
            }
        }
        let own = width(&self.lines[index]);
        if levels.contains(&own) || levels.last().is_none_or(|deepest| *deepest < own) {
            return false;
        }
        let outer = levels.into_iter().filter(|level| *level < own).max().unwrap_or(0);
        self.lines[index] = " ".repeat(outer) + self.lines[index].trim_start();
        true
    }

    /// Quotes the value of a line (from 1); tells whether there was one.
    fn quote(&mut self, line: usize) -> bool {
        let Some(text) = line.checked_sub(1).and_then(|index| self.lines.get_mut(index)) else { return false };
        let Some(mended) = quoted(text) else { return false };
        *text = mended;
        true
    }
}

fn broken_line(found: &ParsedVariables) -> Option<usize> {
    let error = found.diagnostics.iter().find(|found| found.code == "E-INIT-YAML")?;
    let digits = error.message.en.strip_prefix("line ")?;
    digits[..digits.find(',')?].parse().ok()
}

fn tabs(line: &str) -> Option<String> {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = &line[..line.len() - rest.len()];
    let mended = indent.replace('\t', "  ") + &rest.replacen(":\t", ": ", 1);
    (mended != line).then_some(mended)
}

/// Replaces the full-width colon in `名：林舟`, unless another colon comes before.
fn colon(line: &str) -> Option<String> {
    let at = line.find('：')?;
    let key = &line[..at];
    let is_key = !key.contains([':', '"', '\'', '{', '[', '#']) && !key.trim().is_empty();
    is_key.then(|| format!("{key}: {}", line[at + '：'.len_utf8()..].trim_start()))
}

/// Returns `key: value` or `- value` with the value in single quotes.
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
