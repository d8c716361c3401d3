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
use crate::codec::pack::{pack_state, unpack, unpack_against};
use crate::codec::{trace, value};
use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::new_states::MAX_STEPS;
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
    pub(crate) against: Option<StateKey>,
    pub(crate) length: usize,
    pub(crate) packed: Vec<u8>,
}

/// A keyframe that stands by itself.
pub(crate) struct WholeFrame {
    pub(crate) code: Arc<[u8]>,
    /// Its length on disk.
    pub(crate) packed: usize,
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

pub(crate) fn read(row: &dyn Row) -> Result<StateRow, StoreError> {
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

pub(crate) fn columns(owner: OwnerKey, state: &StateRow) -> Vec<Param<'_>> {
    let Distance { weight, steps, size, frame } = state.distance;
    let memo = state.memo.as_ref().map(|memo| &memo[..]);
    let paths = state.paths.as_ref().map(|paths| &paths[..]);
    let hash = state.hash.as_bytes();
    params![owner, state.key, memo, hash, state.base, &state.trace, paths, weight, steps, size, frame].to_vec()
}

pub(crate) fn insert<'a>(
    sql: &dyn Sql,
    owner: OwnerKey,
    states: impl Iterator<Item = &'a StateRow>,
) -> Result<(), StoreError> {
    TABLE.insert(sql, &states.map(|state| columns(owner, state)).collect::<Vec<_>>())
}

pub(crate) fn exists(sql: &dyn Sql, owner: OwnerKey, key: StateKey) -> Result<bool, StoreError> {
    let found = sql.one("SELECT id FROM state WHERE owner = $1 AND id = $2", params![owner, key], |row| row.int(0))?;
    Ok(found.is_some())
}

pub(crate) fn insert_keyframes<'a>(
    sql: &dyn Sql,
    owner: OwnerKey,
    frames: impl Iterator<Item = (StateKey, &'a Keyframe)>,
) -> Result<(), StoreError> {
    let mut rows: Vec<Vec<Param<'_>>> = Vec::new();
    for (state, Keyframe { against, length, packed }) in frames {
        rows.push(params![owner, state, VARIABLES, *against, *length, packed].to_vec());
    }
    KEYFRAMES.insert(sql, &rows)
}

/// Writes a state whole, in the place of what was there.
pub(crate) fn rewrite(
    sql: &dyn Sql,
    owner: OwnerKey,
    key: StateKey,
    memo: Option<MemoKey>,
    base: Option<StateKey>,
    evaluation: &Evaluation,
) -> Result<(), StoreError> {
    let code = value::write(&evaluation.state);
    let frame = Keyframe { against: None, length: code.len(), packed: pack_state(&code) };
    let is_changing = evaluation.trace.ops().next().is_some();
    let row = StateRow {
        key,
        memo: memo.as_ref().map(first_16),
        hash: evaluation.state.hash(),
        base,
        trace: trace::write(&evaluation.trace),
        paths: is_changing.then(|| PathFilter::of(&evaluation.trace).to_bytes()),
        distance: Distance { weight: 0, steps: 0, size: frame.packed.len() as i64, frame: key },
    };
    sql.run("DELETE FROM state WHERE id = $1", params![key])?;
    sql.run("DELETE FROM keyframe WHERE owner = $1 AND state = $2", params![owner, key])?;
    insert(sql, owner, [&row].into_iter())?;
    insert_keyframes(sql, owner, [(key, &frame)].into_iter())
}

/// What is kept of a memo key.
pub(crate) fn first_16(key: &MemoKey) -> [u8; 16] {
    let mut first = [0; 16];
    first.copy_from_slice(&key.as_bytes()[..16]);
    first
}

