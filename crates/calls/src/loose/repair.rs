//! The repairs made while parsing a text that is not quite JSON.

use storeyline_state::written;

written! {
    /// The name is the stable code of the diagnostic.
    pub enum Repair {
        FullWidth = "W-FULL-WIDTH",
        CurlyQuotes = "W-CURLY-QUOTES",
        NoQuotes = "W-NO-QUOTES",
        MissingComma = "W-COMMA",
        ExtraComma = "W-EXTRA-COMMA",
        MissingColon = "W-COLON",
        MissingValue = "W-NO-VALUE",
        Brackets = "W-BRACKETS",
        InnerQuotes = "W-INNER-QUOTES",
        MissingQuote = "W-QUOTE",
        SkippedWords = "W-SKIPPED-WORDS",
        CutOff = "W-CUT",
        Thousands = "W-THOUSANDS",
    }
}

/// The kinds of repairs in one text, each with the offset of its first occurrence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repairs(Vec<(Repair, usize)>);

impl Repairs {
    pub(crate) fn note(&mut self, repair: Repair, at: usize) {
        if !self.contains(repair) {
            self.0.push((repair, at));
        }
    }

    pub fn contains(&self, repair: Repair) -> bool {
        self.0.iter().any(|(known, _)| *known == repair)
    }

    /// Iterates over the repairs in the order of occurrence, with their byte offsets.
    pub fn iter(&self) -> impl Iterator<Item = (Repair, usize)> + '_ {
        self.0.iter().copied()
    }

    /// Drops the repairs after the first `kinds`.
    pub(crate) fn truncate(&mut self, kinds: usize) {
        self.0.truncate(kinds);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
