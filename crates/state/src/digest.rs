//! The content hash of a value, updated incrementally when a part changes.
//!
//! The digest of a container is a sum (modulo 2^128) of one term per entry. An object adds one term
//! per pair of neighbouring keys, because their order is part of the value. Changing one entry
//! subtracts its old term and adds the new one. The hash is not collision resistant: somebody who
//! builds two states with the same hash on purpose affects only the memo of their own stories
//! (`docs/design/0002-hash.md`).

use twox_hash::XxHash3_128;

use crate::number::Number;
use crate::value::Value;

/// A sum of terms.
///
/// Packed, because every list and object holds one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(Rust, packed(8))]
pub struct Sum(pub(crate) u128);

impl Sum {
    pub(crate) fn add(&mut self, Sum(term): Sum) {
        self.0 = self.0.wrapping_add(term);
    }

    pub(crate) fn subtract(&mut self, Sum(term): Sum) {
        self.0 = self.0.wrapping_sub(term);
    }

    fn of(bytes: &[u8]) -> Sum {
        Sum(XxHash3_128::oneshot(bytes))
    }
}

/// Returns the term of an entry of an object.
pub(crate) fn entry(key: &str, value: &Value) -> Sum {
    let mut bytes = Bytes::new(b'e');
    bytes.text(key);
    bytes.value(value);
    bytes.sum()
}

/// Returns the term of an item of a list.
pub(crate) fn item(index: usize, value: &Value) -> Sum {
    let mut bytes = Bytes::new(b'i');
    bytes.put((index as u64).to_le_bytes());
    bytes.value(value);
    bytes.sum()
}

/// Returns the term of two neighbouring keys. `before` is `None` for the first key.
pub(crate) fn link(before: Option<&str>, key: &str) -> Sum {
    let mut bytes = Bytes::new(if before.is_some() { b'k' } else { b'f' });
    bytes.text(before.unwrap_or_default());
    bytes.push(key.as_bytes());
    bytes.sum()
}

/// Returns the hash of a whole value.
pub(crate) fn whole(value: &Value) -> [u8; 32] {
    let mut bytes = Bytes::new(b's');
    bytes.value(value);
    *blake3::hash(bytes.as_slice()).as_bytes()
}

/// Size of the stack buffer in bytes; few terms are longer.
const SMALL: usize = 128;

/// A byte buffer for the input of one hash. It uses the heap only for long input.
struct Bytes {
    small: [u8; SMALL],
    /// Number of bytes used in `small`; all of it once `large` holds something.
    length: usize,
    large: Vec<u8>,
}

impl Bytes {
    fn new(kind: u8) -> Bytes {
        let mut small = [0; SMALL];
        small[0] = kind;
        Bytes { small, length: 1, large: Vec::new() }
    }

    /// Appends an array; the constant length makes this cheaper than [`push`](Self::push).
    #[inline]
    fn put<const N: usize>(&mut self, more: [u8; N]) {
        match self.small[self.length..].first_chunk_mut::<N>() {
            Some(room) => {
                *room = more;
                self.length += N;
            }
            None => self.spill(&more),
        }
    }

    #[inline]
    fn push(&mut self, more: &[u8]) {
        match self.small.get_mut(self.length..self.length + more.len()) {
            Some(room) => {
                room.copy_from_slice(more);
                self.length += more.len();
            }
            None => self.spill(more),
        }
    }

    #[cold]
    fn spill(&mut self, more: &[u8]) {
        if self.large.is_empty() {
            self.large.extend_from_slice(&self.small[..self.length]);
            self.length = SMALL;
        }
        self.large.extend_from_slice(more);
    }

    /// Appends a text with its length, so that adjacent texts cannot be confused.
    #[inline]
    fn text(&mut self, text: &str) {
        self.put((text.len() as u32).to_le_bytes());
        self.push(text.as_bytes());
    }

    #[inline]
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.put(*b"n"),
            Value::Bool(value) => self.put([b'b', u8::from(*value)]),
            Value::Number(number) => self.number(*number),
            Value::Text(text) => {
                self.put(*b"t");
                self.text(text);
            }
            Value::List(items) => self.container(b'l', items.len(), items.sum()),
            Value::Object(object) => self.container(b'o', object.len(), object.sum()),
        }
    }

    fn number(&mut self, number: Number) {
        let (mantissa, exponent) = number.parts();
        self.put(*b"d");
        self.put(mantissa.to_le_bytes());
        self.put(exponent.to_le_bytes());
    }

    fn container(&mut self, kind: u8, length: usize, Sum(sum): Sum) {
        self.put([kind]);
        self.put((length as u64).to_le_bytes());
        self.put(sum.to_le_bytes());
    }

    fn as_slice(&self) -> &[u8] {
        if self.large.is_empty() { &self.small[..self.length] } else { &self.large }
    }

    fn sum(&self) -> Sum {
        Sum::of(self.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_come_and_go() {
        let (a, b) = (Sum(u128::MAX), Sum::of(b"x"));
        let mut sum = a;
        sum.add(b);
        sum.add(a);
        sum.subtract(b);
        sum.subtract(a);
        assert_eq!(sum, a);
    }

    #[test]
    fn long_values_are_hashed_whole() {
        let long = |last: &str| entry("k", &Value::text("长".repeat(100) + last));
        assert_ne!(long("a"), long("b"));
        assert_eq!(long("a"), long("a"));
    }
}
