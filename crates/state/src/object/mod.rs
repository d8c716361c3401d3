//! An object's entries in JavaScript's order: integer-like keys ascending, then the others as
//! inserted. The order reaches prompts and hashes, so it is part of the value.
//!
//! A small object is a pair of arrays (a row). A wide object is a tree whose branches are shared
//! between versions, so that changing one entry copies only the path to it.

pub mod shape;

mod row;
mod tree;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::edit;

    fn keys(object: &Object) -> Vec<&str> {
        object.iter().map(|(key, _)| &**key).collect()
    }

    #[test]
    fn integer_like_keys_come_first_in_ascending_order() {
        let object: Object =
            ["b", "10", "a", "2", "01", "4294967295"].map(|key| (key.into(), Value::Null)).into_iter().collect();
        assert_eq!(keys(&object), ["2", "10", "b", "a", "01", "4294967295"]);
    }

    #[test]
    fn a_removed_key_can_go_back_to_its_place() {
        let mut object: Object = ["a", "b", "c"].map(|key| (key.into(), Value::Null)).into_iter().collect();
        let (at, value) = object.remove("b").unwrap();
        object.insert_at(at, "b".into(), value);
        assert_eq!(keys(&object), ["a", "b", "c"]);
    }

    /// Reference implementation: a plain vector of entries.
    #[derive(Clone, Default)]
    struct Naive(Vec<(String, i64)>);

    impl Naive {
        fn insert(&mut self, key: &str, value: i64) {
            if let Some(entry) = self.0.iter_mut().find(|(own, _)| own == key) {
                entry.1 = value;
                return;
            }
            let number = |key: &str| array_index(key);
            let at = match number(key) {
                Some(new) => self.0.iter().take_while(|(own, _)| number(own).is_some_and(|own| own < new)).count(),
                None => self.0.len(),
            };
            self.0.insert(at, (key.to_owned(), value));
        }
    }

    fn same(value: &Value, naive: &Naive) -> Result<(), TestCaseError> {
        let object = value.as_object().unwrap();
        let own: Vec<(String, Value)> = object.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
        let wanted: Vec<(String, Value)> = naive.0.iter().map(|(key, value)| (key.clone(), (*value).into())).collect();
        prop_assert_eq!(&own, &wanted);
        for (place, (key, value)) in wanted.iter().enumerate() {
            prop_assert_eq!(object.get(key), Some(value));
            prop_assert_eq!(object.position(key), Some(place));
        }
        // A new value has no cached digest, so its hash is computed from scratch.
        let fresh = Value::object(wanted.into_iter().map(|(key, value)| (key.into(), value)).collect());
        prop_assert_eq!(value.hash(), fresh.hash());
        Ok(())
    }

    #[derive(Debug, Clone)]
    enum Act {
        Insert(String, i64),
        Change(String, i64),
        Remove(String),
        PutBack,
        Hash,
        Fork,
        Return,
    }

    fn act() -> impl Strategy<Value = Act> {
        let key = || prop_oneof![(0..70u32).prop_map(|n| n.to_string()), (0..70u32).prop_map(|n| format!("k{n}"))];
        prop_oneof![
            5 => (key(), 0..9i64).prop_map(|(key, value)| Act::Insert(key, value)),
            3 => (key(), 0..9i64).prop_map(|(key, value)| Act::Change(key, value)),
            2 => key().prop_map(Act::Remove),
            1 => Just(Act::PutBack),
            1 => Just(Act::Hash),
            1 => Just(Act::Fork),
            1 => Just(Act::Return),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn rows_and_trees_do_what_a_naive_row_does(acts in prop::collection::vec(act(), 1..200)) {
            let mut value = Value::empty_object();
            let mut naive = Naive::default();
            let mut removed: Option<(usize, String, Value)> = None;
            let mut fork = (value.clone(), naive.clone());
            for act in acts {
                let Value::Object(shared) = &mut value else { unreachable!() };
                match act {
                    Act::Insert(key, number) => {
                        edit(shared).insert(key.as_str().into(), number.into());
                        naive.insert(&key, number);
                        removed = None;
                    }
                    Act::Change(key, number) => {
                        if let Some(slot) = edit(shared).get_mut(&key) {
                            *slot = number.into();
                            naive.insert(&key, number);
                        }
                        removed = None;
                    }
                    Act::Remove(key) => {
                        if let Some((at, old)) = edit(shared).remove(&key) {
                            prop_assert_eq!(&naive.0.remove(at).0, &key);
                            removed = Some((at, key, old));
                        }
                    }
                    Act::PutBack => {
                        if let Some((at, key, old)) = removed.take() {
                            edit(shared).insert_at(at, key.as_str().into(), old.clone());
                            naive.0.insert(at, (key, old.as_number().unwrap().as_i64().unwrap()));
                        }
                    }
                    Act::Hash => {
                        value.hash();
                    }
                    Act::Fork => fork = (value.clone(), naive.clone()),
                    Act::Return => {
                        (value, naive) = fork.clone();
                        removed = None;
                    }
                }
            }
            same(&value, &naive)?;
            same(&fork.0, &fork.1)?;
        }
    }

    #[test]
    fn a_key_goes_back_between_two_neighbours_again_and_again() {
        let mut object: Object = (0..60).map(|n| (format!("k{n}").into(), Value::Null)).collect();
        for n in 0..200 {
            object.insert_at(30, format!("new{n}").into(), Value::Null);
        }
        let keys = keys(&object);
        assert_eq!((keys[29], keys[30], keys[229], keys[230]), ("k29", "new199", "new0", "k30"));
    }

    #[test]
    fn the_hash_of_a_wide_object_follows_its_changes() {
        let mut value = Value::object((0..20_000u32).map(|n| (format!("k{n}").into(), Value::Null)).collect());
        value.hash();
        let Value::Object(shared) = &mut value else { unreachable!() };
        for n in 0..300u32 {
            edit(shared).remove(&format!("k{}", n * 7)).unwrap();
            edit(shared).insert(n.to_string().into(), Value::Null);
        }
        let same = Value::object(value.as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.clone())).collect());
        assert_eq!(value.hash(), same.hash());
    }

    #[test]
    fn changed_entries_of_a_tree_count_and_older_versions_keep_theirs() {
        let mut naive = Naive::default();
        (0..100).for_each(|n| naive.insert(&format!("k{n}"), n));
        let entries = naive.0.iter().map(|(key, value)| (key.as_str().into(), (*value).into()));
        let mut value = Value::object(entries.collect());
        value.hash();
        for round in 0..300i64 {
            // A clone of the state before must not see the change; in every third round there is no
            // clone.
            let before = (round % 3 > 0).then(|| (value.clone(), naive.clone()));
            let Value::Object(shared) = &mut value else { unreachable!() };
            // Some entries are changed again and again.
            let key = format!("k{}", 99 - round * 7 % 38 / (1 + round % 2));
            match round % 10 {
                3 => {
                    let (at, old) = edit(shared).remove(&key).unwrap();
                    naive.0.remove(at);
                    let at = round as usize % 50;
                    edit(shared).insert_at(at, key.as_str().into(), old.clone());
                    naive.0.insert(at, (key, old.as_number().unwrap().as_i64().unwrap()));
                }
                7 => {
                    // Always before the same key, until no rank is left.
                    let at = edit(shared).position("k60").unwrap();
                    edit(shared).insert_at(at, format!("new{round}").into(), round.into());
                    naive.0.insert(at, (format!("new{round}"), round));
                }
                _ => {
                    *edit(shared).get_mut(&key).unwrap() = (-round).into();
                    naive.insert(&key, -round);
                }
            }
            same(&value, &naive).unwrap();
            before.iter().for_each(|(before, naive)| same(before, naive).unwrap());
        }
    }

    #[test]
    fn integer_like_keys_ascend_whatever_their_number() {
        let object: Object = (0..50_000u32).rev().map(|n| (n.to_string().into(), Value::Null)).collect();
        assert!(keys(&object).into_iter().eq((0..50_000u32).map(|n| n.to_string())));
    }
}
