//! States that were read or written of late. Those that came from the same whole state share nearly all of
//! it, so they cost once what it costs: many chats can be played side by side, and the memory is bounded.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;

use storeyline_state::{StateHash, Value};

use crate::recent::KeyHasher;

/// An owner and a number.
type Key = (i64, i64);

/// So many states, whatever they cost.
const MOST: usize = 512;

/// Bytes of the whole states they came from, as packed on disk; in memory they take about ten times that.
const MOST_BYTES: i64 = 4 * 1024 * 1024;

/// A chat needs a few, however large they are.
const LEAST: usize = 8;

/// A state, and the whole state it came from.
struct Entry {
    state: Value,
    hash: StateHash,
    frame: i64,
}

/// Some states by their number; the oldest goes.
#[derive(Default)]
pub(crate) struct States {
    entries: HashMap<Key, Entry, BuildHasherDefault<KeyHasher>>,
    order: VecDeque<Key>,
    /// How many states came from a whole one, and its bytes.
    frames: HashMap<Key, (usize, i64), BuildHasherDefault<KeyHasher>>,
    bytes: i64,
}

impl States {
    pub(crate) fn get(&self, key: Key) -> Option<(Value, StateHash)> {
        self.entries.get(&key).map(|entry| (entry.state.clone(), entry.hash))
    }

    /// Remembers a state; `size` are the bytes of the whole state `frame` that it came from.
    pub(crate) fn put(&mut self, key: Key, (state, hash): (Value, StateHash), frame: i64, size: i64) {
        if self.entries.contains_key(&key) {
            return;
        }
        self.entries.insert(key, Entry { state, hash, frame });
        self.order.push_back(key);
        let shared = self.frames.entry((key.0, frame)).or_insert((0, size));
        shared.0 += 1;
        if shared.0 == 1 {
            self.bytes += size;
        }
        while self.order.len() > MOST || (self.bytes > MOST_BYTES && self.order.len() > LEAST) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let Some(key) = self.order.pop_front() else { return };
        let Some(entry) = self.entries.remove(&key) else { return };
        let frame = (key.0, entry.frame);
        if let Some(shared) = self.frames.get_mut(&frame) {
            shared.0 -= 1;
            if shared.0 == 0 {
                self.bytes -= shared.1;
                self.frames.remove(&frame);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(states: &mut States, key: i64, frame: i64, size: i64) {
        let value = Value::from(key);
        states.put((1, key), (value.clone(), value.hash()), frame, size);
    }

    #[test]
    fn states_of_one_whole_cost_it_once() {
        let mut states = States::default();
        (0..100).for_each(|key| put(&mut states, key, 7, MOST_BYTES));
        assert_eq!((states.entries.len(), states.bytes), (100, MOST_BYTES));
        (100..100 + MOST as i64).for_each(|key| put(&mut states, key, 7, MOST_BYTES));
        assert_eq!(states.entries.len(), MOST, "their number is bounded too");
        assert!(states.get((1, 0)).is_none() && states.get((1, 100 + MOST as i64 - 1)).is_some());
    }

    #[test]
    fn large_states_push_each_other_out_but_for_a_few() {
        let mut states = States::default();
        (0..100).for_each(|key| put(&mut states, key, key, MOST_BYTES / 2));
        assert_eq!((states.entries.len(), states.bytes), (LEAST, LEAST as i64 * MOST_BYTES / 2));
        assert_eq!(states.frames.len(), LEAST);
        (100..200).for_each(|key| put(&mut states, key, 100, 10));
        assert_eq!(
            (states.entries.len(), states.bytes),
            (101, MOST_BYTES / 2 + 10),
            "one large state fits beside them"
        );
    }
}
