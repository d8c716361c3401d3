//! Evaluations and the states they led to: ops against a base, with whole states in between.
//!
//! A whole state (a keyframe) is written when the ops since the last one weigh as much as it does,
//! so bytes per floor stay near twice the ops whatever the size of the state.

use std::sync::Arc;

use storeyline_history::path_states::MemoKey;
use storeyline_history::{Evaluation, StateKey, Trace};
use storeyline_state::{StateHash, Step, Value};

use crate::cache::CachedState;
use crate::codec::filter::PathFilter;
use crate::codec::pack::{pack_against, pack_state, unpack, unpack_against};
use crate::codec::{trace, value};
use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::{Next, Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "state",
    &["owner", "id", "memo", "hash", "base", "trace", "paths", "weight", "steps", "size", "frame"],
    &["id"],
);

pub(crate) static KEYFRAMES: Table =
    Table::new("keyframe", &["owner", "state", "root", "against", "length", "bytes"], &["owner", "state", "root"]);

/// The root of a state that a keyframe holds. Tables will be 1.
const VARIABLES: i64 = 0;

/// At the latest after this many steps there is a keyframe.
const MAX_STEPS: i64 = 1_024;

/// A keyframe is not worth its row before, in bytes of ops.
const MIN_WEIGHT: i64 = 1_024;

/// States of other branches that are read over on the way back to a keyframe.
const MAX_OTHERS: usize = 32;

/// How far a state is from its keyframe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    /// Bytes of ops since the keyframe.
    pub(crate) weight: i64,
    pub(crate) steps: i64,
    /// Bytes that the keyframe takes compressed by itself.
    pub(crate) size: i64,
    /// The state that has the keyframe.
    pub(crate) frame: StateKey,
}

/// A state as it lies in its row.
#[derive(Debug, Clone)]
pub(crate) struct StateRow {
    pub(crate) key: StateKey,
    pub(crate) memo: Option<[u8; 16]>,
    pub(crate) hash: StateHash,
    pub(crate) base: Option<StateKey>,
    pub(crate) trace: Vec<u8>,
    pub(crate) paths: Option<[u8; 16]>,
    pub(crate) distance: Distance,
}

/// A whole state as it lies in its row.
#[derive(Clone)]
pub(crate) struct Keyframe {
    /// The state whose keyframe is the dictionary.
    against: Option<StateKey>,
    length: usize,
    packed: Vec<u8>,
}

/// A keyframe that stands by itself.
pub(crate) struct WholeFrame {
    pub(crate) code: Arc<[u8]>,
    /// Its length on disk.
    packed: usize,
}

/// The way back from a state to one whose value is known.
struct Way {
    /// The state whose row is needed next.
    next: StateKey,
    use_cache: bool,
    /// Of the state where the way begins.
    state: Option<(StateHash, Distance)>,
    /// The ops of the steps, the last first.
    ops: Vec<Vec<u8>>,
    start: Option<Start>,
}

enum Start {
    Keyframe(StateKey),
    Cached(Value),
}

fn read(row: &dyn Row) -> Result<StateRow, StoreError> {
    Ok(StateRow {
        key: StateKey(row.int(1)?),
        memo: if row.maybe_bytes(2)?.is_some() { Some(row.fixed(2)?) } else { None },
        hash: StateHash::from_bytes(row.fixed(3)?),
        base: row.maybe_int(4)?.map(StateKey),
        trace: row.bytes(5)?.to_vec(),
        paths: if row.maybe_bytes(6)?.is_some() { Some(row.fixed(6)?) } else { None },
        distance: Distance {
            weight: row.int(7)?,
            steps: row.int(8)?,
            size: row.int(9)?,
            frame: StateKey(row.int(10)?),
        },
    })
}

fn columns(owner: OwnerKey, state: &StateRow) -> Vec<Param<'_>> {
    let Distance { weight, steps, size, frame } = state.distance;
    let memo = state.memo.as_ref().map(|memo| &memo[..]);
    let paths = state.paths.as_ref().map(|paths| &paths[..]);
    let hash = state.hash.as_bytes();
    params![owner, state.key, memo, hash, state.base, &state.trace, paths, weight, steps, size, frame].to_vec()
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, states: &[StateRow]) -> Result<(), StoreError> {
    TABLE.insert(sql, &states.iter().map(|state| columns(owner, state)).collect::<Vec<_>>())
}

