//! A wide object: a trie of entries, each with a rank that gives its position in the order.
//!
//! From page to page mostly the same few entries change. They are collected in a small buffer
//! beside the trie, so that the trie stays shared; when the buffer is full it is flushed into the
//! trie.

use super::key_hash::key_hash;
use super::row::Row;
use super::trie::Trie;
use super::{array_index, link_in, link_out, links};
use crate::cached_sum::CachedSum;
use crate::digest::{self, Sum};
use crate::value::{Text, Value};

/// Distance between the ranks of neighbours, so that a removed key can be inserted again between
/// them.
const SPACING: i64 = 1 << 20;

/// Capacity of the buffer of changed entries.
const MAX_CHANGED: usize = 32;

#[derive(Debug, Clone)]
pub(super) struct Tree {
    trie: Trie,
    /// Buffer of entries whose value differs from the one in the trie.
    changed: Vec<Changed>,
    last: Last,
    /// Cached sum of the links between the keys.
    links: CachedSum,
}

/// The entry with the highest rank.
#[derive(Debug, Clone)]
struct Last {
    rank: i64,
    key: Text,
}

#[derive(Debug)]
pub(super) struct Slot {
    pub(super) key: Text,
    pub(super) value: Value,
    /// Position in the order; ranks are not contiguous.
    rank: i64,
    /// Cached term of the entry in the digest.
    term: CachedSum,
}

impl Slot {
    fn new(key: Text, value: Value, rank: i64) -> Slot {
        Slot { key, value, rank, term: CachedSum::default() }
    }

    pub(super) fn term(&self) -> Sum {
        self.term.get_or(|| digest::entry(&self.key, &self.value))
    }
}

/// Drops the cached term, because an entry is cloned to be changed.
impl Clone for Slot {
    fn clone(&self) -> Slot {
        Slot::new(self.key.clone(), self.value.clone(), self.rank)
    }
}

/// An entry that replaces the one with the same key and rank in the trie.
#[derive(Debug, Clone)]
struct Changed {
    slot: Slot,
    hash: u64,
    /// Term of the replaced entry.
    replaced_term: Sum,
}

/// The keys before and after a position.
type Neighbours = (Option<Text>, Option<Text>);

impl Tree {
    pub(super) fn from_row(row: Row) -> Tree {
        let mut trie = Trie::default();
        let mut last = Last { rank: i64::MIN, key: Text::default() };
        let links = if row.has_sum() { CachedSum::from(row.shape().links()) } else { CachedSum::default() };
        for (position, (key, value)) in row.into_entries().enumerate() {
            let rank = array_index(&key).map_or((position as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: key.clone() };
            trie.insert(Slot::new(key, value, rank));
        }
        Tree { trie, changed: Vec::new(), last, links }
    }

    pub(super) fn len(&self) -> usize {
        self.trie.len()
    }

    pub(super) fn has_sum(&self) -> bool {
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
        match self.position_of_changed(key, hash) {
            Some(at) => Some(&self.changed[at].slot),
            None => self.trie.find(key, hash),
        }
    }

    fn position_of_changed(&self, key: &str, hash: u64) -> Option<usize> {
        self.changed.iter().position(|one| one.hash == hash && *one.slot.key == *key)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let hash = key_hash(key);
        let slot = match self.position_of_changed(key, hash) {
            Some(at) => &mut self.changed[at].slot,
            // An unhashed tree has a single owner, so it is mutated in place.
            None if !self.has_sum() => self.trie.get_mut(key, hash)?,
            None => {
                let slot = self.trie.find(key, hash)?;
                let changed = Changed { slot: slot.clone(), hash, replaced_term: slot.term() };
                if self.changed.len() == MAX_CHANGED {
                    self.flush();
                }
                &mut self.changed.push_mut(changed).slot
            }
        };
        slot.term.take();
        Some(&mut slot.value)
    }

    /// Flushes the buffer of changed entries into the trie.
    fn flush(&mut self) {
        for Changed { slot, hash, .. } in self.changed.drain(..) {
            let target = self.trie.get_mut(&slot.key, hash).expect("it has the same keys");
            *target = slot;
        }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        let rank = self.trie.find(key, key_hash(key))?.rank;
        Some(if rank == self.last.rank { self.len() - 1 } else { self.count_before(rank) })
    }

    pub(super) fn position_of_number(&self, number: u32) -> usize {
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
                Some(number) => self.neighbours(rank_of(number)),
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
        self.flush();
        let slot = self.trie.remove(key).expect("it has a position");
        if let Some(mut links) = self.links.take() {
            let (before, after) = self.neighbours(slot.rank);
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

    /// Returns the keys before and after a rank in one pass, which is cheaper than sorting.
    fn neighbours(&self, rank: i64) -> Neighbours {
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

    fn key_at(&self, position: usize) -> Option<Text> {
        match position {
            _ if position >= self.len() => None,
            _ if position + 1 == self.len() => Some(self.last.key.clone()),
            _ => Some(self.in_order()[position].key.clone()),
        }
    }

    /// Returns a rank between two neighbours. If none is free, all ranks are assigned anew.
    fn free_rank(&mut self, at: usize) -> i64 {
        self.flush();
        let slots = self.in_order();
        let before = at.checked_sub(1).map_or(0, |before| slots[before].rank.max(0));
        let after = slots[at].rank;
        if after > before + 1 {
            return before + (after - before) / 2;
        }
        let named: Vec<Text> = slots.iter().filter(|slot| slot.rank > 0).map(|slot| slot.key.clone()).collect();
        let numbered = slots.len() - named.len();
        for (position, key) in named.iter().enumerate() {
            let slot = self.trie.get_mut(key, key_hash(key)).expect("its key was listed");
            slot.rank = (position as i64 + 1) * SPACING;
            self.last.rank = slot.rank;
        }
        at.saturating_sub(numbered) as i64 * SPACING + SPACING / 2
    }

    /// Returns the digest. Only changed parts are computed.
    pub(super) fn sum(&self) -> Sum {
        let mut sum = self.links.get_or(|| links(self.in_order().iter().map(|slot| &*slot.key)));
        sum.add(self.trie.sum());
        for Changed { slot, replaced_term, .. } in &self.changed {
            sum.subtract(*replaced_term);
            sum.add(slot.term());
        }
        sum
    }
}

/// Returns the rank of an integer-like key, which is below the ranks of all other keys.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}
