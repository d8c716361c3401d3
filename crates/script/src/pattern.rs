//! Patterns: parses an author's regular expression, and converts its matches to UTF-8 spans.

use storeyline_functions::script::PatternMatch;

use crate::realm::Match;
use crate::refuse;
use crate::request::Refused;

/// Splits `/source/flags`; a bare source has no flags. `g` is added.
pub(crate) fn split_flags(pattern: &str) -> (&str, String) {
    let slashed = pattern.strip_prefix('/').and_then(|inner| inner.rsplit_once('/'));
    let (source, flags) = match slashed {
        Some((source, flags)) if !source.is_empty() && flags.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            (source, flags)
        }
        _ => (pattern, ""),
    };
    (source, if flags.contains('g') { flags.to_owned() } else { format!("{flags}g") })
}

/// Explains why a pattern does not compile, with a position if one can be found; other refusals are
/// unchanged.
pub(crate) fn explain(source: &str, refused: Refused) -> Refused {
    if refused.code != refuse::SYNTAX {
        return refused;
    }
    let message = refused.en.strip_prefix("The script has a syntax error: ").unwrap_or(&refused.en);
    let message = message.strip_suffix("; it was not run.").unwrap_or(message);
    let (at, hint) = suspect(source);
    refuse::pattern(message, at, hint)
}

/// Returns the first unbalanced bracket, counted in characters.
fn suspect(source: &str) -> (Option<usize>, (&'static str, &'static str)) {
    let mut open = Vec::new();
    let mut class = None;
    let mut characters = source.chars().enumerate();
    let mut last = None;
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if characters.next().is_none() => {
                return (Some(at), ("末尾的 \\ 没有转义任何字符。", "The last backslash escapes nothing."));
            }
            '\\' => {}
            '[' if class.is_none() => class = Some(at),
            ']' if class.is_some() => class = None,
            _ if class.is_some() => {}
            '(' => open.push(at),
            ')' if open.pop().is_none() => {
                return (
                    Some(at),
                    (
                        "这个 ) 没有对应的 (；要匹配括号本身请写 \\)。",
                        "This `)` closes nothing; write `\\)` for the character.",
                    ),
                );
            }
            '*' | '+' | '?' if at == 0 || (character != '?' && matches!(last, Some('(' | '|'))) => {
                let zh = "量词前面没有内容；要匹配符号本身请加 \\。";
                return (Some(at), (zh, "There is nothing to repeat; write a backslash before the character itself."));
            }
            _ => {}
        }
        last = Some(character);
    }
    match (class, open.last()) {
        (Some(at), _) => (Some(at), ("这个 [ 没有用 ] 关闭。", "This `[` is not closed.")),
        (None, Some(&at)) => (
            Some(at),
            ("这个 ( 没有关闭；要匹配括号本身请写 \\(。", "This `(` is not closed; write `\\(` for the character."),
        ),
        _ => (None, ("请检查写法和标志。", "Check the syntax and the flags.")),
    }
}

/// Converts UTF-16 offsets to byte spans, in one pass over the text.
///
/// A match that begins or ends inside a surrogate pair is widened to whole characters.
pub(crate) fn spans(text: &str, matches: Vec<Match>) -> Vec<PatternMatch> {
    let mut walk = Walk { text, bytes: 0, units: 0 };
    let mut found: Vec<PatternMatch> = Vec::with_capacity(matches.len());
    for Match { start, end, groups } in matches {
        if start < walk.units {
            walk = Walk { text, bytes: 0, units: 0 };
        }
        let from = walk.to(start, false);
        let to = walk.to(end, true);
        found.push(PatternMatch { span: from..to, groups });
    }
    found
}

struct Walk<'a> {
    text: &'a str,
    bytes: usize,
    units: usize,
}

impl Walk<'_> {
    /// Advances to a UTF-16 offset and returns its byte offset.
    fn to(&mut self, units: usize, up: bool) -> usize {
        while self.units < units {
            let Some(character) = self.text[self.bytes..].chars().next() else {
                break;
            };
            let after = self.units + character.len_utf16();
            if after > units && !up {
                break;
            }
            self.units = after;
            self.bytes += character.len_utf8();
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_flags_are_read() {
        assert_eq!(split_flags("/a\\/b/i"), ("a\\/b", "ig".to_owned()));
        assert_eq!(split_flags("/a/g"), ("a", "g".to_owned()));
        assert_eq!(split_flags("a+"), ("a+", "g".to_owned()));
        assert_eq!(split_flags("/usr/Bin"), ("/usr/Bin", "g".to_owned()));
        assert_eq!(split_flags("//"), ("//", "g".to_owned()));
    }

    #[test]
    fn astral_characters_count_two_units_and_four_bytes() {
        let at = |start, end| Match { start, end, groups: Vec::new() };
        let found = spans("a😀金b", vec![at(0, 1), at(1, 3), at(3, 4), at(4, 5)]);
        let spans: Vec<_> = found.into_iter().map(|found| found.span).collect();
        assert_eq!(spans, [0..1, 1..5, 5..8, 8..9]);
    }

    #[test]
    fn half_a_pair_is_widened() {
        let found = spans("😀", vec![Match { start: 1, end: 2, groups: Vec::new() }]);
        assert_eq!(found[0].span, 0..4);
        let both = [(0, 1), (1, 2)].map(|(start, end)| Match { start, end, groups: Vec::new() });
        assert_eq!(spans("😀", both.into()).len(), 2);
    }

    #[test]
    fn the_bracket_that_does_not_fit_is_named() {
        for (source, at) in
            [("a(b", Some(1)), ("a)b", Some(1)), ("[a", Some(0)), ("*a", Some(0)), ("a\\", Some(1)), ("a{2,1}", None)]
        {
            assert_eq!(suspect(source).0, at, "{source}");
        }
    }
}
