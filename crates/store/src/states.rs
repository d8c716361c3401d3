//! Evaluations and the states they led to: ops against a base, with whole states in between.
//!
//! A whole state (a keyframe) is written when the ops since the last one weigh as much as it does,
//! so bytes per floor stay near twice the ops whatever the size of the state.

use storeyline_history::path_states::{Inputs, MemoKey, StateTable};
use storeyline_history::{Evaluation, NodeKey, PageKey, StateKey, Trace};
use storeyline_state::{StateHash, Step, Value, json};

use crate::code::split;
use crate::error::StoreError;
use crate::pack::{pack, pack_against, unpack, unpack_against};
use crate::sql::params;
use crate::trace_code::{self, Places};
use crate::tx::Tx;

/// At the latest after this many steps there is a keyframe.
const MAX_STEPS: i64 = 1_024;

/// A keyframe is not worth its row before.
const LEAST_WEIGHT: i64 = 1_024;

/// How far a state is from its keyframe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    /// Bytes of ops since the keyframe.
    weight: i64,
    steps: i64,
    /// Bytes of the keyframe, packed by itself.
    size: i64,
    /// The state that has the keyframe.
    frame: i64,
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

    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        let (first, rest) = split(&key.as_bytes()[..16]);
        let sql = "SELECT id FROM state WHERE owner = $1 AND memo = $2 AND rest = $3";
        Ok(self.one(sql, params![self.owner, first, rest], |row| row.int(0))?.map(StateKey))
    }

    fn put_evaluation(
        &mut self,
        key: MemoKey,
        base: StateKey,
        evaluation: &Evaluation,
    ) -> Result<StateKey, StoreError> {
        let from = self.distance(base)?;
        let trace = trace_code::write(&evaluation.trace);
        let changed = evaluation.trace.ops().next().is_some();
        let weight = from.weight + if changed { trace.len() as i64 } else { 0 };
        let steps = from.steps + 1;
        let hash = evaluation.state.hash();
        let places = Places::of(&evaluation.trace).to_bytes();
        let (first, rest) = split(&key.as_bytes()[..16]);
        let sql = "INSERT INTO state (owner, memo, rest, hash, base, trace, paths, weight, steps, size, frame)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let state = self.insert(
            sql,
            params![
                self.owner,
                first,
                rest,
                hash.as_bytes(),
                base.0,
                &trace,
                changed.then_some(&places[..]),
                weight,
                steps,
                from.size,
                from.frame,
            ],
        )?;
        if weight >= from.size.max(LEAST_WEIGHT) || steps >= MAX_STEPS {
            let size = self.put_keyframe(state, &evaluation.state, Some(from.frame))?;
            self.recent.remember_state(self.owner, state, (evaluation.state.clone(), hash), state, size);
        } else {
            self.recent.distances.put(self.owner, state, Distance { weight, steps, ..from });
            self.recent.remember_state(self.owner, state, (evaluation.state.clone(), hash), from.frame, from.size);
        }
        Ok(StateKey(state))
    }

    fn state_hash(&self, key: StateKey) -> Result<StateHash, StoreError> {
        self.hash_of_state(key)
    }

    fn state(&self, key: StateKey) -> Result<Value, StoreError> {
        let (state, chain) = self.rebuild_from(key, true)?;
        // Only where it took some work to get there.
        if chain > 0 {
            let hash = self.hash_of_state(key)?;
            let Distance { frame, size, .. } = self.distance(key)?;
            self.recent.remember_state(self.owner, key.0, (state.clone(), hash), frame, size);
        }
        Ok(state)
    }

    fn kept_state(&self, page: PageKey) -> Result<Value, StoreError> {
        self.state(self.kept(page)?.ok_or_else(|| StoreError::missing("kept state of page", page.0))?)
    }
}

