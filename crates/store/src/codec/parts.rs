//! Splits compressed bytes into parts, so that the pages of the database file are filled.
//!
//! Whole, a text would leave a third of its page empty. Long contents stay whole: SQLite gives them
//! pages of their own.

use crate::error::StoreError;

/// The longest part; shorter ones fill pages better, but each has a row of its own.
const PART: usize = 448;

/// Texts of more parts stay whole.
pub(crate) const TEXT_PARTS: usize = 16;

/// Keyframes of more parts stay whole: each part costs time when a state is loaded.
pub(crate) const KEYFRAME_PARTS: usize = 4;

/// Splits into parts of about the same length; into one if there would be more than `most`.
pub(crate) fn split(bytes: &[u8], most: usize) -> Vec<&[u8]> {
    let count = if bytes.len() > most * PART { 1 } else { bytes.len().div_ceil(PART).max(1) };
    if bytes.is_empty() { vec![bytes] } else { bytes.chunks(bytes.len().div_ceil(count)).collect() }
}

/// Joins parts that come in order; knows whether one is missing.
#[derive(Default)]
pub(crate) struct Joined {
    found: i64,
    parts: i64,
    bytes: Vec<u8>,
}

impl Joined {
    pub(crate) fn add(&mut self, part: i64, parts: i64, bytes: &[u8]) -> Result<(), StoreError> {
        if part != self.found || (self.found > 0 && parts != self.parts) {
            return Err(StoreError::damaged("part", part));
        }
        (self.found, self.parts) = (part + 1, parts);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the whole; nothing if a part is missing.
    pub(crate) fn whole(self) -> Option<Vec<u8>> {
        (self.found > 0 && self.found == self.parts).then_some(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_of_about_the_same_length_and_come_back() {
        for length in [0, 1, 448, 449, 1_727, 7_168, 7_169] {
            let bytes = vec![7; length];
            let parts = split(&bytes, TEXT_PARTS);
            let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
            assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= parts.len());
            let mut joined = Joined::default();
            for (number, part) in parts.iter().enumerate() {
                joined.add(number as i64, parts.len() as i64, part).unwrap();
            }
            assert_eq!(joined.whole(), Some(bytes));
        }
    }

    #[test]
    fn a_missing_part_is_noticed() {
        let mut last = Joined::default();
        last.add(0, 2, b"a").unwrap();
        assert_eq!(last.whole(), None);
        assert!(Joined::default().add(1, 2, b"b").is_err());
        assert_eq!(Joined::default().whole(), None);
    }
}
