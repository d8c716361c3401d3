//! A small object: keys and values side by side. Objects of one kind share their keys.

use std::ops::Deref;
use triomphe::Arc;

use super::{array_index, link_in, link_out, links};
use crate::digest::{self, Sum};
use crate::remembered::Remembered;
use crate::value::{Text, Value};

/// A wider object is a tree. Not more than a mask has bits.
pub(super) const MOST: usize = 32;

/// The keys of all objects of one kind, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct KeyList {
    keys: Vec<Text>,
    /// The sum of the links between them, once it was asked for.
    links: Remembered,
}

impl KeyList {
    pub(super) fn new(keys: Vec<Text>) -> KeyList {
        KeyList { keys, links: Remembered::default() }
    }

    pub(super) fn links(&self) -> Sum {
        self.links.get_or(|| links(self.keys.iter().map(|key| &**key)))
    }

    /// Returns the keys to be changed: copied if shared.
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

/// The entries of a small object.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    keys: Arc<KeyList>,
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
    pub(super) fn with_capacity(entries: usize) -> Row {
        let keys = KeyList::new(Vec::with_capacity(entries));
        Row { keys: Arc::new(keys), values: Vec::with_capacity(entries), known: None }
    }

    /// Makes an object of a kind from all its values.
    pub(super) fn of_kind(keys: Arc<KeyList>, values: Vec<Value>) -> Row {
        Row { keys, values, known: None }
    }

    /// Makes an object that has only the first keys of a kind.
    pub(super) fn beginning_of(kind: &KeyList, values: Vec<Value>) -> Row {
        let keys = KeyList::new(kind[..values.len()].to_vec());
        Row { keys: Arc::new(keys), values, known: None }
    }

    pub(super) fn kind(&self) -> &Arc<KeyList> {
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
        self.open(at);
        Some(&mut self.values[at])
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|own| is(own, key))
    }

    pub(super) fn place_of_number(&self, number: u32) -> usize {
        self.keys.partition_point(|key| array_index(key).is_some_and(|other| other < number))
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        if let Some(known) = &mut self.known {
            let before = at.checked_sub(1).map(|before| &*self.keys[before]);
            link_in(&mut known.sum, before, &key, self.keys.get(at).map(|after| &**after));
            let low = known.open & below(at);
            known.open = low | ((known.open & !low) << 1) | (1 << at);
        }
        KeyList::edit(&mut self.keys).insert(at, key);
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

    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Returns the sum. Where it was known, only what changed is added.
    pub(super) fn sum(&self) -> Sum {
        let Some(Known { mut sum, open }) = self.known else {
            let mut sum = self.keys.links();
            self.iter().for_each(|(key, value)| sum.add(digest::entry(key, value)));
            return sum;
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

/// Tells whether two keys are the same. Those of one object are often of one length, and their first
/// characters alike: the last byte tells most of them apart.
fn is(own: &str, key: &str) -> bool {
    own.len() == key.len() && own.as_bytes().last() == key.as_bytes().last() && own == key
}

/// The bits of the entries before a place.
fn below(at: usize) -> u32 {
    1u32.checked_shl(at as u32).map_or(u32::MAX, |bit| bit - 1)
}
