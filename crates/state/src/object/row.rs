//! A small object: an array of keys and an array of values. Objects of one shape share their keys.

use std::ops::Deref;
use std::sync::OnceLock;

use triomphe::Arc;

use super::{array_index, links};
use crate::digest::Sum;
use crate::value::{Text, Value};

/// Maximum number of entries; a wider object is a tree.
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
}

impl Row {
    pub(super) fn with_capacity(entries: usize) -> Row {
        let keys = KeyList::new(Vec::with_capacity(entries));
        Row { keys: Arc::new(keys), values: Vec::with_capacity(entries) }
    }

    /// Makes an object from a shape and all its values.
    pub(super) fn of_shape(keys: Arc<KeyList>, values: Vec<Value>) -> Row {
        Row { keys, values }
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
        Some(&mut self.values[at])
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|own| keys_equal(own, key))
    }

    pub(super) fn position_of_number(&self, number: u32) -> usize {
        self.keys.partition_point(|key| array_index(key).is_some_and(|other| other < number))
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        KeyList::edit(&mut self.keys).insert(at, key);
        self.values.insert(at, value);
    }

    pub(super) fn remove(&mut self, at: usize) -> Value {
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
}

/// Compares two keys. Keys of one object often have the same length and start, so the last byte is
/// compared first.
fn keys_equal(own: &str, key: &str) -> bool {
    own.len() == key.len() && own.as_bytes().last() == key.as_bytes().last() && own == key
}
