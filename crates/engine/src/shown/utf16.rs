//! Converts byte offsets of a text to UTF-16 code units, as JavaScript counts.
//!
//! A page can have thousands of calls in a text of megabytes, so the text is counted once, not once per call.

use std::cell::OnceCell;
use std::ops::Range;

/// Bytes between two offsets whose units are stored.
const STEP: usize = 1024;

/// A text with the units before some of its offsets.
pub(super) struct Utf16<'a> {
    text: &'a str,
    /// Units before every `STEP`-th byte, each rounded down to a character; counted at the first use.
    counted: OnceCell<Vec<usize>>,
}

impl<'a> Utf16<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Utf16 { text, counted: OnceCell::new() }
    }

    /// Converts a span; an offset inside a character counts as the end of the text.
    pub(super) fn span(&self, span: &Range<usize>) -> [usize; 2] {
        [self.units(span.start), self.units(span.end)]
    }

    fn units(&self, offset: usize) -> usize {
        let offset = if self.text.is_char_boundary(offset) { offset } else { self.text.len() };
        let counted = self.counted.get_or_init(|| count(self.text));
        counted[offset / STEP] + self.uncounted(offset).encode_utf16().count()
    }

    /// Returns the text between the last offset whose units are stored and this one.
    fn uncounted(&self, offset: usize) -> &'a str {
        &self.text[self.text.floor_char_boundary(offset / STEP * STEP)..offset]
    }
}

fn count(text: &str) -> Vec<usize> {
    let mut units = 0;
    let (mut counted, mut start) = (vec![0], 0);
    for step in 1..=text.len() / STEP {
        let end = text.floor_char_boundary(step * STEP);
        units += text[start..end].encode_utf16().count();
        counted.push(units);
        start = end;
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_as_javascript_counts() {
        let text = "金😀@.X()";
        let start = text.find('@').unwrap();
        assert_eq!(Utf16::of(text).span(&(start..text.len())), [3, 8]);
        assert_eq!(Utf16::of(text).span(&(1..2)), [8, 8], "a broken span does not panic");
        assert_eq!(Utf16::of("").span(&(0..9)), [0, 0]);
    }

    #[test]
    fn every_offset_of_a_long_text_is_right() {
        let text = "a金😀é".repeat(1_000);
        let units = Utf16::of(&text);
        for (offset, _) in text.char_indices() {
            assert_eq!(units.units(offset), text[..offset].encode_utf16().count(), "{offset}");
        }
    }

    #[test]
    fn a_span_of_a_long_text_reads_little_of_it() {
        let text = "金".repeat(400_000);
        let units = Utf16::of(&text);
        assert_eq!(units.span(&(0..text.len())), [0, 400_000]);
        let once = units.counted.get().unwrap().as_ptr();
        for offset in (0..=text.len()).step_by(300) {
            assert_eq!(units.units(offset), offset / 3);
            assert!(units.uncounted(offset).len() < STEP + 4, "{offset}");
        }
        assert_eq!(units.counted.get().unwrap().as_ptr(), once, "the text is counted once");
    }
}
