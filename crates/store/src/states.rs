//! Evaluations and the states they led to: ops against a base, with whole states in between.
//!
//! A whole state (a keyframe) is written when the ops since the last one weigh as much as it does,
//! so bytes per floor stay near twice the ops whatever the size of the state.

use std::sync::Arc;

use storeyline_history::path_states::{Inputs, MemoKey, StateTable};
use storeyline_history::{Evaluation, NodeKey, PageKey, StateKey, Trace};
use storeyline_state::{StateHash, Value};

use crate::code::split;
use crate::error::StoreError;
use crate::fresh::FreshState;
use crate::pack::{pack_against, pack_state, unpack, unpack_against};
use crate::sql::{Row, params};
use crate::state_code;
use crate::trace_code::{self, Places};
use crate::tx::Tx;

/// At the latest after this many steps there is a keyframe.
const MAX_STEPS: i64 = 1_024;

/// A keyframe is not worth its row before.
const LEAST_WEIGHT: i64 = 1_024;

/// If one of so many states before is remembered, those up to the keyframe are not read.
const NEAR: i64 = 2;

/// Up to so many rows for each step are read together; else too many of other branches lie between.
const MOST_PER_STEP: i64 = 2;

/// One statement for all that look at keyframes: to prepare another takes longer than to use it.
const SELECT_KEYFRAME: &str = "SELECT against, length, bytes FROM keyframe WHERE state = $1 AND owner = $2";

/// The way from a base to a state.
struct Step {
    base: Option<i64>,
    trace: Vec<u8>,
}

/// The row of a state.
struct StateRow {
    step: Step,
    /// Nothing if it is damaged.
    hash: Option<StateHash>,
    distance: Distance,
}

/// The state that was made last.
pub(crate) struct LastState {
    key: i64,
    state: Value,
    hash: StateHash,
    distance: Distance,
}

/// A state, and what its row says about it.
struct Rebuilt {
    state: Value,
    hash: StateHash,
    distance: Distance,
}

/// Steps that were read together, by the state they lead to; they rise.
#[derive(Default)]
struct Steps(Vec<(i64, Step)>);

impl Steps {
    /// Takes out the step that leads to a state.
    fn take(&mut self, key: i64) -> Option<Step> {
        // From the last one on: whoever asks goes up, and what is passed over is of another branch.
        while self.0.last().is_some_and(|(state, _)| *state > key) {
            self.0.pop();
        }
        self.0.pop_if(|(state, _)| *state == key).map(|(_, step)| step)
    }
}

/// How far a state is from its keyframe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    /// Bytes of ops since the keyframe.
    pub(crate) weight: i64,
    pub(crate) steps: i64,
    /// Bytes of the keyframe, packed by itself.
    pub(crate) size: i64,
    /// The state that has the keyframe.
    pub(crate) frame: i64,
}