impl Tx<'_> {
    /// Keeps a state that follows from nothing.
    pub fn put_initial(&mut self, state: &Value) -> Result<StateKey, StoreError> {
        let sql = "INSERT INTO state (owner, hash, trace, weight, steps, size, frame) VALUES ($1, $2, $3, 0, 0, 0, 0)";
        let key = self.insert(sql, params![self.owner, state.hash().as_bytes(), &[][..]])?;
        self.put_keyframe(key, state, None)?;
        Ok(StateKey(key))
    }

    /// Writes an evaluation again where it lies; what was there was damaged.
    pub fn mend_evaluation(&mut self, key: StateKey, evaluation: &Evaluation) -> Result<(), StoreError> {
        let sql = "UPDATE state SET hash = $1, trace = $2, paths = $3 WHERE id = $4 AND owner = $5";
        let trace = trace_code::write(&evaluation.trace);
        let changed = evaluation.trace.ops().next().is_some();
        let places = Places::of(&evaluation.trace).to_bytes();
        let hash = evaluation.state.hash();
        self.run(sql, params![hash.as_bytes(), &trace, changed.then_some(&places[..]), key.0, self.owner])?;
        let sql = "UPDATE keyframe SET against = NULL, length = $1, bytes = $2 WHERE state = $3 AND owner = $4";
        let whole = json::write(&evaluation.state);
        self.run(sql, params![whole.len(), &pack(whole.as_bytes()), key.0, self.owner])?;
        self.recent.forget();
        Ok(())
    }

    /// Returns what happened in an evaluation.
    pub fn trace(&self, key: StateKey) -> Result<Trace, StoreError> {
        let sql = "SELECT trace FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| Ok(trace_code::read(row.bytes(0)?)))?;
        let found = found.ok_or_else(|| StoreError::missing("state", key.0))?;
        found.ok_or_else(|| StoreError::damaged("trace of state", key.0))
    }

    /// Tells whether an evaluation may have changed the value at a path; if not, it did not.
    pub fn may_change(&self, key: StateKey, path: &[Step]) -> Result<bool, StoreError> {
        let sql = "SELECT paths FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| {
            Ok(row
                .maybe_bytes(0)?
                .is_some_and(|bytes| Places::from_bytes(bytes).is_none_or(|held| held.may_hold(path))))
        })?;
        found.ok_or_else(|| StoreError::missing("state", key.0))
    }

    /// Returns a state from what is stored, past what is remembered.
    pub fn rebuild(&self, key: StateKey) -> Result<Value, StoreError> {
        Ok(self.rebuild_from(key, false)?.0)
    }

    /// Climbs to the next whole state, or to one that is remembered, and comes down again.
    fn rebuild_from(&self, key: StateKey, remembered: bool) -> Result<(Value, usize), StoreError> {
        let mut later: Vec<Vec<u8>> = Vec::new();
        let mut here = key.0;
        let sql = "SELECT base, trace, steps FROM state WHERE id = $1 AND owner = $2";
        let mut state = loop {
            if remembered && let Some((state, _)) = self.recent.state(self.owner, here) {
                break state;
            }
            let found = self.one(sql, params![here, self.owner], |row| {
                let step = row.int(2)? > 0;
                Ok((row.maybe_int(0)?.filter(|_| step), if step { row.bytes(1)?.to_vec() } else { Vec::new() }))
            })?;
            match found.ok_or_else(|| StoreError::missing("state", here))? {
                (Some(base), trace) => {
                    later.push(trace);
                    here = base;
                }
                (None, _) => break self.keyframe(here)?,
            }
        };
        for trace in later.iter().rev() {
            trace_code::carry_out(trace, &mut state).ok_or_else(|| StoreError::damaged("state", key.0))?;
        }
        Ok((state, later.len()))
    }

    pub(crate) fn hash_of_state(&self, key: StateKey) -> Result<StateHash, StoreError> {
        if let Some((_, hash)) = self.recent.state(self.owner, key.0) {
            return Ok(hash);
        }
        let sql = "SELECT hash FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| Ok(StateHash::from_slice(row.bytes(0)?)))?;
        let found = found.ok_or_else(|| StoreError::missing("state", key.0))?;
        found.map_err(|_| StoreError::damaged("state", key.0))
    }

    fn distance(&self, key: StateKey) -> Result<Distance, StoreError> {
        if let Some(known) = self.recent.distances.get(self.owner, key.0) {
            return Ok(known);
        }
        let sql = "SELECT weight, steps, size, frame FROM state WHERE id = $1 AND owner = $2";
        let found = self.one(sql, params![key.0, self.owner], |row| {
            Ok(Distance { weight: row.int(0)?, steps: row.int(1)?, size: row.int(2)?, frame: row.int(3)? })
        })?;
        found.ok_or_else(|| StoreError::missing("state", key.0))
    }

    /// Writes a state whole: by itself, or against the whole one that the last keyframes lean on. Returns its
    /// bytes, packed by itself.
    fn put_keyframe(&mut self, state: i64, value: &Value, last: Option<i64>) -> Result<i64, StoreError> {
        let bytes = json::write(value).into_bytes();
        let alone = pack(&bytes);
        let size = alone.len() as i64;
        let against = match last {
            Some(last) => Some(self.leaned_on(last)?),
            None => None,
        };
        let small = match against {
            Some(against) => {
                Some(pack_against(&bytes, &self.whole(against)?)?).filter(|small| small.len() * 2 < alone.len())
            }
            None => None,
        };
        let against = against.filter(|_| small.is_some());
        let sql = "INSERT INTO keyframe (state, owner, against, length, bytes) VALUES ($1, $2, $3, $4, $5)";
        self.run(sql, params![state, self.owner, against, bytes.len(), small.as_ref().unwrap_or(&alone)])?;
        let sql = "UPDATE state SET weight = 0, steps = 0, size = $1, frame = $2 WHERE id = $2 AND owner = $3";
        self.run(sql, params![size, state, self.owner])?;
        Ok(size)
    }

    /// The keyframe that stands by itself and that another one is written against.
    fn leaned_on(&self, frame: i64) -> Result<i64, StoreError> {
        let sql = "SELECT against FROM keyframe WHERE state = $1 AND owner = $2";
        let found = self.one(sql, params![frame, self.owner], |row| row.maybe_int(0))?;
        Ok(found.ok_or_else(|| StoreError::missing("keyframe", frame))?.unwrap_or(frame))
    }

    /// The text of a whole state.
    fn whole(&self, frame: i64) -> Result<Vec<u8>, StoreError> {
        let sql = "SELECT against, length, bytes FROM keyframe WHERE state = $1 AND owner = $2";
        let found = self.one(sql, params![frame, self.owner], |row| {
            Ok((row.maybe_int(0)?, row.count(1)?, row.bytes(2)?.to_vec()))
        })?;
        let (against, length, bytes) = found.ok_or_else(|| StoreError::missing("keyframe", frame))?;
        let whole = match against {
            None => unpack(&bytes).filter(|whole| whole.len() == length),
            // What is leaned on stands by itself, so this ends.
            Some(other) if other < frame => unpack_against(&bytes, &self.whole(other)?, length),
            Some(_) => None,
        };
        whole.ok_or_else(|| StoreError::damaged("keyframe", frame))
    }

    fn keyframe(&self, frame: i64) -> Result<Value, StoreError> {
        let text = String::from_utf8(self.whole(frame)?).ok();
        text.and_then(|text| json::read_stored(&text).ok()).ok_or_else(|| StoreError::damaged("keyframe", frame))
    }
}
