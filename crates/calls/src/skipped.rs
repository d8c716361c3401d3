//! Stretches of a text that are not read: where a model thinks aloud, and comments.

use std::ops::Range;

use crate::ParseSettings;

/// Returns the stretches to leave out, in order. A block that is not closed goes to the end: the
/// reply was stopped inside it.
pub(crate) fn stretches(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
    // A block comment that is never closed is no comment.
    let last_comment_end = text.rfind("*/").unwrap_or(0);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, close)) = next_open(text, at, settings, last_comment_end) {
        let end = find_ignoring_case(text, close, start + 1).map_or(text.len(), |found| found + close.len());
        found.push(start..end);
        at = end;
    }
    found
}

/// The next opening and the text that closes it.
fn next_open(
    text: &str,
    from: usize,
    settings: &ParseSettings,
    last_comment_end: usize,
) -> Option<(usize, &'static str)> {
    let marks = [
        ("<thinking>", "</thinking>", settings.skip_reasoning),
        ("<think>", "</think>", settings.skip_reasoning),
        ("<!--", "-->", settings.skip_html_comments),
        ("/*", "*/", true),
    ];
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'<' | b'/')) {
        let start = at + found;
        let open = marks.iter().find(|(open, _, skip)| {
            *skip && bytes[start..].get(..open.len()).is_some_and(|here| here.eq_ignore_ascii_case(open.as_bytes()))
        });
        if let Some((_, close, _)) = open.filter(|(open, ..)| *open != "/*" || start < last_comment_end) {
            return Some((start, close));
        }
        at = start + 1;
    }
    None
}

fn find_ignoring_case(text: &str, wanted: &str, from: usize) -> Option<usize> {
    let first = wanted.chars().next()?;
    let mut at = from;
    while let Some(found) = text[at..].find(first) {
        let start = at + found;
        let here = text.as_bytes().get(start..start + wanted.len());
        if here.is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes())) {
            return Some(start);
        }
        at = start + first.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<&str> {
        let settings = ParseSettings { skip_html_comments: true, ..ParseSettings::default() };
        stretches(text, &settings).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn closed_and_open_blocks_are_found() {
        assert_eq!(blocks("a<think>b</think>c<THINKING>d</thinking>"), ["<think>b</think>", "<THINKING>d</thinking>"]);
        assert_eq!(blocks("a<think>b"), ["<think>b"]);
        assert_eq!(blocks("<!-- x --> /* y */ z"), ["<!-- x -->", "/* y */"]);
        assert!(blocks("a<thinker>b</think> < think> /* ").is_empty());
    }
}