pub(crate) fn insert_keyframes(
    sql: &dyn Sql,
    owner: OwnerKey,
    frames: &[(StateKey, Keyframe)],
) -> Result<(), StoreError> {
    let mut rows: Vec<Vec<Param<'_>>> = Vec::with_capacity(frames.len());
    for (state, Keyframe { against, length, packed }) in frames {
        rows.push(params![owner, *state, VARIABLES, *against, *length, packed].to_vec());
    }
    KEYFRAMES.insert(sql, &rows)
}

/// Writes an evaluation again where it lies; what was there was damaged.
pub(crate) fn repair(sql: &dyn Sql, owner: OwnerKey, key: StateKey, evaluation: &Evaluation) -> Result<(), StoreError> {
    let sql_row = "SELECT memo, base, weight, steps, size, frame FROM state WHERE owner = $1 AND id = $2";
    let (hash, trace) = (evaluation.state.hash(), trace::write(&evaluation.trace));
    let paths = has_ops(&evaluation.trace).then(|| PathFilter::of(&evaluation.trace).to_bytes());
    let row = sql.one(sql_row, params![owner, key], |row| {
        let memo = if row.maybe_bytes(0)?.is_some() { Some(row.fixed(0)?) } else { None };
        let (weight, steps, size, frame) = (row.int(2)?, row.int(3)?, row.int(4)?, StateKey(row.int(5)?));
        let (base, distance) = (row.maybe_int(1)?.map(StateKey), Distance { weight, steps, size, frame });
        Ok(StateRow { key, memo, hash, base, trace: trace.clone(), paths, distance })
    })?;
    let row = row.ok_or_else(|| StoreError::missing("state", key.0))?;
    TABLE.put(sql, &columns(owner, &row))?;
    if row.distance.steps > 0 {
        return Ok(());
    }
    sql.run("DELETE FROM keyframe WHERE owner = $1 AND state = $2", params![owner, key])?;
    let code = value::write(&evaluation.state);
    let packed = pack_state(&code);
    insert_keyframes(sql, owner, &[(key, Keyframe { against: None, length: code.len(), packed })])
}

fn has_ops(trace: &Trace) -> bool {
    trace.ops().next().is_some()
}

/// What is kept of a memo key.
fn first_16(key: &MemoKey) -> [u8; 16] {
    let mut first = [0; 16];
    first.copy_from_slice(&key.as_bytes()[..16]);
    first
}

