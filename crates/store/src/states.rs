//! States as ops against a base, with keyframes in between, and the memo of evaluations.
//!
//! A keyframe is written when the ops since the last one weigh as much as it did, so bytes per
//! floor stay near twice the ops whatever the size of the state.

use rusqlite::params;
use storeyline_history::path_states::{MemoKey, StateTable};
use storeyline_history::{Body, Place, Rules, Trace, Turn};
use storeyline_state::{NodeId, Op, StateHash, Value, ValueHash, json, op};

use crate::store::StoreError;
use crate::tx::{Tx, column, optional};

/// At the latest after this many steps there is a keyframe.
const MAX_STEPS: i64 = 1_024;

/// How a state is stored.
struct Stored {
    base: Option<StateHash>,
    ops: Option<Vec<u8>>,
    keyframe: Option<Vec<u8>>,
}

/// How far a state is from its keyframe.
struct Distance {
    weight: i64,
    size: i64,
    steps: i64,
}

impl StateTable for Tx<'_> {
    fn turn(&self, hash: ValueHash) -> Result<Turn, StoreError> {
        self.stored_turn(hash)
    }

    fn body(&self, hash: ValueHash) -> Result<(Body, String, Rules), StoreError> {
        let body = self.body_inputs(hash)?;
        let text =
            self.text(body.text)?.ok_or_else(|| StoreError::Missing { kind: "text", id: body.text.to_string() })?;
        let rules = self.rules(body.rules)?;
        Ok((body, text, rules))
    }

    fn state_of(&self, node: NodeId) -> Result<Option<StateHash>, StoreError> {
        self.node_state(node)
    }

    fn set_state_of(&mut self, node: NodeId, state: StateHash) -> Result<(), StoreError> {
        self.set_node_state(node, state)
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateHash>, StoreError> {
        let sql = "SELECT state FROM memo WHERE owner = ?1 AND memo = ?2";
        self.one(sql, params![self.owner(), key.as_bytes()], |row| {
            column(row, 0, |bytes: Vec<u8>| StateHash::from_slice(&bytes))
        })
    }

    fn put_memo(&mut self, key: MemoKey, state: StateHash, trace: &Trace) -> Result<(), StoreError> {
        let trace = json::write(&trace.to_value());
        let sql = "INSERT INTO memo (owner, memo, state, trace) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
        self.run(sql, params![self.owner(), key.as_bytes(), state.as_bytes(), trace.as_bytes()])?;
        Ok(())
    }

    fn state(&self, hash: StateHash) -> Result<Value, StoreError> {
        if let Some(state) = self.recent.get(self.owner, hash) {
            return Ok(state);
        }
        let state = self.rebuild(hash)?;
        self.recent.put(self.owner, hash, &state);
        Ok(state)
    }

    fn put_state(&mut self, state: &Value, base: StateHash, trace: &Trace) -> Result<(), StoreError> {
        let hash = state.hash();
        self.recent.put(self.owner, hash, state);
        if self.distance(hash)?.is_some() {
            return Ok(());
        }
        let ops = json::write(&Value::list(trace.ops().map(op::to_value).collect()));
        let from = self.distance(base)?.ok_or_else(|| missing(base))?;
        let weight = from.weight + ops.len() as i64;
        if weight >= from.size || from.steps + 1 >= MAX_STEPS {
            return self.put_keyframe(state);
        }
        let sql = "INSERT INTO state (owner, hash, base, ops, weight, size, steps) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let keys =
            params![self.owner(), hash.as_bytes(), base.as_bytes(), ops.as_bytes(), weight, from.size, from.steps + 1];
        self.run(sql, keys)?;
        Ok(())
    }
}

fn missing(hash: StateHash) -> StoreError {
    StoreError::Missing { kind: "state", id: hash.to_string() }
}

fn damaged(hash: StateHash) -> StoreError {
    StoreError::Damaged { kind: "state", id: hash.to_string() }
}

