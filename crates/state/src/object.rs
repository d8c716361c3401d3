//! An object's entries in JavaScript's order: integer-like keys ascending, then the others as
//! inserted. The order reaches prompts and hashes, so it is part of the value.
//!
//! A small object is a row of entries; a wide one is a tree whose branches are shared between
//! versions, so that changing one entry of many thousand copies only the way to it.

use std::sync::Arc;

use crate::digest::{self, Sum};
use crate::trie::Trie;
use crate::value::{Tracked, Value};

/// Up to here an object is a row.
const SMALL: usize = 32;

/// The distance between the ranks of neighbours, so that a removed key can go back to its place.
const SPACING: i64 = 1 << 20;

/// The entries of a JSON object.
#[derive(Debug, Clone, Default)]
pub struct Object {
    entries: Entries,
    known: Option<Known>,
    /// Entries of this epoch are not in the known sum.
    epoch: u32,
}

#[derive(Debug, Clone)]
enum Entries {
    Row(Vec<Slot>),
    Tree { tree: Trie, last: Last },
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Row(Vec::new())
    }
}

/// The entry that comes last in the order.
#[derive(Debug, Clone)]
struct Last {
    rank: i64,
    key: Arc<str>,
}

/// One entry.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) key: Arc<str>,
    value: Value,
    /// The place in the order; of a row the places themselves count.
    rank: i64,
    epoch: u32,
}

/// The sum over all links and all entries except the open ones.
#[derive(Debug, Clone)]
struct Known {
    sum: Sum,
    open: Vec<Arc<str>>,
}

