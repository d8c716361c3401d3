//! A small object: an array of keys and an array of values. Objects of one shape share their keys.

use std::ops::Deref;
use std::sync::OnceLock;

use triomphe::Arc;

use super::{array_index, link_in, link_out, links};
use crate::digest::{self, Sum};
use crate::value::{Text, Value};

/// Maximum number of entries; a wider object is a tree. At most the number of bits in
/// `PartialSum::dirty`.
pub(super) const MAX_ENTRIES: usize = 32;

/// The keys of all objects of one shape, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct KeyList {
    keys: Vec<Text>,
    /// Cached sum of the links between the keys.
    links: OnceLock<Sum>,
}

impl KeyList {
    pub(super) fn new(keys: Vec<Text>) -> KeyList {
        KeyList { keys, links: OnceLock::new() }
    }

    pub(super) fn links(&self) -> Sum {
        *self.links.get_or_init(|| links(self.keys.iter().map(|key| &**key)))
    }

    /// Returns the keys for changing; copies them if shared.
    fn edit(shared: &mut Arc<KeyList>) -> &mut Vec<Text> {
        let own = Arc::make_mut(shared);
        own.links.take();
        &mut own.keys
    }
}

impl Deref for KeyList {
    type Target = [Text];

    fn deref(&self) -> &[Text] {
        &self.keys
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    keys: Arc<KeyList>,
    values: Vec<Value>,
    partial: Option<PartialSum>,
}

/// The digest of all links and of all entries except the dirty ones.
#[derive(Debug, Clone, Copy)]
struct PartialSum {
    sum: Sum,
    /// One bit for each entry whose term was subtracted.
    dirty: u32,
}

impl Row {
    pub(super) fn with_capacity(entries: usize) -> Row {
        let keys = KeyList::new(Vec::with_capacity(entries));
        Row { keys: Arc::new(keys), values: Vec::with_capacity(entries), partial: None }
    }

    /// Makes an object from a shape and all its values.
    pub(super) fn of_shape(keys: Arc<KeyList>, values: Vec<Value>) -> Row {
        Row { keys, values, partial: None }
    }

    pub(super) fn shape(&self) -> &Arc<KeyList> {
        &self.keys
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|at| &self.values[at])
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.position(key).map(|at| (&self.keys[at], &self.values[at]))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.position(key)?;
        self.mark_dirty(at);
        Some(&mut self.values[at])
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|own| keys_equal(own, key))
    }

    pub(super) fn position_of_number(&self, number: u32) -> usize {
        self.keys.partition_point(|key| array_index(key).is_some_and(|other| other < number))
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        if let Some(partial) = &mut self.partial {
            let before = at.checked_sub(1).map(|before| &*self.keys[before]);
            link_in(&mut partial.sum, before, &key, self.keys.get(at).map(|after| &**after));
            let low = partial.dirty & below(at);
            partial.dirty = low | ((partial.dirty & !low) << 1) | (1 << at);
        }
        KeyList::edit(&mut self.keys).insert(at, key);
        self.values.insert(at, value);
    }

    pub(super) fn remove(&mut self, at: usize) -> Value {
        self.mark_dirty(at);
        if let Some(partial) = &mut self.partial {
            let before = at.checked_sub(1).map(|before| &*self.keys[before]);
            link_out(&mut partial.sum, before, &self.keys[at], self.keys.get(at + 1).map(|after| &**after));
            let low = partial.dirty & below(at);
            let high = partial.dirty & !below(at) & !(1 << at);
            partial.dirty = low | (high >> 1);
        }
        KeyList::edit(&mut self.keys).remove(at);
        self.values.remove(at)
    }

    pub(super) fn iter(&self) -> std::iter::Zip<std::slice::Iter<'_, Text>, std::slice::Iter<'_, Value>> {
        self.keys.iter().zip(&self.values)
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = (Text, Value)> {
        let keys = Arc::unwrap_or_clone(self.keys).keys;
        keys.into_iter().zip(self.values)
    }

    /// Returns the digest. If a partial sum is cached, only the dirty entries are added.
    pub(super) fn sum(&self) -> Sum {
        let Some(PartialSum { mut sum, dirty }) = self.partial else {
            let mut sum = self.keys.links();
            self.iter().for_each(|(key, value)| sum.add(digest::entry(key, value)));
            return sum;
        };
        for at in (0..self.len()).filter(|at| dirty & (1 << at) != 0) {
            sum.add(digest::entry(&self.keys[at], &self.values[at]));
        }
        sum
    }

    pub(super) fn track_from(&mut self, sum: Sum) {
        self.partial = Some(PartialSum { sum, dirty: 0 });
    }

    /// Marks an entry as dirty: subtracts its term from the sum, because it is about to change.
    fn mark_dirty(&mut self, at: usize) {
        if let Some(partial) = &mut self.partial
            && partial.dirty & (1 << at) == 0
        {
            partial.sum.subtract(digest::entry(&self.keys[at], &self.values[at]));
            partial.dirty |= 1 << at;
        }
    }
}

/// Compares two keys. Keys of one object often have the same length and start, so the last byte is
/// compared first.
fn keys_equal(own: &str, key: &str) -> bool {
    own.len() == key.len() && own.as_bytes().last() == key.as_bytes().last() && own == key
}

/// Returns the bits of the entries before a position.
fn below(at: usize) -> u32 {
    1u32.checked_shl(at as u32).map_or(u32::MAX, |bit| bit - 1)
}