impl StateTable for Tx<'_> {
    fn inputs(&self, page: PageKey) -> Result<Inputs, StoreError> {
        self.inputs_of_page(page)
    }

    fn page_text(&self, page: PageKey) -> Result<String, StoreError> {
        self.text_of_page(page)
    }

    fn set_state_of(&mut self, node: NodeKey, state: StateKey) -> Result<(), StoreError> {
        self.write_state_of(node, state)
    }

    fn was_never_evaluated(&self, page: PageKey) -> bool {
        self.unevaluated.get() == Some(page)
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        let memo = first_16(&key);
        let is = |state: &&FreshState| state.memo.is_some_and(|own| own == memo);
        if let Some(fresh) = self.in_fresh(|batch| batch.states.iter().find(is).map(|state| state.id)) {
            return Ok(Some(StateKey(fresh)));
        }
        let (first, rest) = split(&memo);
        if !self.may_have_memo(first) {
            return Ok(None);
        }
        let sql = "SELECT id FROM state WHERE owner = $1 AND memo = $2 AND rest = $3";
        let found = self.one(sql, params![self.owner, first, rest], |row| row.int(0))?;
        if found.is_none() {
            self.miss_memo()?;
        }
        Ok(found.map(StateKey))
    }

    fn put_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, StoreError> {
        let memo = first_16(&key);
        self.add_memo(split(&memo).0);
        let trace = trace_code::write(&Trace::default());
        let new = NewState { memo: Some(memo), hash: state.hash(), base: None, trace, paths: None };
        Ok(StateKey(self.put_whole(new, state, None)?.0))
    }

    fn put_evaluation(
        &mut self,
        key: MemoKey,
        base: StateKey,
        evaluation: &Evaluation,
    ) -> Result<StateKey, StoreError> {
        self.unevaluated.set(None);
        let from = self.distance(base)?;
        let trace = trace_code::write(&evaluation.trace);
        let changed = evaluation.trace.ops().next().is_some();
        let weight = from.weight + if changed { trace.len() as i64 } else { 0 };
        let steps = from.steps + 1;
        let hash = evaluation.state.hash();
        let memo = first_16(&key);
        self.add_memo(split(&memo).0);
        let new = NewState {
            memo: Some(memo),
            hash,
            base: Some(base.0),
            trace,
            paths: changed.then(|| Places::of(&evaluation.trace).to_bytes()),
        };
        let whole = weight >= (from.size * 5 / 4).max(LEAST_WEIGHT) || steps >= MAX_STEPS;
        let (state, distance) = match whole {
            true => self.put_whole(new, &evaluation.state, Some(from.frame))?,
            false => {
                let distance = Distance { weight, steps, ..from };
                (self.put_state(new, |_| distance)?, distance)
            }
        };
        // The next floor asks for it; whoever changes many floors leaves only the last one behind.
        let last = LastState { key: state, state: evaluation.state.clone(), hash, distance };
        self.last_state.replace(Some(last));
        Ok(StateKey(state))
    }

    fn state_hash(&self, key: StateKey) -> Result<StateHash, StoreError> {
        self.hash_of_state(key)
    }

    fn state(&self, key: StateKey) -> Result<Value, StoreError> {
        if let Some((state, _)) = self.remembered_state(key.0) {
            return Ok(state);
        }
        let Rebuilt { state, hash, distance } = self.rebuild_from(key, true)?;
        self.recent.distances.put(self.owner, key.0, distance);
        self.recent.remember_state(self.owner, key.0, (state.clone(), hash), distance.frame, distance.size);
        Ok(state)
    }

    fn kept_state(&self, page: PageKey) -> Result<Value, StoreError> {
        self.state(self.kept(page)?.ok_or_else(|| StoreError::missing("kept state of page", page.0))?)
    }
}