impl Tx<'_> {
    /// Returns what happened when a page was evaluated under a state.
    pub fn trace(&self, parent: StateHash, body: ValueHash, place: Place) -> Result<Trace, StoreError> {
        match self.trace_under(MemoKey::new(parent, body))? {
            Some(trace) => Ok(trace),
            None => Ok(self.trace_under(MemoKey::placed(parent, body, place))?.unwrap_or_default()),
        }
    }

    fn trace_under(&self, key: MemoKey) -> Result<Option<Trace>, StoreError> {
        let sql = "SELECT trace FROM memo WHERE owner = ?1 AND memo = ?2";
        let bytes: Option<Vec<u8>> = self.one(sql, params![self.owner(), key.as_bytes()], |row| row.get(0))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let trace = std::str::from_utf8(&bytes).ok().and_then(|text| json::read_stored(text).ok());
        let damaged = StoreError::Damaged { kind: "trace", id: "of a page".into() };
        trace.as_ref().and_then(Trace::from_value).ok_or(damaged).map(Some)
    }

    /// Returns whether a state is stored.
    pub fn has_state(&self, hash: StateHash) -> Result<bool, StoreError> {
        Ok(self.distance(hash)?.is_some())
    }

    /// Returns a state from what is stored, past what is remembered.
    pub fn rebuild(&self, hash: StateHash) -> Result<Value, StoreError> {
        let mut later: Vec<Vec<Op>> = Vec::new();
        let mut here = hash;
        let mut state = loop {
            let stored = self.stored_state(here)?.ok_or_else(|| missing(here))?;
            if let Some(keyframe) = stored.keyframe {
                break read_json(&keyframe).ok_or_else(|| damaged(here))?;
            }
            let ops = stored.ops.as_deref().and_then(read_ops).ok_or_else(|| damaged(here))?;
            later.push(ops);
            here = stored.base.ok_or_else(|| damaged(here))?;
        };
        for op in later.iter().rev().flatten() {
            op.apply(&mut state).map_err(|_| damaged(hash))?;
        }
        Ok(state)
    }

    pub(crate) fn put_keyframe(&mut self, state: &Value) -> Result<(), StoreError> {
        let bytes = json::write(state);
        let sql = "INSERT INTO state (owner, hash, keyframe, weight, size, steps) VALUES (?1, ?2, ?3, 0, ?4, 0) ON CONFLICT DO NOTHING";
        self.run(sql, params![self.owner(), state.hash().as_bytes(), bytes.as_bytes(), bytes.len() as i64])?;
        Ok(())
    }

    fn distance(&self, hash: StateHash) -> Result<Option<Distance>, StoreError> {
        let sql = "SELECT weight, size, steps FROM state WHERE owner = ?1 AND hash = ?2";
        self.one(sql, params![self.owner(), hash.as_bytes()], |row| {
            Ok(Distance { weight: row.get(0)?, size: row.get(1)?, steps: row.get(2)? })
        })
    }

    fn stored_state(&self, hash: StateHash) -> Result<Option<Stored>, StoreError> {
        let sql = "SELECT base, ops, keyframe FROM state WHERE owner = ?1 AND hash = ?2";
        self.one(sql, params![self.owner(), hash.as_bytes()], |row| {
            let base = optional(row, 0, |bytes: Vec<u8>| StateHash::from_slice(&bytes))?;
            Ok(Stored { base, ops: row.get(1)?, keyframe: row.get(2)? })
        })
    }
}

fn read_json(bytes: &[u8]) -> Option<Value> {
    json::read_stored(std::str::from_utf8(bytes).ok()?).ok()
}

fn read_ops(bytes: &[u8]) -> Option<Vec<Op>> {
    read_json(bytes)?.as_list()?.iter().map(op::from_value).collect()
}

#[cfg(test)]
mod tests {
    use storeyline_functions::Profile;
    use storeyline_functions::script::NoScripts;
    use storeyline_history::{Page, Rules, evaluate};
    use storeyline_state::text;

    use super::*;
    use crate::store::{Owner, Store};

    /// A state of about 20 KB that changes by one number per page.
    fn play(tx: &mut Tx<'_>, pages: usize) -> (StateHash, Value) {
        let entries: Vec<String> = (0..500).map(|n| format!("\"键{n}\":\"一段不短的文字 {n}\"")).collect();
        let mut state = json::read(&format!("{{\"n\":0,{}}}", entries.join(","))).unwrap();
        tx.put_keyframe(&state).unwrap();
        for page in 0..pages {
            let body = Body::lone_reply(text::hash(""));
            let rules = Rules { profile: Profile::Native, ..Rules::default() };
            let text = format!("@.SET(\"n\", {});", page + 1);
            let page = Page { body: &body, text: &text, rules: &rules, place: Place::default() };
            let next = evaluate(&state, &page, &mut NoScripts).unwrap();
            tx.put_state(&next.state, state.hash(), &next.trace).unwrap();
            state = next.state;
        }
        (state.hash(), state)
    }

    #[test]
    fn bytes_per_page_follow_the_change_and_not_the_state() {
        let store = Store::in_memory().unwrap();
        let done: Result<(), StoreError> = store.write(&Owner::local(), |tx| {
            let (hash, state) = play(tx, 2_000);
            assert_eq!(tx.rebuild(hash)?, state);
            let sql = "SELECT sum(length(coalesce(ops, ''))), sum(length(coalesce(keyframe, ''))), max(weight) <= max(size), max(steps) FROM state";
            let (ops, keyframes, bounded, steps): (i64, i64, bool, i64) =
                tx.one(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?.expect("a sum is a row");
            assert!(ops / 2_000 < 40, "{ops} bytes of ops");
            assert!(keyframes < 2 * ops, "{keyframes} bytes of keyframes for {ops} of ops");
            assert!(bounded && steps < MAX_STEPS, "{steps} steps to a keyframe");
            Ok(())
        });
        done.unwrap();
    }
}
