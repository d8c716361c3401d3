//! An object's entries in JavaScript's order: integer-like keys ascending, then the others as
//! inserted. The order reaches prompts and hashes, so it is part of the value.
//!
//! A small object is a pair of arrays (a row). A wide object is a tree whose branches are shared
//! between versions, so that changing one entry copies only the path to it.

pub mod shape;

mod row;
mod tree;

#[cfg(test)]
mod tests;

use crate::digest::{self, Sum};
use crate::value::{Text, Tracked, Value};

use row::Row;
use tree::Tree;

#[derive(Debug, Clone, Default)]
pub struct Object {
    entries: Entries,
    /// Set once the digest was known: a change updates it.
    partial: Option<PartialSum>,
}

/// The digest of all links and of all entries except the dirty ones.
#[derive(Debug, Clone)]
struct PartialSum {
    sum: Sum,
    /// Keys of the entries whose terms are not in the sum.
    dirty: Vec<Text>,
}

/// After more changes than this the digest is computed anew.
const MAX_DIRTY: usize = 64;

#[derive(Debug, Clone)]
enum Entries {
    Row(Row),
    // Boxed, because few objects are wide and the others should stay small.
    Tree(Box<Tree>),
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Row(Row::default())
    }
}

impl Entries {
    fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        match self {
            Entries::Row(row) => row.entry(key),
            Entries::Tree(tree) => tree.entry(key),
        }
    }

    /// Returns the keys before and after a gap, which skips `removed` entries.
    fn neighbours(&self, at: usize, removed: usize) -> [Option<Text>; 2] {
        [at.checked_sub(1), Some(at + removed)].map(|position| match self {
            Entries::Row(row) => row.shape().get(position?).cloned(),
            Entries::Tree(tree) => tree.key_at(position?),
        })
    }
}

impl From<Row> for Object {
    fn from(row: Row) -> Object {
        Object { entries: Entries::Row(row), partial: None }
    }
}

impl Object {
    pub fn with_capacity(entries: usize) -> Object {
        Row::with_capacity(entries.min(row::MAX_ENTRIES)).into()
    }

    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Row(row) => row.len(),
            Entries::Tree(tree) => tree.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        match &self.entries {
            Entries::Row(row) => row.get(key),
            Entries::Tree(tree) => tree.get(key),
        }
    }

    /// Returns the key as stored in the object, and its value.
    pub fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.entries.entry(key)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.mark_dirty(key);
        match &mut self.entries {
            Entries::Row(row) => row.get_mut(key),
            Entries::Tree(tree) => tree.get_mut(key),
        }
    }

    pub fn position(&self, key: &str) -> Option<usize> {
        match &self.entries {
            Entries::Row(row) => row.position(key),
            Entries::Tree(tree) => tree.position(key),
        }
    }

    /// Returns the position at which JavaScript would insert a new key.
    pub fn position_of_new(&self, key: &str) -> usize {
        let Some(number) = array_index(key) else { return self.len() };
        match &self.entries {
            Entries::Row(row) => row.position_of_number(number),
            Entries::Tree(tree) => tree.position_of_number(number),
        }
    }

    /// Sets a key. A new key is inserted where JavaScript would insert it.
    pub fn insert(&mut self, key: Text, value: Value) {
        if let Some(slot) = self.get_mut(&key) {
            *slot = value;
            return;
        }
        let at = match &self.entries {
            // Ranks give the order of a tree; positions are needed for its digest only.
            Entries::Tree(tree) if self.partial.is_none() => tree.len(),
            _ => self.position_of_new(&key),
        };
        self.insert_at(at, key, value);
    }

    /// Inserts a new key at a position, for example where it was removed before. A tree has
    /// integer-like keys in their order, whatever the position.
    pub fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        if let Entries::Row(row) = &mut self.entries
            && row.len() == row::MAX_ENTRIES
        {
            self.entries = Entries::Tree(Box::new(Tree::from_row(std::mem::take(row))));
        }
        let at = match (&self.entries, array_index(&key)) {
            (Entries::Tree(tree), Some(number)) if self.partial.is_some() => tree.position_of_number(number),
            _ => at.min(self.len()),
        };
        if let Some(partial) = &mut self.partial {
            let [before, after] = self.entries.neighbours(at, 0);
            link_in(&mut partial.sum, before.as_deref(), &key, after.as_deref());
            partial.dirty.push(key.clone());
        }
        match &mut self.entries {
            Entries::Row(row) => row.insert_at(at, key, value),
            Entries::Tree(tree) => tree.insert_at(at, key, value),
        }
        self.forget_many_changes();
    }

    /// Removes a key and returns its position and value; the others stay in order.
    pub fn remove(&mut self, key: &str) -> Option<(usize, Value)> {
        let at = self.position(key)?;
        self.mark_dirty(key);
        if let Some(partial) = &mut self.partial {
            let [before, after] = self.entries.neighbours(at, 1);
            link_out(&mut partial.sum, before.as_deref(), key, after.as_deref());
            partial.dirty.retain(|dirty| dirty != key);
        }
        let value = match &mut self.entries {
            Entries::Row(row) => row.remove(at),
            Entries::Tree(tree) => tree.remove(key),
        };
        Some((at, value))
    }

    /// Subtracts the term of an entry from the digest, because it is about to change.
    fn mark_dirty(&mut self, key: &str) {
        if let Some(partial) = &mut self.partial
            && !partial.dirty.iter().any(|dirty| dirty == key)
            && let Some((key, value)) = self.entries.entry(key)
        {
            partial.sum.subtract(digest::entry(key, value));
            partial.dirty.push(key.clone());
        }
        self.forget_many_changes();
    }

    fn forget_many_changes(&mut self) {
        self.partial.take_if(|partial| partial.dirty.len() > MAX_DIRTY);
    }

    /// Tells whether the keys that both objects have are in another order in the other one.
    pub fn is_reordered(&self, other: &Object) -> bool {
        let before = self.iter().filter(|(key, _)| other.get(key).is_some()).map(|(key, _)| key);
        before.ne(other.iter().filter(|(key, _)| self.get(key).is_some()).map(|(key, _)| key))
    }

    /// Iterates over the entries in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(match &self.entries {
            Entries::Row(row) => Either::Row(row.iter()),
            Entries::Tree(tree) => Either::Tree(tree.in_order().into_iter()),
        })
    }
}

