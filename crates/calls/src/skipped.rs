//! Finds the ranges of a text that are not parsed: reasoning blocks and comments.

use std::ops::Range;

use memchr::memchr3;

use crate::ParseSettings;

/// The delimiters of a range.
struct Mark {
    open: &'static str,
    close: &'static str,
    /// Whether an unclosed range is ignored.
    closed_only: bool,
    /// Offset of the last closing delimiter; searched once, when the first opening one is seen.
    last_close: Option<Option<usize>>,
}

/// Returns the ranges to skip, in order. Unclosed reasoning extends to the end, because the reply
/// was stopped inside it.
pub(crate) fn ranges(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
    let mut marks = marks(settings);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, close)) = next_open(text, at, &mut marks) {
        let end = find_ignoring_case(text, close, start + 1).map_or(text.len(), |found| found + close.len());
        found.push(start..end);
        at = end;
    }
    found
}

fn marks(settings: &ParseSettings) -> [Mark; 7] {
    let mark = |open, close, closed_only| Mark { open, close, closed_only, last_close: None };
    let unless = |off: bool, open| if off { "" } else { open };
    [
        // Comments as in code, and the blocks in which SAM stores whole states: their calls were
        // applied before.
        mark("/*", "*/", true),
        mark("$$$$$$data_block$$$$$$", "$$$$$$data_block_end$$$$$$", true),
        mark("<!--<|state|>", "</|state|>-->", true),
        mark("<SAMCheckpoint>", "</SAMCheckpoint>", true),
        mark(unless(!settings.skip_reasoning, "<thinking>"), "</thinking>", false),
        mark(unless(!settings.skip_reasoning, "<think>"), "</think>", false),
        mark(unless(!settings.skip_html_comments, "<!--"), "-->", false),
    ]
}

/// Returns the offset of the next opening delimiter, and its closing one.
fn next_open(text: &str, from: usize, marks: &mut [Mark]) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    // `/*` is searched by its star, because a slash precedes each reason.
    while let Some(found) = memchr3(b'<', b'*', b'$', &bytes[at..]) {
        let offset = at + found;
        at = offset + 1;
        let start = if bytes[offset] == b'*' { offset.max(from + 1) - 1 } else { offset };
        let here = &bytes[start..];
        // The next byte rules out most candidates.
        if !matches!(here, [b'/', b'*', ..] | [b'$', b'$', ..] | [b'<', b'!' | b'S' | b's' | b'T' | b't', ..]) {
            continue;
        }
        let close = marks.iter_mut().find_map(|mark| mark.opens(text, start, here).then_some(mark.close));
        if let Some(close) = close {
            return Some((start, close));
        }
    }
    None
}

impl Mark {
    fn opens(&mut self, text: &str, start: usize, here: &[u8]) -> bool {
        let written = !self.open.is_empty()
            && here.get(..self.open.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(self.open.as_bytes()));
        if !written || !self.closed_only {
            return written;
        }
        let close = self.close;
        self.last_close.get_or_insert_with(|| text.rfind(close)).is_some_and(|last| last > start)
    }
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
        ranges(text, &settings).into_iter().map(|range| &text[range]).collect()
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
