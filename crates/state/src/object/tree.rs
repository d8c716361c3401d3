//! A wide object: a tree of entries, each with its rank in the order.

use super::row::Row;
use super::trie::Trie;
use super::{array_index, link_in, link_out, links};
use crate::digest::{self, Sum};
use crate::remembered::Remembered;
use crate::value::{Text, Value};

/// The distance between the ranks of neighbours, so that a removed key can go back to its place.
const SPACING: i64 = 1 << 20;

/// The entries of a wide object.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    trie: Trie,
    last: Last,
    known: Option<Known>,
    /// Entries of this epoch are open.
    epoch: u32,
}

/// The entry that comes last in the order.
#[derive(Debug, Clone)]
struct Last {
    rank: i64,
    key: Text,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) key: Text,
    pub(super) value: Value,
    /// The place in the order.
    rank: i64,
    epoch: u32,
    /// Its term in the sum, once it was asked for: when the value changes, it goes out unhashed.
    term: Remembered,
}

impl Slot {
    fn new(key: Text, value: Value, rank: i64, epoch: u32) -> Slot {
        Slot { key, value, rank, epoch, term: Remembered::default() }
    }

    fn term(&self) -> Sum {
        self.term.get_or(|| digest::entry(&self.key, &self.value))
    }
}

/// The sum over all links and all entries except the open ones.
#[derive(Debug, Clone)]
struct Known {
    sum: Sum,
    open: Vec<Text>,
}

/// The keys before and after a place, where there are any.
type Neighbours = (Option<Text>, Option<Text>);

impl Tree {
    pub(super) fn from_row(row: Row) -> Tree {
        let mut trie = Trie::new();
        let mut last = Last { rank: i64::MIN, key: Text::default() };
        // A row that knew its sum becomes a tree that does: entries that were not open are not.
        let sum = row.is_known().then(|| row.sum());
        for (place, (key, value)) in row.into_entries().enumerate() {
            let rank = array_index(&key).map_or((place as i64 + 1) * SPACING, rank_of);
            last = Last { rank, key: key.clone() };
            trie.insert(Slot::new(key, value, rank, 0));
        }
        let known = sum.map(|sum| Known { sum, open: Vec::new() });
        Tree { trie, last, known, epoch: 1 }
    }

    pub(super) fn len(&self) -> usize {
        self.trie.len()
    }

    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.trie.get(key).map(|slot| &slot.value)
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Text, &Value)> {
        self.trie.get(key).map(|slot| (&slot.key, &slot.value))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let slot = self.trie.get_mut(key)?;
        let term = slot.term.take();
        if let Some(known) = &mut self.known
            && slot.epoch != self.epoch
        {
            known.sum.subtract(term.unwrap_or_else(|| digest::entry(&slot.key, &slot.value)));
            known.open.push(slot.key.clone());
            slot.epoch = self.epoch;
        }
        Some(&mut slot.value)
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        let rank = self.trie.get(key)?.rank;
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
        let neighbours = match array_index(&key) {
            Some(number) => self.known.as_ref().map(|_| self.around(rank_of(number))),
            None => self.neighbours(at.checked_sub(1), at),
        };
        if let (Some(known), Some((before, after))) = (&mut self.known, neighbours) {
            link_in(&mut known.sum, before.as_deref(), &key, after.as_deref());
            known.open.push(key.clone());
        }
        let rank = match array_index(&key) {
            Some(number) => rank_of(number),
            None if at == self.len() => self.last.rank.max(0) + SPACING,
            None => self.free_rank(at),
        };
        if rank > self.last.rank {
            self.last = Last { rank, key: key.clone() };
        }
        self.trie.insert(Slot::new(key, value, rank, self.epoch));
    }

    pub(super) fn remove(&mut self, key: &str) -> Value {
        let rank = self.trie.get(key).expect("it has a position").rank;
        let neighbours = self.known.as_ref().map(|_| self.around(rank));
        if let (Some(known), Some((before, after))) = (&mut self.known, neighbours) {
            let slot = self.trie.get(key).expect("it has a position");
            match (slot.epoch != self.epoch).then(|| slot.term()) {
                Some(term) => known.sum.subtract(term),
                None => known.open.retain(|open| **open != *key),
            }
            link_out(&mut known.sum, before.as_deref(), key, after.as_deref());
        }
        let slot = self.trie.remove(key).expect("it has a position");
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
        slots
    }

    /// The keys before and after a place; nothing if no sum has to be kept right.
    fn neighbours(&self, before: Option<usize>, after: usize) -> Option<Neighbours> {
        self.known.as_ref()?;
        Some((before.and_then(|before| self.key_at(before)), self.key_at(after)))
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
        let slots = self.in_order();
        let before = at.checked_sub(1).map_or(0, |before| slots[before].rank.max(0));
        let after = slots[at].rank;
        if after > before + 1 {
            return before + (after - before) / 2;
        }
        let named: Vec<Text> = slots.iter().filter(|slot| slot.rank > 0).map(|slot| slot.key.clone()).collect();
        let numbered = slots.len() - named.len();
        for (place, key) in named.iter().enumerate() {
            let slot = self.trie.get_mut(key).expect("its key was listed");
            slot.rank = (place as i64 + 1) * SPACING;
            self.last.rank = slot.rank;
        }
        at.saturating_sub(numbered) as i64 * SPACING + SPACING / 2
    }

    /// Returns the sum. Where it was known, only what changed is added.
    pub(super) fn sum(&self) -> Sum {
        let Some(known) = &self.known else {
            let slots = self.in_order();
            let mut sum = links(slots.iter().map(|slot| &*slot.key));
            slots.iter().for_each(|slot| sum.add(slot.term()));
            return sum;
        };
        let mut sum = known.sum;
        for key in &known.open {
            sum.add(self.trie.get(key).expect("open entries are there").term());
        }
        sum
    }

    pub(super) fn know(&mut self, sum: Sum) {
        if self.epoch == u32::MAX {
            self.trie.for_each_mut(&mut |slot| slot.epoch = 0);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.known = Some(Known { sum, open: Vec::new() });
    }
}

/// The rank of an integer-like key: below those of all others.
fn rank_of(number: u32) -> i64 {
    i64::from(number) - i64::from(u32::MAX)
}