impl Object {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Row(row) => row.len(),
            Entries::Tree { tree, .. } => tree.len(),
        }
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.slot(key).map(|slot| &slot.value)
    }

    /// Returns a key as it is kept, and its value.
    pub fn entry(&self, key: &str) -> Option<(&Arc<str>, &Value)> {
        self.slot(key).map(|slot| (&slot.key, &slot.value))
    }

    /// Returns the value under a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let slot = match &mut self.entries {
            Entries::Row(row) => row.iter_mut().find(|slot| *slot.key == *key),
            Entries::Tree { tree, .. } => tree.get_mut(key),
        }?;
        if let Some(known) = &mut self.known
            && slot.epoch != self.epoch
        {
            known.sum.subtract(digest::entry(&slot.key, &slot.value));
            known.open.push(slot.key.clone());
            slot.epoch = self.epoch;
        }
        Some(&mut slot.value)
    }

    /// Returns the position of a key.
    pub fn position(&self, key: &str) -> Option<usize> {
        match &self.entries {
            Entries::Row(row) => row.iter().position(|slot| *slot.key == *key),
            Entries::Tree { tree, last } => {
                let rank = tree.get(key)?.rank;
                if rank == last.rank {
                    return Some(tree.len() - 1);
                }
                let mut before = 0;
                tree.for_each(&mut |slot| before += usize::from(slot.rank < rank));
                Some(before)
            }
        }
    }

    /// Returns the place that JavaScript would give a new key.
    pub fn place_of_new(&self, key: &str) -> usize {
        let Some(number) = array_index(key) else { return self.len() };
        match &self.entries {
            Entries::Row(row) => row.partition_point(|slot| array_index(&slot.key).is_some_and(|other| other < number)),
            Entries::Tree { tree, .. } => {
                let mut before = 0;
                tree.for_each(&mut |slot| before += usize::from(slot.rank < rank_of(number)));
                before
            }
        }
    }

    /// Sets a key; a new one takes the place that JavaScript would give it.
    pub fn insert(&mut self, key: Arc<str>, value: Value) {
        if let Some(slot) = self.get_mut(&key) {
            *slot = value;
            return;
        }
        // In a tree that nobody hashed yet an integer-like key finds its place by itself.
        let at = match &self.entries {
            Entries::Tree { tree, .. } if self.known.is_none() => tree.len(),
            _ => self.place_of_new(&key),
        };
        self.insert_at(at, key, value);
    }

    /// Puts a new key at a place, for example back to where it was removed from.
    pub fn insert_at(&mut self, at: usize, key: Arc<str>, value: Value) {
        let at = at.min(self.len());
        if self.len() == SMALL {
            self.widen();
        }
        self.note_new(at, &key);
        let epoch = self.epoch;
        match &mut self.entries {
            Entries::Row(row) => row.insert(at, Slot { key, value, rank: 0, epoch }),
            Entries::Tree { tree, last } => {
                let rank = match array_index(&key) {
                    Some(number) => rank_of(number),
                    None if at == tree.len() => last.rank.max(0) + SPACING,
                    None => free_rank(tree, at, last),
                };
                if rank > last.rank {
                    *last = Last { rank, key: key.clone() };
                }
                tree.insert(Slot { key, value, rank, epoch });
            }
        }
    }

    /// Removes a key and returns its place and value; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<(usize, Value)> {
        let at = self.position(key)?;
        self.note_removal(at, key);
        let value = match &mut self.entries {
            Entries::Row(row) => row.remove(at).value,
            Entries::Tree { tree, last } => {
                let slot = tree.remove(key)?;
                if slot.rank == last.rank {
                    *last = Last { rank: i64::MIN, key: Arc::from("") };
                    tree.for_each(&mut |slot| {
                        if slot.rank > last.rank {
                            *last = Last { rank: slot.rank, key: slot.key.clone() };
                        }
                    });
                }
                slot.value
            }
        };
        Some((at, value))
    }

    /// Goes through the entries in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(match &self.entries {
            Entries::Row(row) => Slots::Row(row.iter()),
            Entries::Tree { tree, .. } => Slots::Tree(in_order(tree).into_iter()),
        })
    }

    fn slot(&self, key: &str) -> Option<&Slot> {
        match &self.entries {
            Entries::Row(row) => row.iter().find(|slot| *slot.key == *key),
            Entries::Tree { tree, .. } => tree.get(key),
        }
    }

    fn widen(&mut self) {
        let Entries::Row(row) = &mut self.entries else { return };
        let mut tree = Trie::new();
        let mut last = Last { rank: i64::MIN, key: Arc::from("") };
        for (place, slot) in std::mem::take(row).into_iter().enumerate() {
            let rank = array_index(&slot.key).map_or((place as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: slot.key.clone() };
            tree.insert(Slot { rank, ..slot });
        }
        self.entries = Entries::Tree { tree, last };
    }

    /// Returns the key at a place.
    fn key_at(&self, place: usize) -> Option<Arc<str>> {
        match &self.entries {
            Entries::Row(row) => row.get(place).map(|slot| slot.key.clone()),
            Entries::Tree { tree, .. } if place >= tree.len() => None,
            Entries::Tree { tree, last } if place + 1 == tree.len() => Some(last.key.clone()),
            Entries::Tree { tree, .. } => Some(in_order(tree)[place].key.clone()),
        }
    }

    /// A new key comes between two others.
    fn note_new(&mut self, at: usize, key: &Arc<str>) {
        if self.known.is_none() {
            return;
        }
        let (before, after) = (at.checked_sub(1).and_then(|at| self.key_at(at)), self.key_at(at));
        let Some(known) = &mut self.known else { return };
        if let Some(after) = &after {
            known.sum.subtract(digest::link(before.as_deref(), after));
            known.sum.add(digest::link(Some(key), after));
        }
        known.sum.add(digest::link(before.as_deref(), key));
        known.open.push(key.clone());
    }

    /// A key goes from between two others.
    fn note_removal(&mut self, at: usize, key: &str) {
        if self.known.is_none() {
            return;
        }
        let (before, after) = (at.checked_sub(1).and_then(|at| self.key_at(at)), self.key_at(at + 1));
        let epoch = self.epoch;
        let term = self.slot(key).filter(|slot| slot.epoch != epoch).map(|slot| digest::entry(key, &slot.value));
        let Some(known) = &mut self.known else { return };
        match term {
            Some(term) => known.sum.subtract(term),
            None => known.open.retain(|open| **open != *key),
        }
        known.sum.subtract(digest::link(before.as_deref(), key));
        if let Some(after) = &after {
            known.sum.subtract(digest::link(Some(key), after));
            known.sum.add(digest::link(before.as_deref(), after));
        }
    }
}

fn in_order(tree: &Trie) -> Vec<&Slot> {
    let mut slots = Vec::with_capacity(tree.len());
    tree.for_each(&mut |slot| slots.push(slot));
    slots.sort_unstable_by_key(|slot| slot.rank);
    slots
}

/// The rank of an integer-like key: below those of all others.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}

