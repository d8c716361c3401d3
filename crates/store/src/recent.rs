//! What was read or written of late. All of it is immutable once stored, so it can only be right or
//! absent; a transaction that fails forgets everything, because what it numbered was never stored.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use storeyline_history::Rules;
use storeyline_state::{StateHash, Value};

use crate::store::Owner;

/// A few things by their number; the oldest goes.
pub(crate) struct Shelf<T> {
    things: VecDeque<(i64, T)>,
    most: usize,
}

impl<T: Clone> Shelf<T> {
    fn new(most: usize) -> Self {
        Shelf { things: VecDeque::new(), most }
    }

    fn get(&self, key: i64) -> Option<T> {
        self.things.iter().rev().find(|(own, _)| *own == key).map(|(_, thing)| thing.clone())
    }

    fn put(&mut self, key: i64, thing: T) {
        if self.things.iter().any(|(own, _)| *own == key) {
            return;
        }
        self.things.push_back((key, thing));
        if self.things.len() > self.most {
            self.things.pop_front();
        }
    }
}

/// Everything that is remembered.
pub(crate) struct Recent {
    owners: Mutex<HashMap<Owner, i64>>,
    /// A kept state costs what it does not share with the others.
    states: Mutex<Shelf<(Value, StateHash)>>,
    rules: Mutex<Shelf<Arc<Rules>>>,
    names: Mutex<Shelf<(Arc<str>, Arc<str>)>>,
}

impl Default for Recent {
    fn default() -> Self {
        Recent {
            owners: Mutex::default(),
            states: Mutex::new(Shelf::new(64)),
            rules: Mutex::new(Shelf::new(16)),
            names: Mutex::new(Shelf::new(16)),
        }
    }
}

impl Recent {
    pub(crate) fn owner(&self, owner: &Owner) -> Option<i64> {
        lock(&self.owners).get(owner).copied()
    }

    pub(crate) fn remember_owner(&self, owner: &Owner, id: i64) {
        lock(&self.owners).insert(owner.clone(), id);
    }

    pub(crate) fn state(&self, key: i64) -> Option<(Value, StateHash)> {
        lock(&self.states).get(key)
    }

    pub(crate) fn remember_state(&self, key: i64, state: &Value, hash: StateHash) {
        lock(&self.states).put(key, (state.clone(), hash));
    }

    pub(crate) fn rules(&self, key: i64) -> Option<Arc<Rules>> {
        lock(&self.rules).get(key)
    }

    pub(crate) fn remember_rules(&self, key: i64, rules: &Arc<Rules>) {
        lock(&self.rules).put(key, rules.clone());
    }

    pub(crate) fn names(&self, key: i64) -> Option<(Arc<str>, Arc<str>)> {
        lock(&self.names).get(key)
    }

    pub(crate) fn remember_names(&self, key: i64, names: &(Arc<str>, Arc<str>)) {
        lock(&self.names).put(key, names.clone());
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        lock(&self.owners).clear();
        lock(&self.states).things.clear();
        lock(&self.rules).things.clear();
        lock(&self.names).things.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
