//! Stretches of a text that are not read: where a model thinks aloud, and comments.

use std::ops::Range;

use memchr::memchr3;

use crate::ParseSettings;

/// What opens a stretch and what closes it.
struct Mark {
    open: &'static str,
    close: &'static str,
    /// Whether it opens nothing unless it is closed.
    closed_only: bool,
    /// Where its last closing stands; looked for once, when the first opening is seen.
    last_close: Option<Option<usize>>,
}

/// Returns the stretches to leave out, in order. Reasoning that is not closed goes to the end: the
/// reply was stopped inside it.
pub(crate) fn stretches(text: &str, settings: &ParseSettings) -> Vec<Range<usize>> {
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
        // Comments of the code kind, and the blocks in which SAM keeps whole states: what stands there was done before.
        mark("/*", "*/", true),
        mark("$$$$$$data_block$$$$$$", "$$$$$$data_block_end$$$$$$", true),
        mark("<!--<|state|>", "</|state|>-->", true),
        mark("<SAMCheckpoint>", "</SAMCheckpoint>", true),
        mark(unless(!settings.skip_reasoning, "<thinking>"), "</thinking>", false),
        mark(unless(!settings.skip_reasoning, "<think>"), "</think>", false),
        mark(unless(!settings.skip_html_comments, "<!--"), "-->", false),
    ]
}

/// The next opening and the text that closes it.
fn next_open(text: &str, from: usize, marks: &mut [Mark]) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    // `/*` is looked for by its star: a slash stands before each reason.
    while let Some(found) = memchr3(b'<', b'*', b'$', &bytes[at..]) {
        let place = at + found;
        at = place + 1;
        let start = if bytes[place] == b'*' { place.max(from + 1) - 1 } else { place };
        let here = &bytes[start..];
        // The next byte tells that most of these open nothing.
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
