//! The repairs made while parsing a text that is not quite JSON.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    FullWidth,
    CurlyQuotes,
    NoQuotes,
    MissingComma,
    ExtraComma,
    MissingColon,
    MissingValue,
    Brackets,
    InnerQuotes,
    MissingQuote,
    SkippedWords,
    CutOff,
    Thousands,
}

impl Repair {
    /// Returns the stable code of the diagnostic.
    pub fn code(self) -> &'static str {
        match self {
            Repair::FullWidth => "W-FULL-WIDTH",
            Repair::CurlyQuotes => "W-CURLY-QUOTES",
            Repair::NoQuotes => "W-NO-QUOTES",
            Repair::MissingComma => "W-COMMA",
            Repair::ExtraComma => "W-EXTRA-COMMA",
            Repair::MissingColon => "W-COLON",
            Repair::MissingValue => "W-NO-VALUE",
            Repair::Brackets => "W-BRACKETS",
            Repair::InnerQuotes => "W-INNER-QUOTES",
            Repair::MissingQuote => "W-QUOTE",
            Repair::SkippedWords => "W-SKIPPED-WORDS",
            Repair::CutOff => "W-CUT",
            Repair::Thousands => "W-THOUSANDS",
        }
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