impl View<'_> {
    pub(crate) fn find_memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        let memo = first_16(&key);
        if let Some(state) = self.rows.states.find_memo(&memo) {
            return Ok(Some(state));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let sql = "SELECT id FROM state WHERE owner = $1 AND memo = $2";
        Ok(self.sql()?.one(sql, params![owner, &memo], |row| row.int(0))?.map(StateKey))
    }

    /// Returns all states that are stored under a memo key: two programs may have evaluated the same at once.
    pub fn memos(&self, key: MemoKey) -> Result<Vec<StateKey>, StoreError> {
        let sql = "SELECT id FROM state WHERE owner = $1 AND memo = $2";
        let found = self.sql()?.many(sql, params![self.owner()?, &first_16(&key)], |row| row.int(0))?;
        Ok(found.into_iter().map(StateKey).collect())
    }

    /// Returns the state that a state is stored against.
    pub fn base_of_state(&self, key: StateKey) -> Result<Option<StateKey>, StoreError> {
        Ok(self.state_row(key)?.base)
    }

    pub(crate) fn hash_of_state(&self, key: StateKey) -> Result<StateHash, StoreError> {
        if let Some(own) = self.rows.states.find(key) {
            return Ok(own.hash);
        }
        match self.cached::<CachedState>(key.0)? {
            Some(cached) => Ok(cached.hash),
            None => Ok(self.state_row(key)?.hash),
        }
    }

    pub(crate) fn stored_state(&self, key: StateKey) -> Result<Value, StoreError> {
        if let Some(own) = self.rows.states.find(key) {
            return Ok(own.evaluation.state.clone());
        }
        if let Some(cached) = self.cached::<CachedState>(key.0)? {
            return Ok(cached.state);
        }
        let found = self.rebuild_from(key, true)?;
        self.cache(key.0, found.clone())?;
        Ok(found.state)
    }

    pub fn trace(&self, key: StateKey) -> Result<Trace, StoreError> {
        if let Some(own) = self.rows.states.find(key) {
            return Ok(own.evaluation.trace.clone());
        }
        let row = self.state_row(key)?;
        trace::read(&row.trace).ok_or_else(|| StoreError::damaged("trace of state", key.0))
    }

    /// Tells whether an evaluation may have changed the value at a path; if not, it did not.
    pub fn may_change(&self, key: StateKey, path: &[Step]) -> Result<bool, StoreError> {
        if let Some(own) = self.rows.states.find(key) {
            return Ok(PathFilter::of(&own.evaluation.trace).may_contain(path));
        }
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
            self.walk_back(&mut way)?;
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
            way.start = self.cached::<CachedState>(base.0)?.map(|cached| Start::Cached(cached.state));
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
    pub(crate) fn whole_frame(&self, frame: StateKey) -> Result<Arc<WholeFrame>, StoreError> {
        if let Some(cached) = self.cached(frame.0)? {
            return Ok(cached);
        }
        let Keyframe { against, length, packed } = self.stored_keyframe(frame)?;
        let code = unpack(&packed).filter(|code| against.is_none() && code.len() == length);
        let code = code.ok_or_else(|| StoreError::damaged("keyframe", frame.0))?;
        let whole = Arc::new(WholeFrame { code: code.into(), packed: packed.len() });
        self.cache(frame.0, whole.clone())?;
        Ok(whole)
    }

    /// Returns the state whose keyframe a keyframe is compressed against; the same one if it stands by itself.
    pub(crate) fn frame_below(&self, frame: StateKey) -> Result<StateKey, StoreError> {
        Ok(self.stored_keyframe(frame)?.against.unwrap_or(frame))
    }

    fn stored_keyframe(&self, frame: StateKey) -> Result<Keyframe, StoreError> {
        let rest = "owner = $1 AND state = $2 AND root = $3";
        let found = KEYFRAMES.one(self.sql()?, rest, params![self.owner()?, frame, VARIABLES], |row| {
            let against = row.maybe_int(3)?.map(StateKey);
            Ok(Keyframe { against, length: row.count(4)?, packed: row.bytes(5)?.to_vec() })
        })?;
        found.ok_or_else(|| StoreError::missing("keyframe", frame.0))
    }

    pub(crate) fn distance(&self, key: StateKey) -> Result<Distance, StoreError> {
        match self.cached::<CachedState>(key.0)? {
            Some(cached) => Ok(cached.distance),
            None => Ok(self.state_row(key)?.distance),
        }
    }
}
