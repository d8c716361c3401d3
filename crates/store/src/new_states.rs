//! States that a change adds. They are encoded when they are written, and a long change writes them in batches
//! while it goes on: what it has evaluated is not lost if it ends, and its commit stays short.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

use storeyline_history::path_states::MemoKey;
use storeyline_history::{Evaluation, StateKey, Trace};
use storeyline_state::{StateHash, Value};

use crate::cache::CachedState;
use crate::codec::filter::PathFilter;
use crate::codec::pack::{pack_against, pack_state};
use crate::codec::{trace, value};
use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::Sql;
use crate::sqlite::Durability;
use crate::store::{Owner, Store};
use crate::tables::states::{self, Distance, Keyframe, StateRow, WholeFrame, first_16};
use crate::view::View;

/// At the latest after this many steps there is a keyframe.
pub(crate) const MAX_STEPS: i64 = 1_024;

/// A keyframe is not worth its row before, in bytes of ops.
const MIN_WEIGHT: i64 = 1_024;

/// How many states are written together while the change goes on.
const BATCH: usize = 128;

/// Batches that may wait. If the disk is slower than the evaluation, the change waits too.
const MAX_WAITING: usize = 4;

pub(crate) struct NewState {
    pub(crate) key: StateKey,
    memo: Option<[u8; 16]>,
    pub(crate) hash: StateHash,
    /// Nothing for a state that is stored whole.
    base: Option<StateKey>,
    pub(crate) evaluation: Evaluation,
}

/// The new states of a draft, by ascending ids.
#[derive(Default)]
pub(crate) struct NewStates {
    all: Vec<Arc<NewState>>,
    memos: HashMap<[u8; 16], StateKey>,
    /// How many were handed to the writer.
    handed: usize,
    writer: Option<BatchWriter>,
}

impl NewStates {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn find(&self, key: StateKey) -> Option<&NewState> {
        // Most often the last one is asked for.
        let last = self.all.last().filter(|last| last.key == key);
        let found = || self.all.binary_search_by_key(&key, |own| own.key).ok().map(|index| &self.all[index]);
        last.or_else(found).map(|own| &**own)
    }

    pub(crate) fn find_memo(&self, memo: &[u8; 16]) -> Option<StateKey> {
        self.memos.get(memo).copied()
    }

    /// Hands the last states to a thread that writes them. Nothing refers to them before the commit.
    fn hand_over(&mut self, store: &Store, owner: &Owner) {
        if self.writer.is_none() {
            // Without a thread the commit writes them all.
            self.writer = BatchWriter::start(store, owner).ok();
        }
        if let Some(writer) = &self.writer {
            writer.write(self.all[self.handed..].to_vec());
            self.handed = self.all.len();
        }
    }

    /// Waits for the batches, and encodes what is not written yet.
    pub(crate) fn encode_rest(&mut self, view: &View<'_>) -> Result<EncodedStates, StoreError> {
        let mut encoder = self.writer.take().map_or_else(|| Ok(Encoder::default()), BatchWriter::finish)?;
        let states = self.all[self.handed..].iter().map(|state| encoder.encode(view, state));
        Ok(EncodedStates(states.collect::<Result<_, _>>()?))
    }

    /// The last state, which the next floor will ask for.
    pub(crate) fn last(&self, encoded: &EncodedStates) -> Option<(StateKey, CachedState)> {
        let (last, (row, _)) = (self.all.last()?, encoded.0.last()?);
        let state = last.evaluation.state.clone();
        Some((last.key, CachedState { state, hash: last.hash, distance: row.distance }))
    }
}

/// States as they lie in rows, some with a keyframe.
pub(crate) struct EncodedStates(Vec<(StateRow, Option<Keyframe>)>);

impl EncodedStates {
    /// Fails with a conflict if something that the states are stored against is gone: nothing referred to it, so a
    /// collection may have taken it while the change went on.
    fn check_bases(&self, sql: &dyn Sql, owner: OwnerKey) -> Result<(), StoreError> {
        let own: HashSet<StateKey> = self.0.iter().map(|(row, _)| row.key).collect();
        let below =
            |(row, frame): &(StateRow, Option<Keyframe>)| [row.base, frame.as_ref().and_then(|frame| frame.against)];
        let mut others = self.0.iter().flat_map(below).flatten().filter(|key| !own.contains(key));
        others.try_for_each(|key| if states::exists(sql, owner, key)? { Ok(()) } else { Err(StoreError::Conflict) })
    }