impl View<'_> {
    pub(crate) fn find_memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        let memo = first_16(&key);
        if let Some(state) = self.rows.memos.get(&memo) {
            return Ok(Some(*state));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let sql = "SELECT id FROM state WHERE owner = $1 AND memo = $2";
        Ok(self.sql()?.one(sql, params![owner, &memo], |row| row.int(0))?.map(StateKey))
    }

    pub(crate) fn hash_of_state(&self, key: StateKey) -> Result<StateHash, StoreError> {
        match self.cached_state(key)? {
            Some(cached) => Ok(cached.hash),
            None => Ok(self.state_row(key)?.hash),
        }
    }

    pub(crate) fn stored_state(&self, key: StateKey) -> Result<CachedState, StoreError> {
        if let Some(cached) = self.cached_state(key)? {
            return Ok(cached);
        }
        let found = self.rebuild_from(key, true)?;
        if self.rows.state(key).is_none() {
            self.cache(key.0, found.clone())?;
        }
        Ok(found)
    }

    fn cached_state(&self, key: StateKey) -> Result<Option<CachedState>, StoreError> {
        match &self.rows.last_state {
            Some((own, last)) if *own == key => Ok(Some(last.clone())),
            _ => self.cached(key.0),
        }
    }

    pub fn trace(&self, key: StateKey) -> Result<Trace, StoreError> {
        let row = self.state_row(key)?;
        trace::read(&row.trace).ok_or_else(|| StoreError::damaged("trace of state", key.0))
    }

    /// Tells whether an evaluation may have changed the value at a path; if not, it did not.
    pub fn may_change(&self, key: StateKey, path: &[Step]) -> Result<bool, StoreError> {
        let paths = self.state_row(key)?.paths;
        Ok(paths.is_some_and(|bytes| PathFilter::from_bytes(&bytes).is_none_or(|filter| filter.may_contain(path))))
    }

    /// Returns a state from what is stored, past the cache.
    pub fn rebuild(&self, key: StateKey) -> Result<Value, StoreError> {
        Ok(self.rebuild_from(key, false)?.state)
    }

    /// Goes back to the next keyframe, or to a cached state, and applies the ops from there.
    fn rebuild_from(&self, key: StateKey, use_cache: bool) -> Result<CachedState, StoreError> {
        let damaged = || StoreError::damaged("state", key.0);
        let mut way = Way { next: key, use_cache, state: None, ops: Vec::new(), start: None };
        while way.start.is_none() {
            match self.rows.state(way.next) {
                Some(own) => self.step_back(&mut way, own.clone())?,
                None => self.walk_back(&mut way)?,
            }
        }
        let mut state = match way.start.ok_or_else(damaged)? {
            Start::Keyframe(frame) => self.keyframe(frame)?,
            Start::Cached(state) => state,
        };
        for ops in way.ops.iter().rev() {
            trace::apply_ops(ops, &mut state).ok_or_else(damaged)?;
        }
        let (hash, distance) = way.state.ok_or_else(damaged)?;
        Ok(CachedState { state, hash, distance })
    }

    fn step_back(&self, way: &mut Way, row: StateRow) -> Result<(), StoreError> {
        let (_, distance) = *way.state.get_or_insert((row.hash, row.distance));
        let Some(base) = row.base.filter(|_| row.key != distance.frame) else {
            way.start = Some(Start::Keyframe(row.key));
            return Ok(());
        };
        way.ops.push(row.trace);
        way.next = base;
        if way.ops.len() as i64 > MAX_STEPS {
            return Err(StoreError::damaged("state", row.key.0));
        }
        if way.use_cache {
            way.start = self.cached_state(base)?.map(|cached| Start::Cached(cached.state));
        }
        Ok(())
    }

    /// Steps back through stored states with one statement, as long as few of other branches lie between.
    fn walk_back(&self, way: &mut Way) -> Result<(), StoreError> {
        let (first, mut others) = (way.next, 0);
        let rest = "owner = $1 AND id <= $2 ORDER BY id DESC";
        TABLE.visit(self.sql()?, rest, params![self.owner()?, first], &mut |row| {
            let row = read(row)?;
            if row.key == way.next {
                self.step_back(way, row)?;
            } else if way.next == first {
                return Err(StoreError::missing("state", first.0));
            } else {
                others += 1;
            }
            Ok(if way.start.is_some() || others > MAX_OTHERS { Next::Stop } else { Next::Row })
        })?;
        if way.next == first && way.start.is_none() {
            return Err(StoreError::missing("state", first.0));
        }
        Ok(())
    }

    fn state_row(&self, key: StateKey) -> Result<StateRow, StoreError> {
        if let Some(own) = self.rows.state(key) {
            return Ok(own.clone());
        }
        let found = TABLE.one(self.sql()?, "owner = $1 AND id = $2", params![self.owner()?, key], read)?;
        found.ok_or_else(|| StoreError::missing("state", key.0))
    }

    fn keyframe(&self, frame: StateKey) -> Result<Value, StoreError> {
        let Keyframe { against, length, packed } = self.stored_keyframe(frame)?;
        let state = match against {
            None => unpack(&packed).filter(|code| code.len() == length).and_then(|code| value::read(&code)),
            Some(against) => unpack_against(&packed, &self.whole_frame(against)?.code, length, value::read),
        };
        state.ok_or_else(|| StoreError::damaged("keyframe", frame.0))
    }

    /// Returns a keyframe that others are compressed against.
    fn whole_frame(&self, frame: StateKey) -> Result<Arc<WholeFrame>, StoreError> {
        let is_stored = self.rows.keyframe(frame).is_none();
        if is_stored && let Some(cached) = self.cached(frame.0)? {
            return Ok(cached);
        }
        let Keyframe { against, length, packed } = self.stored_keyframe(frame)?;
        let code = unpack(&packed).filter(|code| against.is_none() && code.len() == length);
        let code = code.ok_or_else(|| StoreError::damaged("keyframe", frame.0))?;
        let whole = Arc::new(WholeFrame { code: code.into(), packed: packed.len() });
        if is_stored {
            self.cache(frame.0, whole.clone())?;
        }
        Ok(whole)
    }

    fn stored_keyframe(&self, frame: StateKey) -> Result<Keyframe, StoreError> {
        if let Some(own) = self.rows.keyframe(frame) {
            return Ok(own.clone());
        }
        let rest = "owner = $1 AND state = $2 AND root = $3";
        let found = KEYFRAMES.one(self.sql()?, rest, params![self.owner()?, frame, VARIABLES], |row| {
            let against = row.maybe_int(3)?.map(StateKey);
            Ok(Keyframe { against, length: row.count(4)?, packed: row.bytes(5)?.to_vec() })
        })?;
        found.ok_or_else(|| StoreError::missing("keyframe", frame.0))
    }

    fn distance(&self, key: StateKey) -> Result<Distance, StoreError> {
        match self.cached_state(key)? {
            Some(cached) => Ok(cached.distance),
            None => Ok(self.state_row(key)?.distance),
        }
    }
}

