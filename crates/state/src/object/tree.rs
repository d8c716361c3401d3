//! A wide object: a tree of entries, each with its rank in the order.
//!
//! Page after page mostly the same few entries change. They lie beside the tree, which stays shared
//! as it is; when they are many, they go into it together.

use super::key_hash::key_hash;
use super::row::Row;
use super::trie::Trie;
use super::{array_index, link_in, link_out, links};
use crate::digest::{self, Sum};
use crate::remembered::Remembered;
use crate::value::{Text, Value};

/// The distance between the ranks of neighbours, so that a removed key can go back to its place.
const SPACING: i64 = 1 << 20;

/// So many changed entries lie beside the tree.
const MOST_CHANGED: usize = 32;

/// The entries of a wide object.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    trie: Trie,
    /// Entries of the tree that have another value now.
    changed: Vec<Changed>,
    last: Last,
    /// The sum of the links between the keys, once it was asked for.
    links: Remembered,
}

/// The entry that comes last in the order.
#[derive(Debug, Clone)]
struct Last {
    rank: i64,
    key: Text,
}

/// One entry.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) key: Text,
    pub(super) value: Value,
    /// The place in the order.
    rank: i64,
    /// Its term in the sum, once it was asked for.
    term: Remembered,
}

impl Slot {
    fn new(key: Text, value: Value, rank: i64) -> Slot {
        Slot { key, value, rank, term: Remembered::default() }
    }

    pub(super) fn term(&self) -> Sum {
        self.term.get_or(|| digest::entry(&self.key, &self.value))
    }
}

/// Entries are shared; one is copied to be changed, and then its term is of no use.
impl Clone for Slot {
    fn clone(&self) -> Slot {
        Slot::new(self.key.clone(), self.value.clone(), self.rank)
    }
}

/// An entry that counts instead of the one with the same key and rank in the tree.
#[derive(Debug, Clone)]
struct Changed {
    slot: Slot,
    hash: u64,
    /// The term of the one in the tree.
    was: Sum,
}

/// The keys before and after a place, where there are any.
type Neighbours = (Option<Text>, Option<Text>);