impl Tx<'_> {
    fn remembered_state(&self, key: i64) -> Option<(Value, StateHash)> {
        let last = self.last_state.borrow();
        match last.as_ref().filter(|last| last.key == key) {
            Some(last) => Some((last.state.clone(), last.hash)),
            None => self.recent.state(self.owner, key),
        }
    }

    /// Remembers the last state for the next transaction.
    pub(crate) fn remember_last_state(&self) {
        if let Some(LastState { key, state, hash, distance }) = self.last_state.take() {
            self.recent.distances.put(self.owner, key, distance);
            self.recent.remember_state(self.owner, key, (state, hash), distance.frame, distance.size);
        }
    }

    /// Keeps a state that answers no evaluation: what a page keeps, whatever would be computed.
    pub fn put_lone_state(&mut self, state: &Value) -> Result<StateKey, StoreError> {
        let trace = trace_code::write(&Trace::default());
        let new = NewState { memo: None, hash: state.hash(), base: None, trace, paths: None };
        Ok(StateKey(self.put_whole(new, state, None)?.0))
    }

    fn put_state(&self, new: NewState, distance: impl FnOnce(i64) -> Distance) -> Result<i64, StoreError> {
        self.keep(|batch, numbers| {
            numbers.state += 1;
            let (id, distance) = (numbers.state, distance(numbers.state));
            let NewState { memo, hash, base, trace, paths } = new;
            batch.states.push(FreshState { id, memo, hash, base, trace, paths, distance });
            id
        })
    }

    /// Keeps a state together with its keyframe.
    fn put_whole(&self, new: NewState, value: &Value, last: Option<i64>) -> Result<(i64, Distance), StoreError> {
        let whole = state_code::write(value);
        let frame = self.frame_of(&whole, last)?;
        let distance = |frame: i64, size: usize| Distance { weight: 0, steps: 0, size: size as i64, frame };
        let state = self.put_state(new, |state| distance(state, frame.size))?;
        let sql = "INSERT INTO keyframe (state, owner, against, length, bytes) VALUES ($1, $2, $3, $4, $5)";
        self.run(sql, params![state, self.owner, frame.against, whole.len(), &frame.packed])?;
        Ok((state, distance(state, frame.size)))
    }

    /// Writes an evaluation again where it lies; what was there was damaged.
    pub fn mend_evaluation(&mut self, key: StateKey, evaluation: &Evaluation) -> Result<(), StoreError> {
        self.settle()?;
        let sql = "UPDATE state SET hash = $1, trace = $2, paths = $3 WHERE id = $4 AND owner = $5";
        let trace = trace_code::write(&evaluation.trace);
        let changed = evaluation.trace.ops().next().is_some();
        let places = Places::of(&evaluation.trace).to_bytes();
        let hash = evaluation.state.hash();
        self.run(sql, params![hash.as_bytes(), &trace, changed.then_some(&places[..]), key.0, self.owner])?;
        let sql = "UPDATE keyframe SET against = NULL, length = $1, bytes = $2 WHERE state = $3 AND owner = $4";
        let whole = state_code::write(&evaluation.state);
        self.run(sql, params![whole.len(), &pack_state(&whole), key.0, self.owner])?;
        self.last_state.take();
        self.recent.forget();
        Ok(())
    }

    /// Returns what happened in an evaluation.
    pub fn trace(&self, key: StateKey) -> Result<Trace, StoreError> {
        let sql = "SELECT trace FROM state WHERE id = $1 AND owner = $2";
        let found = match self.in_fresh(|batch| batch.state(key.0).map(|state| trace_code::read(&state.trace))) {
            Some(fresh) => Some(fresh),
            None => self.one(sql, params![key.0, self.owner], |row| Ok(trace_code::read(row.bytes(0)?)))?,
        };
        let found = found.ok_or_else(|| StoreError::missing("state", key.0))?;
        found.ok_or_else(|| StoreError::damaged("trace of state", key.0))
    }

    /// Tells whether an evaluation may have changed the value at a path; if not, it did not.
    pub fn may_change(&self, key: StateKey, path: &[storeyline_state::Step]) -> Result<bool, StoreError> {
        let sql = "SELECT paths FROM state WHERE id = $1 AND owner = $2";
        let may = |bytes: Option<&[u8]>| {
            bytes.is_some_and(|bytes| Places::from_bytes(bytes).is_none_or(|held| held.may_hold(path)))
        };
        let fresh = |state: &FreshState| may(state.paths.as_ref().map(|paths| &paths[..]));
        let found = match self.in_fresh(|batch| batch.state(key.0).map(fresh)) {
            Some(fresh) => Some(fresh),
            None => self.one(sql, params![key.0, self.owner], |row| Ok(may(row.maybe_bytes(0)?)))?,
        };
        found.ok_or_else(|| StoreError::missing("state", key.0))
    }

    /// Returns a state from what is stored, past what is remembered.
    pub fn rebuild(&self, key: StateKey) -> Result<Value, StoreError> {
        Ok(self.rebuild_from(key, false)?.state)
    }

    /// Climbs to the next whole state, or to one that is remembered, and comes down again.
    fn rebuild_from(&self, key: StateKey, remembered: bool) -> Result<Rebuilt, StoreError> {
        let mut ahead = Steps::default();
        let StateRow { mut step, hash, distance } = self.state_row(key.0, remembered, &mut ahead)?;
        let hash = hash.ok_or_else(|| StoreError::damaged("state", key.0))?;
        let mut later: Vec<Vec<u8>> = Vec::with_capacity(ahead.0.len() + 1);
        let mut here = key.0;
        let mut state = loop {
            let Some(base) = step.base.filter(|_| here != distance.frame) else { break self.keyframe(here)? };
            later.push(step.trace);
            here = base;
            if remembered && let Some((state, _)) = self.remembered_state(here) {
                break state;
            }
            step = match ahead.take(here) {
                Some(step) => step,
                None => self.state_row(here, remembered, &mut ahead)?.step,
            };
        };
        for trace in later.iter().rev() {
            trace_code::carry_out(trace, &mut state).ok_or_else(|| StoreError::damaged("state", key.0))?;
        }
        Ok(Rebuilt { state, hash, distance })
    }

    /// Reads the row of a state and, in the same look, the steps from its keyframe on, unless one of the next
    /// may be remembered.
    fn state_row(&self, key: i64, remembered: bool, ahead: &mut Steps) -> Result<StateRow, StoreError> {
        let fresh = |state: &FreshState| {
            let FreshState { base, hash, distance, .. } = *state;
            StateRow { step: Step { base, trace: state.trace.clone() }, hash: Some(hash), distance }
        };
        if let Some(row) = self.in_fresh(|batch| batch.state(key).map(fresh)) {
            return Ok(row);
        }
        let is_near = remembered && (1..=NEAR).any(|back| self.remembered_state(key - back).is_some());
        let most_per_step = if is_near { 0 } else { MOST_PER_STEP };
        // The owner is not to be looked for by its index: the numbers are few.
        let sql = "SELECT id, base, trace, hash, weight, steps, size, frame FROM state
                   WHERE id <= $1 AND owner + 0 = $2 AND id >= (
                       SELECT CASE WHEN k.id - k.frame <= k.steps * $3 THEN k.frame ELSE k.id END
                       FROM state k WHERE k.id = $1 AND k.owner = $2)
                   ORDER BY id";
        let mut found = None;
        ahead.0 = self.many(sql, params![key, self.owner, most_per_step], |row| {
            let id = row.int(0)?;
            if id == key {
                let hash = StateHash::from_slice(row.bytes(3)?).ok();
                found = Some((hash, read_distance(row, 4)?));
            }
            Ok((id, Step { base: row.maybe_int(1)?, trace: row.bytes(2)?.to_vec() }))
        })?;
        let row = found.zip(ahead.take(key)).map(|((hash, distance), step)| StateRow { step, hash, distance });
        row.ok_or_else(|| StoreError::missing("state", key))
    }

    pub(crate) fn hash_of_state(&self, key: StateKey) -> Result<StateHash, StoreError> {
        if let Some((_, hash)) = self.remembered_state(key.0) {
            return Ok(hash);
        }
        if let Some(fresh) = self.in_fresh(|batch| batch.state(key.0).map(|state| state.hash)) {
            return Ok(fresh);
        }
        let sql = "SELECT hash FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| Ok(StateHash::from_slice(row.bytes(0)?)))?;
        let found = found.ok_or_else(|| StoreError::missing("state", key.0))?;
        found.map_err(|_| StoreError::damaged("state", key.0))
    }

    fn distance(&self, key: StateKey) -> Result<Distance, StoreError> {
        if let Some(last) = self.last_state.borrow().as_ref().filter(|last| last.key == key.0) {
            return Ok(last.distance);
        }
        if let Some(known) = self.recent.distances.get(self.owner, key.0) {
            return Ok(known);
        }
        if let Some(fresh) = self.in_fresh(|batch| batch.state(key.0).map(|state| state.distance)) {
            return Ok(fresh);
        }
        let sql = "SELECT weight, steps, size, frame FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| read_distance(row, 0))?;
        found.ok_or_else(|| StoreError::missing("state", key.0))
    }

    /// Packs a state whole: against the one that the last keyframes lean on while that takes less than two
    /// fifths of what it would take by itself, else by itself. Whoever reads it unpacks the other one too.
    fn frame_of(&self, whole: &[u8], last: Option<i64>) -> Result<Frame, StoreError> {
        let leaning = match last {
            Some(last) => self.lean(whole, self.leaned_on(last)?)?,
            None => None,
        };
        Ok(leaning.unwrap_or_else(|| {
            let packed = pack_state(whole);
            Frame { against: None, size: packed.len(), packed }
        }))
    }

    /// Packs a state against another one; nothing if that is not worth it. How long it would be by itself is
    /// judged by the other: to find out would take longer than all the rest.
    fn lean(&self, whole: &[u8], against: i64) -> Result<Option<Frame>, StoreError> {
        let like = self.lone_frame(against)?;
        let size = like.packed * whole.len() / like.whole.len().max(1);
        let packed = pack_against(whole, &like.whole)?;
        Ok((packed.len() * 5 < size * 2).then_some(Frame { against: Some(against), size, packed }))
    }

    /// The keyframe that stands by itself and that another one is written against.
    fn leaned_on(&self, frame: i64) -> Result<i64, StoreError> {
        let found = self.one(SELECT_KEYFRAME, params![frame, self.owner], |row| row.maybe_int(0))?;
        Ok(found.ok_or_else(|| StoreError::missing("keyframe", frame))?.unwrap_or(frame))
    }

    /// A keyframe that stands by itself; the last one is remembered, because others lean on it.
    fn lone_frame(&self, frame: i64) -> Result<Arc<LoneFrame>, StoreError> {
        if let Some(known) = self.recent.frames.get(self.owner, frame) {
            return Ok(known);
        }
        let found = self.one(SELECT_KEYFRAME, params![frame, self.owner], |row| {
            let (against, length, packed) = (row.maybe_int(0)?, row.count(1)?, row.bytes(2)?);
            let whole = unpack(packed).filter(|whole| against.is_none() && whole.len() == length);
            Ok(whole.map(|whole| LoneFrame { whole: whole.into(), packed: packed.len() }))
        })?;
        let lone = found.ok_or_else(|| StoreError::missing("keyframe", frame))?;
        let lone = Arc::new(lone.ok_or_else(|| StoreError::damaged("keyframe", frame))?);
        self.recent.frames.put(self.owner, frame, lone.clone());
        Ok(lone)
    }

    fn keyframe(&self, frame: i64) -> Result<Value, StoreError> {
        // What it leans on is asked for by the same statement, so this one has to end first.
        let found = self.one(SELECT_KEYFRAME, params![frame, self.owner], |row| {
            let (against, length, packed) = (row.maybe_int(0)?, row.count(1)?, row.bytes(2)?);
            Ok(match against {
                None => Keyframe::Lone(unpack(packed).filter(|whole| whole.len() == length)),
                Some(against) => Keyframe::Leaning { against, length, packed: packed.to_vec() },
            })
        })?;
        let state = match found.ok_or_else(|| StoreError::missing("keyframe", frame))? {
            Keyframe::Lone(whole) => whole.and_then(|whole| state_code::read(&whole)),
            Keyframe::Leaning { against, length, packed } => {
                unpack_against(&packed, &self.lone_frame(against)?.whole, length, state_code::read)
            }
        };
        state.ok_or_else(|| StoreError::damaged("keyframe", frame))
    }
}

