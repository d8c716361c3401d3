//! What was read or written of late. All of it is immutable once stored, so it can only be right or
//! absent; a transaction that fails forgets everything, because what it numbered was never stored.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use storeyline_history::{Rules, Turn};
use storeyline_state::{StateHash, Value, ValueHash};

use crate::fresh::{Batch, Left, Numbers, PLACES};
use crate::named::{self, Named};
use crate::pages::PageRow;
use crate::recent_states::States;
use crate::refs::Ref;
use crate::states::{Distance, LoneFrame};
use crate::store::Owner;
use crate::stories::Story;
use crate::turns::StoredNode;

/// An owner and a number: nothing is shared between owners.
type Key = (i64, i64);

/// Numbers that the store itself gave, and bits of hashes: nobody chooses them so that they collide.
///
/// What comes one after another lies side by side, so that a walk along a branch finds the next one near. A map
/// goes by the lowest bits to a place and tells what lies there apart by the highest: only those are mixed.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

/// An odd number whose bits are well mixed.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        (self.0 & (u64::MAX >> 8)) | (self.0.wrapping_mul(MIX) & (0xff << 56))
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i64(i64::from(*byte)));
    }

    fn write_i64(&mut self, number: i64) {
        self.0 = self.0.wrapping_mul(MIX).wrapping_add(number as u64);
    }
}

/// Things by their number; the oldest goes.
struct Shelf<T> {
    things: HashMap<Key, T, BuildHasherDefault<KeyHasher>>,
    order: VecDeque<Key>,
    most: usize,
}

impl<T: Clone> Shelf<T> {
    fn new(most: usize) -> Self {
        Shelf { things: HashMap::default(), order: VecDeque::new(), most }
    }

    fn put(&mut self, key: Key, thing: T) {
        if self.things.insert(key, thing).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.things.remove(&oldest);
        }
    }
}

/// Everything that is remembered.
pub(crate) struct Recent {
    owners: Mutex<HashMap<Owner, i64>>,
    generation: AtomicI64,
    written: AtomicI64,
    states: Mutex<States>,
    fresh: Mutex<Fresh>,
    pub(crate) nodes: Kept<StoredNode>,
    pub(crate) turns: Kept<Arc<Turn>>,
    pub(crate) pages: Kept<Arc<PageRow>>,
    pub(crate) distances: Kept<Distance>,
    /// As long as a state each, so only the last.
    pub(crate) frames: Kept<Arc<LoneFrame>>,
    pub(crate) texts: Kept<Arc<str>>,
    pub(crate) rules: Kept<(Arc<Rules>, ValueHash)>,
    pub(crate) names: Kept<Names>,
    pub(crate) clients: Kept<Arc<str>>,
    pub(crate) stories: Kept<Named<Story>>,
    pub(crate) refs: Kept<Named<Ref>>,
}

/// What lies in `fresh`, by the number of the transaction, and the last numbers after one.
#[derive(Default)]
struct Fresh {
    batches: VecDeque<(i64, Arc<Batch>)>,
    numbers: Option<(i64, Numbers)>,
}

/// The player and the character.
pub(crate) type Names = (Arc<str>, Arc<str>);

impl Default for Recent {
    fn default() -> Self {
        Recent {
            owners: Mutex::default(),
            generation: AtomicI64::new(0),
            written: AtomicI64::new(0),
            states: Mutex::default(),
            fresh: Mutex::default(),
            nodes: Kept::new(16_384),
            turns: Kept::new(16_384),
            pages: Kept::new(16_384),
            distances: Kept::new(4_096),
            frames: Kept::new(1),
            texts: Kept::new(4),
            rules: Kept::new(16),
            names: Kept::new(16),
            clients: Kept::new(16),
            stories: Kept::new(named::MOST),
            refs: Kept::new(named::MOST),
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

    /// Returns a state and its hash.
    pub(crate) fn state(&self, owner: i64, key: i64) -> Option<(Value, StateHash)> {
        lock(&self.states).get((owner, key))
    }

    /// Remembers a state that came from a whole one of so many bytes.
    pub(crate) fn remember_state(&self, owner: i64, key: i64, state: (Value, StateHash), frame: i64, size: i64) {
        lock(&self.states).put((owner, key), state, frame, size);
    }

    /// Returns the rows of a transaction that lie in `fresh`.
    pub(crate) fn fresh(&self, number: i64) -> Option<Arc<Batch>> {
        let fresh = lock(&self.fresh);
        fresh.batches.iter().find(|(own, _)| *own == number).map(|(_, batch)| batch.clone())
    }

    /// Remembers them; only of a transaction that is committed, since the number of another is given again.
    pub(crate) fn remember_fresh(&self, number: i64, batch: Arc<Batch>) {
        let mut fresh = lock(&self.fresh);
        fresh.batches.push_back((number, batch));
        if fresh.batches.len() > PLACES as usize {
            fresh.batches.pop_front();
        }
    }

    /// Returns the last transaction that was seen; there may be later ones.
    pub(crate) fn last_written(&self) -> i64 {
        self.written.load(Ordering::Relaxed)
    }

    pub(crate) fn see_written(&self, written: i64) {
        self.written.store(written, Ordering::Relaxed);
    }

    /// Returns the last numbers after a transaction.
    pub(crate) fn numbers(&self, written: i64) -> Option<Numbers> {
        lock(&self.fresh).numbers.filter(|(own, _)| *own == written).map(|(_, numbers)| numbers)
    }

    /// Remembers what a transaction left behind that is committed.
    pub(crate) fn see_left(&self, left: Left) {
        self.see_written(left.written);
        if let Some(batch) = left.batch {
            self.remember_fresh(left.written, batch);
        }
        lock(&self.fresh).numbers = left.numbers.map(|numbers| (left.written, numbers));
    }

    /// What was collected may have its number given to something else: then nothing remembered counts.
    pub(crate) fn see_generation(&self, generation: i64) {
        if self.generation.swap(generation, Ordering::AcqRel) != generation {
            self.forget();
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        lock(&self.owners).clear();
        *lock(&self.states) = States::default();
        *lock(&self.fresh) = Fresh::default();
        self.nodes.clear();
        self.turns.clear();
        self.pages.clear();
        self.distances.clear();
        self.frames.clear();
        self.texts.clear();
        self.rules.clear();
        self.names.clear();
        self.clients.clear();
        self.stories.clear();
        self.refs.clear();
    }
}

/// A few things by their number, for all threads.
pub(crate) struct Kept<T>(Mutex<Shelf<T>>);

impl<T: Clone> Kept<T> {
    fn new(most: usize) -> Self {
        Kept(Mutex::new(Shelf::new(most)))
    }

    pub(crate) fn get(&self, owner: i64, key: i64) -> Option<T> {
        lock(&self.0).things.get(&(owner, key)).cloned()
    }

    pub(crate) fn put(&self, owner: i64, key: i64, thing: T) {
        lock(&self.0).put((owner, key), thing);
    }

    /// Returns a thing of which something is true, and its number; only for shelves that are small.
    pub(crate) fn find(&self, owner: i64, is: impl Fn(&T) -> bool) -> Option<(i64, T)> {
        let shelf = lock(&self.0);
        let mut found = shelf.things.iter().filter(|((own, _), thing)| *own == owner && is(thing));
        found.next().map(|((_, key), thing)| (*key, thing.clone()))
    }

    fn clear(&self) {
        let mut shelf = lock(&self.0);
        shelf.things.clear();
        shelf.order.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
