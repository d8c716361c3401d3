//! `{{user}}`, `{{char}}` and templates in initial variables.
//!
//! The host resolves names before anything is parsed, so a name with a colon breaks YAML, and the
//! braces of an unknown name do too. Here macros are replaced by placeholders while the text is
//! parsed.

use storeyline_history::NameMacros;
use storeyline_state::{Diagnostic, Value};

/// Replacements of `{{user}}` and `{{char}}`; a macro without a known name stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    pub user: Option<String>,
    pub character: Option<String>,
}

/// The replaced macros, in order of appearance.
pub(super) struct Hidden {
    written: Vec<String>,
    /// Length of the text in which they were.
    bytes: usize,
}

/// Maximum length of a macro in bytes. Unclosed ones would each search the rest of the text.
const LONGEST_MACRO: usize = 500;

// Private use characters that do not occur in such texts; if one does, nothing is replaced.
const OPEN: char = '\u{f0ff0}';
const CLOSE: char = '\u{f0ff1}';

/// Replaces every `{{…}}`, `<user>` and `<char>` by a placeholder that has no meaning in any
/// format.
pub(super) fn hide(source: &str) -> (String, Hidden) {
    let mut hidden = Hidden { written: Vec::new(), bytes: source.len() };
    if source.contains([OPEN, CLOSE]) {
        return (source.to_owned(), hidden);
    }
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find(['{', '<']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = macro_length(rest).unwrap_or(0);
        if length == 0 {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        }
        out.push_str(&format!("{OPEN}{}{CLOSE}", hidden.written.len()));
        hidden.written.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    (out + rest, hidden)
}

/// Returns the length of the macro at the start of a text. `{{a: 1}}` may be two braces of a value,
/// so only words count.
fn macro_length(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix("{{") {
        let near = &inner[..inner.floor_char_boundary(LONGEST_MACRO)];
        let inner = &near[..near.find("}}")?];
        let is_word = !inner.trim().is_empty() && !inner.contains(['{', '\n', '"', '\'', ',']);
        let is_macro = is_word && (!inner.contains(": ") || inner.contains("::"));
        return is_macro.then_some(inner.len() + 4);
    }
    ["<user>", "<char>"].into_iter().find(|name| starts_with(text, name)).map(str::len)
}

fn starts_with(text: &str, wanted: &str) -> bool {
    text.as_bytes().get(..wanted.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes()))
}

impl Hidden {
    /// Restores the macros, with known names resolved, in all texts and keys.
    pub(super) fn show(&self, value: &Value, names: &Names) -> Value {
        if self.written.is_empty() {
            return value.clone();
        }
        let [user, character] = [&names.user, &names.character].map(|name| name.as_deref().unwrap_or_default());
        let names = NameMacros::in_text_of(self.bytes, user, character);
        value.map_texts(&|text| self.shown(text, &names))
    }

    fn shown(&self, text: &str, names: &NameMacros<'_>) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find(OPEN) {
            out.push_str(&rest[..open]);
            rest = &rest[open + OPEN.len_utf8()..];
            let Some(close) = rest.find(CLOSE) else { break };
            let index = rest[..close].parse::<usize>().ok();
            if let Some(written) = index.and_then(|index| self.written.get(index)) {
                out.push_str(&names.resolve(written));
            }
            rest = &rest[close + CLOSE.len_utf8()..];
        }
        out + rest
    }
}

/// Removes `<% … %>`; line ends stay, so that positions are still correct.
pub(super) fn without_templates(source: &str, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(open) = rest.find("<%") {
        let end = rest[open..].find("%>").map_or(rest.len(), |close| open + close + 2);
        if diagnostics.is_empty() {
            diagnostics.push(Diagnostic::warning(
                "W-INIT-TEMPLATE",
                source.len() - rest.len() + open..source.len() - rest.len() + end,
                "`<% … %>` 模板不会运行，已略去。",
                "`<% … %>` templates are not run and were left out",
            ));
        }
        out.push_str(&rest[..open]);
        out.extend(rest[open..end].chars().filter(|character| *character == '\n'));
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::initvar::read;

    #[test]
    fn unclosed_macros_do_not_search_the_rest_of_the_text_each() {
        let start = Instant::now();
        read(&format!("a: \"{}\"", "{{x ".repeat(100_000)), &Names::default());
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_long_name_and_many_macros_stay_in_proportion() {
        let source = format!("a: \"{}\"", "{{char}}".repeat(40_000));
        let names = Names { user: None, character: Some("n".repeat(10_000)) };
        let made = read(&source, &names).value.unwrap().get("a").and_then(Value::as_text).unwrap().len();
        assert!(made < 20 * source.len(), "{made}");
    }
}