    pub(crate) fn insert(&self, sql: &dyn Sql, owner: OwnerKey) -> Result<(), StoreError> {
        states::insert(sql, owner, self.0.iter().map(|(row, _)| row))?;
        let frames = self.0.iter().filter_map(|(row, frame)| frame.as_ref().map(|frame| (row.key, frame)));
        states::insert_keyframes(sql, owner, frames)
    }
}

impl Draft<'_> {
    pub(crate) fn add_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, StoreError> {
        self.add_state(Some(key), None, whole(state))
    }

    /// Adds a state that answers no evaluation: one that a page keeps.
    pub fn put_lone_state(&mut self, state: &Value) -> Result<StateKey, StoreError> {
        self.add_state(None, None, whole(state))
    }

    pub(crate) fn add_evaluation(
        &mut self,
        key: MemoKey,
        base: StateKey,
        evaluation: Evaluation,
    ) -> Result<StateKey, StoreError> {
        self.add_state(Some(key), Some(base), evaluation)
    }

    fn add_state(
        &mut self,
        memo: Option<MemoKey>,
        base: Option<StateKey>,
        evaluation: Evaluation,
    ) -> Result<StateKey, StoreError> {
        let key = StateKey(self.new_id(IdKind::State)?);
        let (memo, hash) = (memo.as_ref().map(first_16), evaluation.state.hash());
        let states = &mut self.view.rows.states;
        states.memos.extend(memo.map(|memo| (memo, key)));
        states.all.push(Arc::new(NewState { key, memo, hash, base, evaluation }));
        if states.all.len() - states.handed >= BATCH && !self.is_trial && self.view.store.has_wal() {
            states.hand_over(self.view.store, self.view.owner_name);
        }
        Ok(key)
    }
}

fn whole(state: &Value) -> Evaluation {
    Evaluation { state: state.clone(), trace: Trace::default() }
}

/// A thread that writes batches of states.
struct BatchWriter {
    /// Nothing once no more come.
    batches: Option<SyncSender<Vec<Arc<NewState>>>>,
    thread: Option<JoinHandle<Result<Encoder, StoreError>>>,
}

impl BatchWriter {
    fn start(store: &Store, owner: &Owner) -> io::Result<BatchWriter> {
        let (batches, received) = mpsc::sync_channel::<Vec<Arc<NewState>>>(MAX_WAITING);
        let (store, owner) = (store.clone(), owner.clone());
        let write = move || {
            let mut encoder = Encoder::default();
            for batch in received {
                let view = store.view(&owner);
                let encoded = batch.iter().map(|state| encoder.encode(&view, state)).collect::<Result<_, _>>()?;
                let (key, encoded) = (view.owner()?, EncodedStates(encoded));
                drop(view);
                // The commit of the change makes them durable.
                store.database.write(Durability::Normal, |sql| {
                    encoded.check_bases(sql, key)?;
                    encoded.insert(sql, key)
                })?;
            }
            Ok(encoder)
        };
        let thread = thread::Builder::new().name("states".into()).spawn(write)?;
        Ok(BatchWriter { batches: Some(batches), thread: Some(thread) })
    }

    /// If the thread ended, it failed, and [`BatchWriter::finish`] says why.
    fn write(&self, batch: Vec<Arc<NewState>>) {
        if let Some(batches) = &self.batches {
            let _ = batches.send(batch);
        }
    }

