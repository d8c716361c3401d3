//! Stretches of a text that are not read: where a model thinks aloud, and comments.

use std::ops::Range;

use crate::ParseSettings;

/// What opens a stretch and what closes it.
struct Mark {
    open: &'static str,
    close: &'static str,
    /// Where the last closing stands, for a mark that is none unless it is closed.
    last_close: Option<usize>,
}

/// Returns the stretches to leave out, in order. Reasoning that is not closed goes to the end: the
/// reply was stopped inside it.
pub(crate) fn stretches(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
    let marks = marks(text, settings);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, close)) = next_open(text, at, &marks) {
        let end = find_ignoring_case(text, close, start + 1).map_or(text.len(), |found| found + close.len());
        found.push(start..end);
        at = end;
    }
    found
}

fn marks(text: &str, settings: &ParseSettings) -> Vec<Mark> {
    let open_ended = |open, close| Mark { open, close, last_close: Some(text.len()) };
    let closed = |open, close| Mark { open, close, last_close: text.rfind(close) };
    // Comments of the code kind, and the blocks in which SAM keeps whole states: what stands there was done before.
    let mut marks = vec![
        closed("/*", "*/"),
        closed("$$$$$$data_block$$$$$$", "$$$$$$data_block_end$$$$$$"),
        closed("<!--<|state|>", "</|state|>-->"),
        closed("<SAMCheckpoint>", "</SAMCheckpoint>"),
    ];
    if settings.skip_reasoning {
        marks.extend([open_ended("<thinking>", "</thinking>"), open_ended("<think>", "</think>")]);
    }
    if settings.skip_html_comments {
        marks.push(open_ended("<!--", "-->"));
    }
    marks
}

/// The next opening and the text that closes it.
fn next_open(text: &str, from: usize, marks: &[Mark]) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'<' | b'/' | b'$')) {
        let start = at + found;
        let here = &bytes[start..];
        let is_open = |mark: &&Mark| {
            mark.last_close.is_some_and(|last| last > start)
                && here.get(..mark.open.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(mark.open.as_bytes()))
        };
        if let Some(mark) = marks.iter().find(is_open) {
            return Some((start, mark.close));
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
        assert_eq!(
            blocks("$$$$$$data_block$$$$$$\n{}\n$$$$$$data_block_end$$$$$$ x <!--<|state|>{}</|state|>-->"),
            ["$$$$$$data_block$$$$$$\n{}\n$$$$$$data_block_end$$$$$$", "<!--<|state|>{}</|state|>-->"]
        );
        assert!(blocks("$$$$$$data_block$$$$$$ <SAMCheckpoint> $9").is_empty());
        assert!(blocks("a<thinker>b</think> < think> /* ").is_empty());
    }
}
