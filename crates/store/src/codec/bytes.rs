//! Numbers in as few bytes as they need, for the codec of whole states.

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
}

/// Reads what a [`Writer`] wrote; returns nothing where the bytes are damaged.
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

    /// Returns a count if so many things can follow, each of at least one byte.
    pub(crate) fn room_for(&self, count: usize) -> Option<usize> {
        (count <= self.rest.len()).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        let mut writer = Writer::default();
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            writer.number(number);
        }
        let mut reader = Reader::new(&writer.bytes);
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(reader.number(), Some(number));
        }
        assert!(reader.is_empty());
        assert_eq!(reader.byte(), None);
    }

    #[test]
    fn broken_bytes_are_nothing() {
        assert_eq!(Reader::new(&[0xff; 12]).number(), None);
        assert_eq!(Reader::new(&[1, 2]).room_for(3), None);
    }
}