    fn finish(mut self) -> Result<Encoder, StoreError> {
        self.batches = None;
        let ended = self.thread.take().expect("it is joined once").join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for BatchWriter {
    fn drop(&mut self) {
        self.batches = None;
        // The change was given up: nobody asks how writing ended.
        self.thread.take().map(JoinHandle::join);
    }
}

/// Encodes states as rows. It knows those it has encoded, because they may not be visible to readers yet.
#[derive(Default)]
struct Encoder {
    distances: HashMap<StateKey, Distance>,
    frames: HashMap<StateKey, Frame>,
}

/// A keyframe that was made here.
enum Frame {
    Whole(Arc<WholeFrame>),
    Against(StateKey),
}

impl Encoder {
    fn encode(&mut self, view: &View<'_>, new: &NewState) -> Result<(StateRow, Option<Keyframe>), StoreError> {
        let Evaluation { state, trace: calls } = &new.evaluation;
        let from = new.base.map(|base| self.distance(view, base)).transpose()?;
        let trace = trace::write(calls);
        let changed = calls.ops().next().is_some();
        let weight = from.map_or(0, |from| from.weight) + if changed { trace.len() as i64 } else { 0 };
        let steps = from.map_or(0, |from| from.steps + 1);
        let (distance, frame) = match from {
            Some(from) if weight < (from.size * 5 / 4).max(MIN_WEIGHT) && steps < MAX_STEPS => {
                (Distance { weight, steps, ..from }, None)
            }
            _ => {
                let (frame, size) = self.keyframe(view, new.key, state, from.map(|from| from.frame))?;
                (Distance { weight: 0, steps: 0, size: size as i64, frame: new.key }, Some(frame))
            }
        };
        self.distances.insert(new.key, distance);
        let paths = changed.then(|| PathFilter::of(calls).to_bytes());
        let (key, memo, hash, base) = (new.key, new.memo, new.hash, new.base);
        Ok((StateRow { key, memo, hash, base, trace, paths, distance }, frame))
    }

    fn distance(&self, view: &View<'_>, key: StateKey) -> Result<Distance, StoreError> {
        match self.distances.get(&key) {
            Some(known) => Ok(*known),
            None => view.distance(key),
        }
    }

    /// Compresses a state: against the keyframe that the last one was compressed against, as long as that takes
    /// less than two fifths of what it would take by itself. Reading it decompresses the other one too.
    /// Returns it with the bytes that it takes by itself.
    fn keyframe(
        &mut self,
        view: &View<'_>,
        key: StateKey,
        state: &Value,
        last: Option<StateKey>,
    ) -> Result<(Keyframe, usize), StoreError> {
        let code = value::write(state);
        let length = code.len();
        if let Some(last) = last {
            let (against, like) = self.whole_frame(view, last)?;
            // The size by itself is estimated from the other one: compressing twice would take too long.
            let size = like.packed * length / like.code.len().max(1);
            let packed = pack_against(&code, &like.code)?;
            if packed.len() * 5 < size * 2 {
                self.frames.insert(key, Frame::Against(against));
                return Ok((Keyframe { against: Some(against), length, packed }, size));
            }
        }
        let packed = pack_state(&code);
        let size = packed.len();
        self.frames.insert(key, Frame::Whole(Arc::new(WholeFrame { code: code.into(), packed: size })));
        Ok((Keyframe { against: None, length, packed }, size))
    }

    /// Returns the keyframe that one stands against, or that one itself.
    fn whole_frame(&self, view: &View<'_>, frame: StateKey) -> Result<(StateKey, Arc<WholeFrame>), StoreError> {
        let against = match self.frames.get(&frame) {
            Some(Frame::Whole(own)) => return Ok((frame, own.clone())),
            Some(Frame::Against(other)) => *other,
            None => view.frame_below(frame)?,
        };
        match self.frames.get(&against) {
            Some(Frame::Whole(own)) => Ok((against, own.clone())),
            _ => Ok((against, view.whole_frame(against)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use storeyline_history::path_states::{StateTable, StateWriter};
    use storeyline_history::{CallTrace, Verdict};
    use storeyline_state::{Change, Op, Step, ValueHash};

    use super::*;
    use crate::collect::Expiry;
    use crate::draft::Never;

    fn count(number: i64) -> Value {
        Value::entries([("n", number.into()), ("text", Value::text("雨".repeat(100)))])
    }

    fn memo(number: i64) -> MemoKey {
        MemoKey::first_state(ValueHash::of(&number.to_le_bytes()))
    }

    /// Adds states that count from 0.
    fn add(draft: &mut Draft<'_>, states: i64) -> Vec<StateKey> {
        let mut keys = vec![draft.put_first_state(memo(0), &count(0)).unwrap()];
        for number in 1..states {
            let change = Change::Set { old: (number - 1).into(), new: number.into() };
            let ops = vec![Op { path: vec![Step::Key("n".into())], change }].into();
            let (name, verdict) = ("@.SET".into(), Verdict::Done);
            let call = CallTrace { name, span: 0..1, verdict, reason: None, ops, diagnostics: Vec::new() };
            let trace = Trace { calls: vec![call], diagnostics: Vec::new() };
            let evaluation = Evaluation { state: count(number), trace };
            keys.push(draft.put_evaluation(memo(number), keys[keys.len() - 1], evaluation).unwrap());
        }
        keys
    }

    #[test]
    fn states_are_the_same_in_the_draft_and_in_the_file_whatever_their_number() {
        for (number, states) in [1, BATCH, BATCH + 1, 5 * BATCH + 7].into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let (owner, mut never) = (Owner::named(&number.to_string()), Never);
            let store = Store::open(&folder.path().join("storeyline.db")).unwrap();
            let mut draft = store.draft(&owner, &mut never);
            let keys = add(&mut draft, states as i64);
            let same = |view: &View<'_>| {
                for (number, key) in keys.iter().enumerate() {
                    let (wanted, ops) = (count(number as i64), usize::from(number > 0));
                    assert_eq!(view.state(*key).unwrap(), wanted);
                    assert_eq!(view.state_hash(*key).unwrap(), wanted.hash());
                    assert_eq!(view.trace(*key).unwrap().ops().count(), ops);
                    assert_eq!(view.may_change(*key, &[Step::Key("n".into())]).unwrap(), ops == 1);
                    assert_eq!(view.memo(memo(number as i64)).unwrap(), Some(*key));
                }
            };
            same(&draft);
            store.commit(draft, Durability::Full).unwrap();
            let again = Store::open(&folder.path().join("storeyline.db")).unwrap();
            same(&again.view(&owner));
            keys.iter().enumerate().for_each(|(number, key)| {
                assert_eq!(again.view(&owner).rebuild(*key).unwrap(), count(number as i64));
            });
        }
    }

    #[test]
    fn a_change_that_ends_early_leaves_what_it_has_evaluated() {
        let folder = tempfile::tempdir().unwrap();
        let (owner, mut never) = (Owner::local(), Never);
        let store = Store::open(&folder.path().join("storeyline.db")).unwrap();
        let mut draft = store.draft(&owner, &mut never);
        let keys = add(&mut draft, 3 * BATCH as i64 + 5);
        drop(draft);
        let view = store.view(&owner);
        let found = |number: usize| view.memo(memo(number as i64)).unwrap();
        assert_eq!(found(3 * BATCH - 1), Some(keys[3 * BATCH - 1]));
        assert_eq!(view.state(keys[3 * BATCH - 1]).unwrap(), count(3 * BATCH as i64 - 1));
        assert_eq!(found(3 * BATCH), None, "less than a batch is not written");
    }

    #[test]
    fn a_state_that_somebody_else_wrote_meanwhile_may_be_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let (owner, mut first, mut second) = (Owner::local(), Never, Never);
        let store = Store::open(&folder.path().join("storeyline.db")).unwrap();
        let mut late = store.draft(&owner, &mut first);
        let _ = late.memo(memo(0)).unwrap();
        let mut early = store.draft(&owner, &mut second);
        add(&mut early, 3);
        store.commit(early, Durability::Normal).unwrap();
        let keys = add(&mut late, 2 * BATCH as i64);
        store.commit(late, Durability::Normal).unwrap();
        let view = store.view(&owner);
        for (number, key) in keys.into_iter().enumerate() {
            let found = view.memo(memo(number as i64)).unwrap().unwrap();
            assert_eq!(view.state(found).unwrap(), view.state(key).unwrap());
        }
    }

    #[test]
    fn a_collection_in_between_leaves_no_state_without_its_base() {
        let folder = tempfile::tempdir().unwrap();
        let (owner, mut first, mut second) = (Owner::local(), Never, Never);
        let store = Store::open(&folder.path().join("storeyline.db")).unwrap();
        let mut draft = store.draft(&owner, &mut first);
        let keys = add(&mut draft, BATCH as i64);
        while store.view(&owner).memo(memo(BATCH as i64 - 1)).unwrap().is_none() {
            thread::yield_now();
        }
        let expiry = Expiry { trash_before: 0, operations_before: 0 };
        assert_eq!(store.collect(&owner, expiry).unwrap().states, BATCH, "nothing refers to them");
        let mut last = keys[BATCH - 1];
        for number in BATCH..3 * BATCH {
            last = draft.put_evaluation(memo(number as i64), last, whole(&count(number as i64))).unwrap();
        }
        assert!(matches!(store.commit(draft, Durability::Normal), Err(StoreError::Conflict)));
        let again = store.draft(&owner, &mut second);
        assert_eq!(again.memo(memo(2 * BATCH as i64)).unwrap(), None, "what it could not be read from is not there");
    }

    #[test]
    fn a_trial_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (owner, mut never) = (Owner::local(), Never);
        let store = Store::open(&folder.path().join("storeyline.db")).unwrap();
        let mut trial = store.trial(&owner, &mut never);
        let keys = add(&mut trial, 2 * BATCH as i64);
        assert_eq!(trial.state(keys[BATCH]).unwrap(), count(BATCH as i64));
        drop(trial);
        assert_eq!(store.work().written, 0);
    }
}