impl Tree {
    pub(super) fn from_row(row: Row) -> Tree {
        let mut trie = Trie::default();
        let mut last = Last { rank: i64::MIN, key: Text::default() };
        let links = if row.is_known() { Remembered::from(row.kind().links()) } else { Remembered::default() };
        for (place, (key, value)) in row.into_entries().enumerate() {
            let rank = array_index(&key).map_or((place as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: key.clone() };
            trie.insert(Slot::new(key, value, rank));
        }
        Tree { trie, changed: Vec::new(), last, links }
    }

    pub(super) fn len(&self) -> usize {
        self.trie.len()
    }

    pub(super) fn is_known(&self) -> bool {
        self.links.get().is_some()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.slot(key).map(|slot| &slot.value)
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.slot(key).map(|slot| (&slot.key, &slot.value))
    }

    fn slot(&self, key: &str) -> Option<&Slot> {
        let hash = key_hash(key);
        match self.place_of_changed(key, hash) {
            Some(at) => Some(&self.changed[at].slot),
            None => self.trie.find(key, hash),
        }
    }

    fn place_of_changed(&self, key: &str, hash: u64) -> Option<usize> {
        self.changed.iter().position(|one| one.hash == hash && *one.slot.key == *key)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let hash = key_hash(key);
        let slot = match self.place_of_changed(key, hash) {
            Some(at) => &mut self.changed[at].slot,
            // Nobody but the one who makes it holds a tree that was never hashed.
            None if !self.is_known() => self.trie.get_mut(key, hash)?,
            None => {
                let slot = self.trie.find(key, hash)?;
                let changed = Changed { slot: slot.clone(), hash, was: slot.term() };
                if self.changed.len() == MOST_CHANGED {
                    self.settle();
                }
                &mut self.changed.push_mut(changed).slot
            }
        };
        slot.term.take();
        Some(&mut slot.value)
    }

    /// Puts the changed entries into the tree.
    fn settle(&mut self) {
        for Changed { slot, hash, .. } in self.changed.drain(..) {
            let place = self.trie.get_mut(&slot.key, hash).expect("it has the same keys");
            *place = slot;
        }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        let rank = self.trie.find(key, key_hash(key))?.rank;
        Some(if rank == self.last.rank { self.len() - 1 } else { self.count_before(rank) })
    }

    pub(super) fn place_of_number(&self, number: u32) -> usize {
        self.count_before(rank_of(number))
    }

    fn count_before(&self, rank: i64) -> usize {
        let mut before = 0;
        self.trie.for_each(&mut |slot| before += usize::from(slot.rank < rank));
        before
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        if let Some(mut links) = self.links.take() {
            let (before, after) = match array_index(&key) {
                Some(number) => self.around(rank_of(number)),
                None => (at.checked_sub(1).and_then(|before| self.key_at(before)), self.key_at(at)),
            };
            link_in(&mut links, before.as_deref(), &key, after.as_deref());
            self.links = links.into();
        }
        let rank = match array_index(&key) {
            Some(number) => rank_of(number),
            None if at == self.len() => self.last.rank.max(0) + SPACING,
            None => self.free_rank(at),
        };
        if rank > self.last.rank {
            self.last = Last { rank, key: key.clone() };
        }
        self.trie.insert(Slot::new(key, value, rank));
    }

    pub(super) fn remove(&mut self, key: &str) -> Value {
        self.settle();
        let slot = self.trie.remove(key).expect("it has a position");
        if let Some(mut links) = self.links.take() {
            let (before, after) = self.around(slot.rank);
            link_out(&mut links, before.as_deref(), key, after.as_deref());
            self.links = links.into();
        }
        if slot.rank == self.last.rank {
            self.last = Last { rank: i64::MIN, key: Text::default() };
            let last = &mut self.last;
            self.trie.for_each(&mut |slot| {
                if slot.rank > last.rank {
                    *last = Last { rank: slot.rank, key: slot.key.clone() };
                }
            });
        }
        slot.value
    }

    pub(super) fn in_order(&self) -> Vec<&Slot> {
        let mut slots = Vec::with_capacity(self.len());
        self.trie.for_each(&mut |slot| slots.push(slot));
        slots.sort_unstable_by_key(|slot| slot.rank);
        for Changed { slot, .. } in &self.changed {
            let at = slots.binary_search_by_key(&slot.rank, |slot| slot.rank).expect("it has the same ranks");
            slots[at] = slot;
        }
        slots
    }

    /// The keys before and after a rank, in one pass: sorting a wide object for each change would be slow.
    fn around(&self, rank: i64) -> Neighbours {
        let (mut before, mut after): (Option<&Slot>, Option<&Slot>) = (None, None);
        self.trie.for_each(&mut |slot| {
            if slot.rank < rank && before.is_none_or(|best| best.rank < slot.rank) {
                before = Some(slot);
            } else if slot.rank > rank && after.is_none_or(|best| best.rank > slot.rank) {
                after = Some(slot);
            }
        });
        (before.map(|slot| slot.key.clone()), after.map(|slot| slot.key.clone()))
    }

    fn key_at(&self, place: usize) -> Option<Text> {
        match place {
            _ if place >= self.len() => None,
            _ if place + 1 == self.len() => Some(self.last.key.clone()),
            _ => Some(self.in_order()[place].key.clone()),
        }
    }

    /// A rank between two neighbours; where none is free, all are spread anew.
    fn free_rank(&mut self, at: usize) -> i64 {
        self.settle();
        let slots = self.in_order();
        let before = at.checked_sub(1).map_or(0, |before| slots[before].rank.max(0));
        let after = slots[at].rank;
        if after > before + 1 {
            return before + (after - before) / 2;
        }
        let named: Vec<Text> = slots.iter().filter(|slot| slot.rank > 0).map(|slot| slot.key.clone()).collect();
        let numbered = slots.len() - named.len();
        for (place, key) in named.iter().enumerate() {
            let slot = self.trie.get_mut(key, key_hash(key)).expect("its key was listed");
            slot.rank = (place as i64 + 1) * SPACING;
            self.last.rank = slot.rank;
        }
        at.saturating_sub(numbered) as i64 * SPACING + SPACING / 2
    }

    /// Returns the sum. Only what changed is gone through.
    pub(super) fn sum(&self) -> Sum {
        let mut sum = self.links.get_or(|| links(self.in_order().iter().map(|slot| &*slot.key)));
        sum.add(self.trie.sum());
        for Changed { slot, was, .. } in &self.changed {
            sum.subtract(*was);
            sum.add(slot.term());
        }
        sum
    }
}

/// The rank of an integer-like key: below those of all others.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}