/// A rank between two neighbours; where none is free, all are spread anew.
fn free_rank(tree: &mut Trie, at: usize, last: &mut Last) -> i64 {
    let slots = in_order(tree);
    let before = at.checked_sub(1).map_or(0, |before| slots[before].rank.max(0));
    let after = slots[at].rank;
    if after > before + 1 {
        return before + (after - before) / 2;
    }
    let named: Vec<Arc<str>> = slots.iter().filter(|slot| slot.rank > 0).map(|slot| slot.key.clone()).collect();
    let numbered = slots.len() - named.len();
    for (place, key) in named.iter().enumerate() {
        let slot = tree.get_mut(key).expect("its key was listed");
        slot.rank = (place as i64 + 1) * SPACING;
        last.rank = slot.rank;
    }
    at.saturating_sub(numbered) as i64 * SPACING + SPACING / 2
}

impl Tracked for Object {
    fn compute_sum(&self) -> Sum {
        if let Some(known) = &self.known {
            let mut sum = known.sum;
            for key in &known.open {
                let slot = self.slot(key).expect("open entries are there");
                sum.add(digest::entry(key, &slot.value));
            }
            return sum;
        }
        let mut sum = Sum::default();
        let mut before: Option<&str> = None;
        for (key, value) in self.iter() {
            sum.add(digest::entry(key, value));
            sum.add(digest::link(before, key));
            before = Some(key);
        }
        sum
    }

    fn know(&mut self, sum: Sum) {
        self.epoch = match self.epoch.checked_add(1) {
            Some(epoch) => epoch,
            None => {
                self.forget_epochs();
                1
            }
        };
        self.known = Some(Known { sum, open: Vec::new() });
    }
}

impl Object {
    fn forget_epochs(&mut self) {
        match &mut self.entries {
            Entries::Row(row) => row.iter_mut().for_each(|slot| slot.epoch = 0),
            Entries::Tree { tree, .. } => tree.for_each_mut(&mut |slot| slot.epoch = 0),
        }
    }
}

/// The entries of an object, in order.
#[derive(Debug)]
pub struct Iter<'a>(Slots<'a>);

#[derive(Debug)]
enum Slots<'a> {
    Row(std::slice::Iter<'a, Slot>),
    Tree(std::vec::IntoIter<&'a Slot>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Arc<str>, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        let slot = match &mut self.0 {
            Slots::Row(slots) => slots.next(),
            Slots::Tree(slots) => slots.next(),
        }?;
        Some((&slot.key, &slot.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Slots::Row(slots) => slots.size_hint(),
            Slots::Tree(slots) => slots.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Order counts: it reaches prompts.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a == b)
    }
}

impl Eq for Object {}

impl FromIterator<(Arc<str>, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(iter: I) -> Self {
        let mut object = Object::default();
        for (key, value) in iter {
            object.insert(key, value);
        }
        object
    }
}

/// The number that a key is to JavaScript, if it is an array index.
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
            ["b", "10", "a", "2", "01", "4294967295"].map(|key| (Arc::from(key), Value::Null)).into_iter().collect();
        assert_eq!(keys(&object), ["2", "10", "b", "a", "01", "4294967295"]);
    }

    #[test]
    fn a_removed_key_can_go_back_to_its_place() {
        let mut object: Object = ["a", "b", "c"].map(|key| (Arc::from(key), Value::Null)).into_iter().collect();
        let (at, value) = object.remove("b").unwrap();
        object.insert_at(at, "b".into(), value);
        assert_eq!(keys(&object), ["a", "b", "c"]);
    }

    /// What a row of entries without any cleverness does.
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
        // A value that was never hashed before knows nothing, so it computes everything.
        let fresh = Value::object(wanted.into_iter().map(|(key, value)| (Arc::from(key), value)).collect());
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
        let mut object: Object = (0..60).map(|n| (Arc::from(format!("k{n}")), Value::Null)).collect();
        for n in 0..200 {
            object.insert_at(30, format!("new{n}").into(), Value::Null);
        }
        let keys = keys(&object);
        assert_eq!((keys[29], keys[30], keys[229], keys[230]), ("k29", "new199", "new0", "k30"));
    }

    #[test]
    fn many_integer_like_keys_are_quick() {
        let object: Object = (0..50_000u32).rev().map(|n| (Arc::from(n.to_string()), Value::Null)).collect();
        assert_eq!(object.iter().next().unwrap().0.as_ref(), "0");
        assert_eq!(object.len(), 50_000);
    }
}