/// A keyframe as it was read.
enum Keyframe {
    /// Its code; nothing if it is damaged.
    Lone(Option<Vec<u8>>),
    Leaning {
        against: i64,
        length: usize,
        packed: Vec<u8>,
    },
}

/// A state that is to be written, without its place in a chain.
struct NewState {
    memo: Option<[u8; 16]>,
    hash: StateHash,
    base: Option<i64>,
    trace: Vec<u8>,
    paths: Option<[u8; 16]>,
}

/// Reads the columns of a distance, of which this is the first.
fn read_distance(row: &dyn Row, first: usize) -> Result<Distance, StoreError> {
    let number = |place: usize| row.int(first + place);
    Ok(Distance { weight: number(0)?, steps: number(1)?, size: number(2)?, frame: number(3)? })
}

/// What is kept of a memo key.
fn first_16(key: &MemoKey) -> [u8; 16] {
    let mut first = [0; 16];
    first.copy_from_slice(&key.as_bytes()[..16]);
    first
}

/// A keyframe that is to be written.
struct Frame {
    against: Option<i64>,
    /// What it takes by itself.
    size: usize,
    packed: Vec<u8>,
}

/// A keyframe that stands by itself.
pub(crate) struct LoneFrame {
    whole: Arc<[u8]>,
    /// Its length on disk.
    packed: usize,
}