impl Draft<'_> {
    pub(crate) fn add_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, StoreError> {
        self.add_whole_state(Some(first_16(&key)), state)
    }

    /// Adds a state that answers no evaluation: one that a page keeps.
    pub fn put_lone_state(&mut self, state: &Value) -> Result<StateKey, StoreError> {
        self.add_whole_state(None, state)
    }

    fn add_whole_state(&mut self, memo: Option<[u8; 16]>, state: &Value) -> Result<StateKey, StoreError> {
        let (key, (frame, size)) = (self.next_state()?, self.pack_keyframe(state, None)?);
        let distance = Distance { weight: 0, steps: 0, size: size as i64, frame: key };
        self.view.rows.keyframes.push((key, frame));
        let row = StateRow { key, memo, hash: state.hash(), base: None, trace: Vec::new(), paths: None, distance };
        self.add_state(row, state.clone());
        Ok(key)
    }

    pub(crate) fn add_evaluation(
        &mut self,
        key: MemoKey,
        base: StateKey,
        evaluation: &Evaluation,
    ) -> Result<StateKey, StoreError> {
        let from = self.distance(base)?;
        let trace = trace::write(&evaluation.trace);
        let changed = has_ops(&evaluation.trace);
        let weight = from.weight + if changed { trace.len() as i64 } else { 0 };
        let steps = from.steps + 1;
        let own = self.next_state()?;
        let distance = match weight >= (from.size * 5 / 4).max(MIN_WEIGHT) || steps >= MAX_STEPS {
            false => Distance { weight, steps, ..from },
            true => {
                let (frame, size) = self.pack_keyframe(&evaluation.state, Some(from.frame))?;
                self.view.rows.keyframes.push((own, frame));
                Distance { weight: 0, steps: 0, size: size as i64, frame: own }
            }
        };
        let paths = changed.then(|| PathFilter::of(&evaluation.trace).to_bytes());
        let (memo, hash) = (Some(first_16(&key)), evaluation.state.hash());
        let row = StateRow { key: own, memo, hash, base: Some(base), trace, paths, distance };
        self.add_state(row, evaluation.state.clone());
        Ok(own)
    }

    fn next_state(&mut self) -> Result<StateKey, StoreError> {
        self.new_id(IdKind::State).map(StateKey)
    }

    /// The last state stays in memory, because the next floor asks for it.
    fn add_state(&mut self, row: StateRow, state: Value) {
        let rows = &mut self.view.rows;
        rows.memos.extend(row.memo.map(|memo| (memo, row.key)));
        rows.last_state = Some((row.key, CachedState { state, hash: row.hash, distance: row.distance }));
        rows.states.push(row);
    }

    /// Compresses a state: against the keyframe that the last one was compressed against, as long as that takes
    /// less than two fifths of what it would take by itself. Reading it decompresses the other one too.
    /// Returns it with the bytes that it takes by itself.
    fn pack_keyframe(&self, state: &Value, last: Option<StateKey>) -> Result<(Keyframe, usize), StoreError> {
        let code = value::write(state);
        let length = code.len();
        if let Some(last) = last {
            let against = self.stored_keyframe(last)?.against.unwrap_or(last);
            let like = self.whole_frame(against)?;
            // The size by itself is estimated from the other one: compressing twice would take too long.
            let size = like.packed * length / like.code.len().max(1);
            let packed = pack_against(&code, &like.code)?;
            if packed.len() * 5 < size * 2 {
                return Ok((Keyframe { against: Some(against), length, packed }, size));
            }
        }
        let packed = pack_state(&code);
        let size = packed.len();
        Ok((Keyframe { against: None, length, packed }, size))
    }
}