impl Tracked for Object {
    fn compute_sum(&self) -> Sum {
        if let Some(PartialSum { sum, dirty }) = &self.partial {
            let mut sum = *sum;
            let changed = dirty.iter().filter_map(|key| self.entry(key));
            changed.for_each(|(key, value)| sum.add(digest::entry(key, value)));
            return sum;
        }
        let mut sum = match &self.entries {
            Entries::Row(row) => row.shape().links(),
            Entries::Tree(_) => links(self.iter().map(|(key, _)| key.as_str())),
        };
        self.iter().for_each(|(key, value)| sum.add(digest::entry(key, value)));
        sum
    }

    fn track_from(&mut self, sum: Sum) {
        self.partial = Some(PartialSum { sum, dirty: Vec::new() });
    }
}

/// Returns the sum of the links between neighbouring keys.
fn links<'a>(keys: impl Iterator<Item = &'a str>) -> Sum {
    let mut sum = Sum::default();
    let mut before: Option<&str> = None;
    for key in keys {
        sum.add(digest::link(before, key));
        before = Some(key);
    }
    sum
}

/// Updates the links for a key that is inserted between two others.
fn link_in(sum: &mut Sum, before: Option<&str>, key: &str, after: Option<&str>) {
    if let Some(after) = after {
        sum.subtract(digest::link(before, after));
        sum.add(digest::link(Some(key), after));
    }
    sum.add(digest::link(before, key));
}

/// Updates the links for a key that is removed from between two others.
fn link_out(sum: &mut Sum, before: Option<&str>, key: &str, after: Option<&str>) {
    sum.subtract(digest::link(before, key));
    if let Some(after) = after {
        sum.subtract(digest::link(Some(key), after));
        sum.add(digest::link(before, after));
    }
}

/// Iterator over the entries of an object, in order.
#[derive(Debug)]
pub struct Iter<'a>(Either<'a>);

#[derive(Debug)]
enum Either<'a> {
    Row(std::iter::Zip<std::slice::Iter<'a, Text>, std::slice::Iter<'a, Value>>),
    Tree(std::vec::IntoIter<(&'a Text, &'a Value)>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Text, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Either::Row(entries) => entries.next(),
            Either::Tree(entries) => entries.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Either::Row(entries) => entries.size_hint(),
            Either::Tree(entries) => entries.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Equality includes the order, because it reaches prompts.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a == b)
    }
}

impl Eq for Object {}

impl FromIterator<(Text, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(iter: I) -> Self {
        let mut object = Object::default();
        for (key, value) in iter {
            object.insert(key, value);
        }
        object
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Object {
    fn from(entries: [(&str, Value); N]) -> Self {
        entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
    }
}

/// Returns the number of a key that JavaScript treats as an array index.
pub fn array_index(key: &str) -> Option<u32> {
    let first = *key.as_bytes().first()?;
    if !first.is_ascii_digit() || (first == b'0' && key.len() > 1) || !key.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    key.parse::<u32>().ok().filter(|number| *number != u32::MAX)
}
