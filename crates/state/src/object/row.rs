//! A small object: keys and values side by side. Objects of one kind share their keys.

use std::sync::Arc;

use super::{array_index, link_in, link_out, whole_sum};
use crate::digest::{self, Sum};
use crate::value::Value;

/// A wider object is a tree. Not more than a mask has bits.
pub(super) const MOST: usize = 32;

/// The entries of a small object.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    keys: Arc<Vec<Arc<str>>>,
    values: Vec<Value>,
    known: Option<Known>,
}

/// The sum over all links and all entries except the open ones.
#[derive(Debug, Clone, Copy)]
struct Known {
    sum: Sum,
    /// One bit for each entry whose term was taken out.
    open: u32,
}

impl Row {
    /// Takes entries as they stand; nothing if that is not the order of an object, or if a key comes twice.
    pub(super) fn in_order(keys: Vec<Arc<str>>, values: Vec<Value>) -> Option<Row> {
        // Integer-like keys come first and rise; whatever comes later is none.
        let mut number = Some(None);
        // Two keys that are equal have the same mark, and most others have different ones.
        let mut marks = 0u64;
        for (at, key) in keys.iter().enumerate() {
            number = match (number, array_index(key)) {
                (_, None) => None,
                (Some(before), Some(own)) if before.is_none_or(|before| before < own) => Some(Some(own)),
                _ => return None,
            };
            let mark = mark(key.as_bytes());
            if number.is_none() && marks & mark != 0 && keys[..at].contains(key) {
                return None;
            }
            marks |= mark;
        }
        Some(Row { keys: Arc::new(keys), values, known: None })
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|at| &self.values[at])
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Arc<str>, &Value)> {
        self.position(key).map(|at| (&self.keys[at], &self.values[at]))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.position(key)?;
        self.open(at);
        Some(&mut self.values[at])
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|own| **own == *key)
    }

    pub(super) fn place_of_number(&self, number: u32) -> usize {
        self.keys.partition_point(|key| array_index(key).is_some_and(|other| other < number))
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Arc<str>, value: Value) {
        if let Some(known) = &mut self.known {
            let before = at.checked_sub(1).map(|before| &*self.keys[before]);
            link_in(&mut known.sum, before, &key, self.keys.get(at).map(|after| &**after));
            let low = known.open & below(at);
            known.open = low | ((known.open & !low) << 1) | (1 << at);
        }
        Arc::make_mut(&mut self.keys).insert(at, key);
        self.values.insert(at, value);
    }

    pub(super) fn remove(&mut self, at: usize) -> Value {
        self.open(at);
        if let Some(known) = &mut self.known {
            let before = at.checked_sub(1).map(|before| &*self.keys[before]);
            link_out(&mut known.sum, before, &self.keys[at], self.keys.get(at + 1).map(|after| &**after));
            let low = known.open & below(at);
            let high = known.open & !below(at) & !(1 << at);
            known.open = low | (high >> 1);
        }
        Arc::make_mut(&mut self.keys).remove(at);
        self.values.remove(at)
    }

    pub(super) fn iter(&self) -> std::iter::Zip<std::slice::Iter<'_, Arc<str>>, std::slice::Iter<'_, Value>> {
        self.keys.iter().zip(&self.values)
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = (Arc<str>, Value)> {
        let keys = Arc::unwrap_or_clone(self.keys);
        keys.into_iter().zip(self.values)
    }

    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Returns the sum. Where it was known, only what changed is added.
    pub(super) fn sum(&self) -> Sum {
        let Some(Known { mut sum, open }) = self.known else {
            return whole_sum(self.iter().map(|(key, value)| (&**key, digest::entry(key, value))));
        };
        for at in (0..self.len()).filter(|at| open & (1 << at) != 0) {
            sum.add(digest::entry(&self.keys[at], &self.values[at]));
        }
        sum
    }

    pub(super) fn know(&mut self, sum: Sum) {
        self.known = Some(Known { sum, open: 0 });
    }

    /// Takes the term of an entry out of the sum, because it is about to change.
    fn open(&mut self, at: usize) {
        if let Some(known) = &mut self.known
            && known.open & (1 << at) == 0
        {
            known.sum.subtract(digest::entry(&self.keys[at], &self.values[at]));
            known.open |= 1 << at;
        }
    }
}

/// One bit of 64, from the end of a key: beginnings are more often alike.
fn mark(key: &[u8]) -> u64 {
    let mut end = [0; 8];
    let from = &key[key.len().saturating_sub(8)..];
    end[..from.len()].copy_from_slice(from);
    1 << (u64::from_le_bytes(end).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// The bits of the entries before a place.
fn below(at: usize) -> u32 {
    1u32.checked_shl(at as u32).map_or(u32::MAX, |bit| bit - 1)
}
