//! A wide object: a persistent hash map of entries, each with a rank that gives its position in the
//! order. Versions share all parts of the map that did not change.

use rpds::HashTrieMapSync;

use super::array_index;
use super::row::Row;
use crate::value::{Text, Value};

/// Distance between the ranks of neighbours, so that a removed key can be inserted again between
/// them.
const SPACING: i64 = 1 << 20;

#[derive(Debug, Clone)]
pub(super) struct Tree {
    entries: HashTrieMapSync<Text, Slot>,
    last: Last,
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

impl Tree {
    pub(super) fn from_row(row: Row) -> Tree {
        let mut entries = HashTrieMapSync::new_sync();
        let mut last = Last { rank: i64::MIN, key: Text::default() };
        for (position, (key, value)) in row.into_entries().enumerate() {
            let rank = array_index(&key).map_or((position as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: key.clone() };
            entries.insert_mut(key, Slot { value, rank });
        }
        Tree { entries, last }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.size()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.get(key).map(|slot| &slot.value)
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.entries.get_key_value(key).map(|(key, slot)| (key, &slot.value))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
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
        let slot = self.entries.get(key).expect("it has a position").clone();
        self.entries.remove_mut(key);
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

    pub(super) fn key_at(&self, position: usize) -> Option<Text> {
        if position + 1 >= self.len() {
            return (position < self.len()).then(|| self.last.key.clone());
        }
        let mut slots: Vec<_> = self.entries.iter().collect();
        let (_, (key, _), _) = slots.select_nth_unstable_by_key(position, |(_, slot)| slot.rank);
        Some(key.clone())
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
}

/// Returns the rank of an integer-like key, which is below the ranks of all other keys.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}
