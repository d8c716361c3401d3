//! A wide object: a persistent hash map of entries, each with a rank that gives its position in the
//! order. Versions share all parts of the map that did not change.

use std::collections::HashSet;

use rpds::HashTrieMapSync;

use super::row::Row;
use super::{array_index, link_in, link_out, links};
use crate::digest::{self, Sum};
use crate::value::{Text, Value};

/// Distance between the ranks of neighbours, so that a removed key can be inserted again between
/// them.
const SPACING: i64 = 1 << 20;

#[derive(Debug, Clone)]
pub(super) struct Tree {
    entries: HashTrieMapSync<Text, Slot>,
    last: Last,
    partial: Option<PartialSum>,
}

/// The entry with the highest rank.
#[derive(Debug, Clone)]
struct Last {
    rank: i64,
    key: Text,
}

#[derive(Debug, Clone)]
struct Slot {
    value: Value,
    /// Position in the order; ranks are not contiguous.
    rank: i64,
}

/// The digest of all links and of all entries except the dirty ones.
#[derive(Debug, Clone)]
struct PartialSum {
    sum: Sum,
    /// Entries whose terms are not in the sum.
    dirty: HashSet<Text>,
}

impl Tree {
    pub(super) fn from_row(row: Row) -> Tree {
        let mut entries = HashTrieMapSync::new_sync();
        let mut last = Last { rank: i64::MIN, key: Text::default() };
        for (position, (key, value)) in row.into_entries().enumerate() {
            let rank = array_index(&key).map_or((position as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: key.clone() };
            entries.insert_mut(key, Slot { value, rank });
        }
        Tree { entries, last, partial: None }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.size()
    }

    pub(super) fn has_sum(&self) -> bool {
        self.partial.is_some()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.get(key).map(|slot| &slot.value)
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.entries.get_key_value(key).map(|(key, slot)| (key, &slot.value))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.mark_dirty(key);
        self.entries.get_mut(key).map(|slot| &mut slot.value)
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        let rank = self.entries.get(key)?.rank;
        Some(if rank == self.last.rank { self.len() - 1 } else { self.count_before(rank) })
    }

    pub(super) fn position_of_number(&self, number: u32) -> usize {
        self.count_before(rank_of(number))
    }

    fn count_before(&self, rank: i64) -> usize {
        self.entries.values().filter(|slot| slot.rank < rank).count()
    }

    pub(super) fn insert_at(&mut self, at: usize, key: Text, value: Value) {
        if self.partial.is_some() {
            let (before, after) = match array_index(&key) {
                Some(number) => self.neighbours(rank_of(number)),
                None => (at.checked_sub(1).and_then(|before| self.key_at(before)), self.key_at(at)),
            };
            if let Some(partial) = &mut self.partial {
                link_in(&mut partial.sum, before.as_deref(), &key, after.as_deref());
                partial.dirty.insert(key.clone());
            }
        }
        let rank = match array_index(&key) {
            Some(number) => rank_of(number),
            None if at == self.len() => self.last.rank.max(0) + SPACING,
            None => self.free_rank(at),
        };
        if rank > self.last.rank {
            self.last = Last { rank, key: key.clone() };
        }
        self.entries.insert_mut(key, Slot { value, rank });
    }

    pub(super) fn remove(&mut self, key: &str) -> Value {
        self.mark_dirty(key);
        let slot = self.entries.get(key).expect("it has a position").clone();
        self.entries.remove_mut(key);
        if self.partial.is_some() {
            let (before, after) = self.neighbours(slot.rank);
            if let Some(partial) = &mut self.partial {
                link_out(&mut partial.sum, before.as_deref(), key, after.as_deref());
                partial.dirty.remove(key);
            }
        }
        if slot.rank == self.last.rank {
            let last = self.entries.iter().max_by_key(|(_, slot)| slot.rank);
            self.last = last.map_or(Last { rank: i64::MIN, key: Text::default() }, |(key, slot)| Last {
                rank: slot.rank,
                key: key.clone(),
            });
        }
        slot.value
    }

    pub(super) fn in_order(&self) -> Vec<(&Text, &Value)> {
        self.ranked().into_iter().map(|(key, slot)| (key, &slot.value)).collect()
    }

    fn ranked(&self) -> Vec<(&Text, &Slot)> {
        let mut slots: Vec<_> = self.entries.iter().collect();
        slots.sort_unstable_by_key(|(_, slot)| slot.rank);
        slots
    }

    /// Returns the keys before and after a rank, which is cheaper than sorting.
    fn neighbours(&self, rank: i64) -> (Option<Text>, Option<Text>) {
        let before = self.entries.iter().filter(|(_, slot)| slot.rank < rank).max_by_key(|(_, slot)| slot.rank);
        let after = self.entries.iter().filter(|(_, slot)| slot.rank > rank).min_by_key(|(_, slot)| slot.rank);
        (before.map(|(key, _)| key.clone()), after.map(|(key, _)| key.clone()))
    }

    fn key_at(&self, position: usize) -> Option<Text> {
        match position {
            _ if position >= self.len() => None,
            _ if position + 1 == self.len() => Some(self.last.key.clone()),
            _ => Some(self.ranked()[position].0.clone()),
        }
    }

    /// Returns a rank between two neighbours. If none is free, all ranks are assigned anew.
    fn free_rank(&mut self, at: usize) -> i64 {
        let slots = self.ranked();
        let before = at.checked_sub(1).map_or(0, |before| slots[before].1.rank.max(0));
        let after = slots[at].1.rank;
        if after > before + 1 {
            return before + (after - before) / 2;
        }
        let named: Vec<Text> = slots.iter().filter(|(_, slot)| slot.rank > 0).map(|(key, _)| (*key).clone()).collect();
        let numbered = slots.len() - named.len();
        for (position, key) in named.iter().enumerate() {
            let slot = self.entries.get_mut(key).expect("its key was listed");
            slot.rank = (position as i64 + 1) * SPACING;
            self.last.rank = slot.rank;
        }
        at.saturating_sub(numbered) as i64 * SPACING + SPACING / 2
    }

    /// Returns the digest. If a partial sum is cached, only the dirty entries are added.
    pub(super) fn sum(&self) -> Sum {
        let mut total = Sum::default();
        match &self.partial {
            Some(PartialSum { sum, dirty }) => {
                total.add(*sum);
                let changed = dirty.iter().filter_map(|key| self.entry(key));
                changed.for_each(|(key, value)| total.add(digest::entry(key, value)));
            }
            None => {
                total.add(links(self.ranked().iter().map(|(key, _)| key.as_str())));
                self.entries.iter().for_each(|(key, slot)| total.add(digest::entry(key, &slot.value)));
            }
        }
        total
    }

    pub(super) fn track_from(&mut self, sum: Sum) {
        self.partial = Some(PartialSum { sum, dirty: HashSet::new() });
    }

    /// Subtracts the term of an entry from the sum, because it is about to change.
    fn mark_dirty(&mut self, key: &str) {
        if let Some(partial) = &mut self.partial
            && let Some((key, slot)) = self.entries.get_key_value(key)
            && !partial.dirty.contains(key)
        {
            partial.sum.subtract(digest::entry(key, &slot.value));
            partial.dirty.insert(key.clone());
        }
    }
}

/// Returns the rank of an integer-like key, which is below the ranks of all other keys.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}
