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
    bytes.push(&(index as u64).to_le_bytes());
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
    *blake3::hash(&bytes.0).as_bytes()
}

/// The input of one hash.
struct Bytes(Vec<u8>);

impl Bytes {
    fn new(kind: u8) -> Bytes {
        // Few terms are longer.
        let mut bytes = Vec::with_capacity(128);
        bytes.push(kind);
        Bytes(bytes)
    }

    #[inline]
    fn push(&mut self, more: &[u8]) {
        self.0.extend_from_slice(more);
    }

    /// Appends a text with its length, so that adjacent texts cannot be confused.
    #[inline]
    fn text(&mut self, text: &str) {
        self.push(&(text.len() as u32).to_le_bytes());
        self.push(text.as_bytes());
    }

    #[inline]
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.push(b"n"),
            Value::Bool(value) => self.push(&[b'b', u8::from(*value)]),
            Value::Number(number) => self.number(*number),
            Value::Text(text) => {
                self.push(b"t");
                self.text(text);
            }
            Value::List(items) => self.container(b'l', items.len(), items.sum()),
            Value::Object(object) => self.container(b'o', object.len(), object.sum()),
        }
    }

    fn number(&mut self, number: Number) {
        let (mantissa, exponent) = number.parts();
        self.push(b"d");
        self.push(&mantissa.to_le_bytes());
        self.push(&exponent.to_le_bytes());
    }

    fn container(&mut self, kind: u8, length: usize, Sum(sum): Sum) {
        self.push(&[kind]);
        self.push(&(length as u64).to_le_bytes());
        self.push(&sum.to_le_bytes());
    }

    fn sum(&self) -> Sum {
        Sum::of(&self.0)
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
