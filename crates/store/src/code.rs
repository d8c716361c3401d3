//! How small things are written into a row: numbers in as few bytes as they need, text with its length.

use storeyline_state::{Value, json};

/// Writes.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.raw(text.as_bytes());
    }

    pub(crate) fn value(&mut self, value: &Value) {
        self.text(&json::write(value));
    }
}

/// Reads what a [`Writer`] wrote; nothing where the bytes are not that.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        // Most are short.
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut number = u64::from(first & 0x7f);
        let mut shift = 7;
        while shift < 64 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
        None
    }

    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn raw(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(first)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.count()?;
        std::str::from_utf8(self.raw(length)?).ok()
    }

    pub(crate) fn skip_text(&mut self) -> Option<()> {
        let length = self.count()?;
        self.raw(length).map(drop)
    }

    pub(crate) fn value(&mut self) -> Option<Value> {
        json::read_stored(self.text()?).ok()
    }

    /// Returns a count that the bytes can hold: each thing takes one at least.
    pub(crate) fn room_for(&self, count: usize) -> Option<usize> {
        (count <= self.rest.len()).then_some(count)
    }

    /// Reads a list whose length comes first; a length that the bytes cannot hold is refused.
    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        self.room_for(count)?;
        (0..count).map(|_| read(self)).collect()
    }
}

/// A hash as it is searched for: its first 8 bytes as a number, and the rest.
pub(crate) fn split(hash: &[u8]) -> (i64, &[u8]) {
    let (first, rest) = hash.split_at(8);
    let mut number = [0; 8];
    number.copy_from_slice(first);
    (i64::from_be_bytes(number), rest)
}

/// Puts a split hash together again.
pub(crate) fn join<const N: usize>(first: i64, rest: &[u8]) -> Option<[u8; N]> {
    let mut hash = [0; N];
    (rest.len() + 8 == N).then_some(())?;
    hash[..8].copy_from_slice(&first.to_be_bytes());
    hash[8..].copy_from_slice(rest);
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_survive() {
        let mut writer = Writer::default();
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            writer.number(number);
        }
        writer.text("雨夜");
        let mut reader = Reader::new(&writer.bytes);
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(reader.number(), Some(number));
        }
        assert_eq!(reader.text(), Some("雨夜"));
        assert!(reader.is_empty());
        assert_eq!(reader.byte(), None);
    }

    #[test]
    fn broken_bytes_are_nothing() {
        assert_eq!(Reader::new(&[0xff; 12]).number(), None);
        assert_eq!(Reader::new(&[200, 1, b'a']).text(), None);
        assert_eq!(Reader::new(&[255, 255, 3]).list(Reader::byte), None);
    }

    #[test]
    fn a_hash_is_split_and_joined() {
        let hash = [0xfe; 32];
        let (first, rest) = split(&hash);
        assert_eq!(join(first, rest), Some(hash));
        assert_eq!(join::<32>(first, &rest[1..]), None);
    }
}
