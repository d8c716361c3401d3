//! States: the ops lead from the base to the hash, and the keyframe is where the row says.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use storeyline_history::path_states::MemoKey;
use storeyline_history::{Rules, StateKey};
use storeyline_state::{StateHash, Value, json};

use super::{Checker, Fix};
use crate::codec::filter::PathFilter;
use crate::codec::pack::{pack_state, unpack, unpack_against};
use crate::codec::{trace, value};
use crate::error::StoreError;
use crate::new_states::MAX_STEPS;
use crate::sql::{Row as _, params};
use crate::tables::states::{self, Distance, KEYFRAMES, TABLE, first_16};
use crate::tables::table::{Raw, RawRow};
use crate::tables::values;

/// States that are kept to build the next ones from.
const KEPT: usize = 64;

/// A state without its trace.
pub(super) struct StateInfo {
    pub(super) hash: StateHash,
    pub(super) memo: Option<[u8; 16]>,
    base: Option<i64>,
    /// What it adds to the weight of its followers.
    weight: i64,
    distance: Distance,
    is_intact: bool,
    has_right_paths: bool,
}

/// A keyframe without its bytes.
struct FrameInfo {
    against: Option<i64>,
    length: i64,
    packed: i64,
    is_intact: bool,
}

/// The keyframes, and states that were built last.
#[derive(Default)]
struct Building {
    frames: HashMap<i64, FrameInfo>,
    built: HashMap<i64, Value>,
    order: VecDeque<i64>,
    /// States from which the bases lead to one that is stored whole.
    has_end: HashSet<i64>,
}

impl Building {
    fn keep(&mut self, id: i64, state: Value) {
        if self.built.insert(id, state).is_none() {
            self.order.push_back(id);
        }
        if self.order.len() > KEPT
            && let Some(first) = self.order.pop_front()
        {
            self.built.remove(&first);
        }
    }
}

impl Checker<'_> {
    pub(super) fn load_states(&mut self) -> Result<(), StoreError> {
        let (mut unread, mut found) = (Vec::new(), BTreeMap::new());
        let owner = Raw::Int(self.owner.0);
        self.rows(&TABLE, &mut |raw| {
            let row = states::read(&raw).ok();
            let Some((row, calls)) = row.and_then(|row| trace::read(&row.trace).map(|calls| (row, calls))) else {
                unread.push(raw);
                return Ok(());
            };
            let is_changing = calls.ops().next().is_some();
            let paths = is_changing.then(|| PathFilter::of(&calls).to_bytes());
            let info = StateInfo {
                hash: row.hash,
                memo: row.memo,
                base: row.base.map(|base| base.0),
                weight: if is_changing { row.trace.len() as i64 } else { 0 },
                distance: row.distance,
                is_intact: raw.is_intact() && raw.values[0] == owner,
                has_right_paths: paths == row.paths,
            };
            found.insert(row.key.0, info);
            Ok(())
        })?;
        for row in unread {
            self.report(&TABLE, &row, "the row cannot be read");
            self.unsound.extend(row.int(1).ok().map(StateKey));
        }
        self.states = found;
        Ok(())
    }

    pub(super) fn states(&mut self) -> Result<(), StoreError> {
        let (frames, has_end) = (self.load_frames()?, self.with_ends());
        let mut building = Building { frames, has_end, ..Building::default() };
        let ids: Vec<i64> = self.states.keys().copied().collect();
        for id in ids {
            self.state(&mut building, id)?;
        }
        self.lost_frames(&building)?;
        self.first_states(&mut building)?;
        self.unused_states()
    }

    fn load_frames(&mut self) -> Result<HashMap<i64, FrameInfo>, StoreError> {
        let (mut unread, mut frames) = (Vec::new(), HashMap::new());
        self.rows(&KEYFRAMES, &mut |raw| {
            let read = |raw: &RawRow| -> Result<(i64, FrameInfo), StoreError> {
                let (against, length) = (raw.maybe_int(3)?, raw.int(4)?);
                let packed = raw.bytes(5)?.len() as i64;
                let is_root = raw.int(2)? == 0;
                Ok((raw.int(1)?, FrameInfo { against, length, packed, is_intact: raw.is_intact() && is_root }))
            };
            match read(&raw) {
                Ok((state, frame)) if raw.values[2] == Raw::Int(0) => {
                    frames.insert(state, frame);
                }
                _ => unread.push(raw),
            }
            Ok(())
        })?;
        for row in unread {
            self.report(&KEYFRAMES, &row, "the row cannot be read");
            let state = row.int(1).ok();
            // What it holds is written again with its state, if that can be computed.
            self.unsound.extend(state.map(StateKey));
        }
        Ok(frames)
    }

    /// Returns the states that are in no ring of bases, and lead into none.
    fn with_ends(&self) -> HashSet<i64> {
        let (mut has_end, mut seen) = (HashSet::new(), HashSet::new());
        for id in self.states.keys() {
            let (mut way, mut next) = (Vec::new(), Some(*id));
            while let Some(key) = next.filter(|key| !has_end.contains(key) && seen.insert(*key)) {
                way.push(key);
                let Some(info) = self.states.get(&key) else { break };
                next = info.base;
            }
            if next.is_none_or(|next| has_end.contains(&next)) {
                has_end.extend(way);
            }
        }
        has_end
    }

    /// An evaluation is stored against the state that it began from; first states and kept ones against none.
    fn has_right_base(&self, id: i64) -> bool {
        let info = &self.states[&id];
        let is_evaluation = info.memo.is_some_and(|memo| !self.first_memos.contains(&memo));
        is_evaluation == info.base.is_some()
    }

    /// Checks one state: value, hash, paths, distance, keyframe.
    fn state(&mut self, building: &mut Building, id: i64) -> Result<(), StoreError> {
        let by_ops = self.value_by_ops(building, id)?;
        let by_frame = if building.frames.contains_key(&id) { Some(self.keyframe(building, id)?) } else { None };
        let info = &self.states[&id];
        let is_right = |value: &Option<Value>| value.as_ref().is_some_and(|value| value.hash() == info.hash);
        let is_whole = info.base.is_none();
        let is_sound = if is_whole { by_frame.as_ref().is_some_and(is_right) } else { is_right(&by_ops) };
        let is_sound = is_sound && building.has_end.contains(&id) && self.has_right_base(id);
        let frame = by_frame.as_ref().map(|found| is_right(found) && building.frames[&id].is_intact);
        if !is_sound {
            let may_be_used = by_frame.flatten().filter(|value| value.hash() == info.hash);
            may_be_used.into_iter().for_each(|value| building.keep(id, value));
            if frame == Some(false)
                && let Some(raw) = self.frame_row(id)?
            {
                self.report(&KEYFRAMES, &raw, "the keyframe is not the state of its row");
            }
            return self.unsound_state(id);
        }
        let state = if is_whole { by_frame.flatten() } else { by_ops };
        if let (Some(false), Some(state)) = (frame, &state) {
            self.fix_frame(building, id, state)?;
        }
        let distance = self.right_distance(building, id);
        state.into_iter().for_each(|state| building.keep(id, state));
        self.compare_state(id, distance)
    }

    fn unsound_state(&mut self, id: i64) -> Result<(), StoreError> {
        self.unsound.insert(StateKey(id));
        if let Some(raw) = self.raw(&TABLE, id)? {
            self.report(&TABLE, &raw, "the state is not what its row says");
        }
        Ok(())
    }

    /// Compares the columns that follow from others. Memo and base are compared by the engine.
    fn compare_state(&mut self, id: i64, distance: Option<Distance>) -> Result<(), StoreError> {
        let info = &self.states[&id];
        let stored = info.distance;
        let wanted = distance.unwrap_or(stored);
        let same =
            |a: Distance, b: Distance| (a.weight, a.steps, a.size, a.frame) == (b.weight, b.steps, b.size, b.frame);
        let mut what = Vec::new();
        if distance.is_none() {
            what.push("no keyframe can be reached from it");
        }
        if !same(stored, wanted) {
            what.push("the distance to its keyframe is wrong");
        }
        if !info.has_right_paths {
            what.push("the filter of paths is wrong");
        }
        if !info.is_intact && what.is_empty() {
            what.push("the checksum is wrong");
        }
        if what.is_empty() {
            return Ok(());
        }
        let is_intact = info.is_intact;
        let Some(raw) = self.raw(&TABLE, id)? else { return Ok(()) };
        let Ok(mut row) = states::read(&raw) else { return Ok(()) };
        let calls = trace::read(&row.trace).unwrap_or_default();
        row.paths = calls.ops().next().is_some().then(|| PathFilter::of(&calls).to_bytes());
        row.distance = wanted;
        let new: Vec<Raw> = states::columns(self.owner, &row).into_iter().map(Raw::from).collect();
        self.report(&TABLE, &raw, what.join("; "));
        if is_intact || raw.fits(&new) {
            self.fix(&TABLE, raw, new);
        } else {
            // Memo or base may be wrong too, and only evaluating tells.
            self.unsound.insert(StateKey(id));
        }
        Ok(())
    }

    /// Builds a state from its base.
    fn value_by_ops(&self, building: &mut Building, id: i64) -> Result<Option<Value>, StoreError> {
        let Some(base) = self.states[&id].base else { return Ok(None) };
        let mut way = vec![id];
        let mut key = base;
        let mut state = loop {
            if let Some(known) = building.built.get(&key) {
                break known.clone();
            }
            let Some(info) = self.states.get(&key) else { return Ok(None) };
            if building.frames.contains_key(&key) {
                match self.keyframe(building, key)? {
                    Some(found) => break found,
                    None if info.base.is_none() => return Ok(None),
                    None => {}
                }
            }
            way.push(key);
            let Some(next) = info.base.filter(|_| (way.len() as i64) <= MAX_STEPS + 1) else { return Ok(None) };
            key = next;
        };
        for key in way.iter().rev() {
            let Some(raw) = self.raw(&TABLE, *key)? else { return Ok(None) };
            let is_applied = raw.bytes(5).is_ok_and(|ops| trace::apply_exactly(ops, &mut state).is_some());
            if !is_applied {
                return Ok(None);
            }
            if *key != id {
                building.keep(*key, state.clone());
            }
        }
        Ok(Some(state))
    }

    fn frame_row(&self, id: i64) -> Result<Option<RawRow>, StoreError> {
        let mut found = None;
        KEYFRAMES.visit_raw(
            self.sql,
            "owner = $1 AND state = $2 AND root = $3",
            params![self.owner, id, 0i64],
            &mut |row| {
                found = Some(row);
                Ok(())
            },
        )?;
        Ok(found)
    }

    fn keyframe(&self, building: &Building, id: i64) -> Result<Option<Value>, StoreError> {
        let (Some(info), Some(raw)) = (building.frames.get(&id), self.frame_row(id)?) else { return Ok(None) };
        let (Ok(packed), Ok(length)) = (raw.bytes(5), usize::try_from(info.length)) else { return Ok(None) };
        let code = |packed: &[u8], length: i64| unpack(packed).filter(|code| code.len() as i64 == length);
        let Some(against) = info.against else {
            return Ok(code(packed, info.length).and_then(|code| value::read(&code)));
        };
        let Some(other) = building.frames.get(&against).filter(|other| other.against.is_none()) else {
            return Ok(None);
        };
        let Some(row) = self.frame_row(against)? else { return Ok(None) };
        let like = row.bytes(5).ok().and_then(|packed| code(packed, other.length));
        if length > MAX_LENGTH {
            return Ok(None);
        }
        Ok(like.and_then(|like| unpack_against(packed, &like, length, value::read)))
    }

    /// Writes a keyframe by itself; the ops tell what it holds.
    fn fix_frame(&mut self, building: &mut Building, id: i64, state: &Value) -> Result<(), StoreError> {
        let Some(raw) = self.frame_row(id)? else { return Ok(()) };
        self.report(&KEYFRAMES, &raw, "the keyframe is not the state of its row");
        let code = value::write(state);
        let (length, packed) = (code.len() as i64, pack_state(&code));
        let info = FrameInfo { against: None, length, packed: packed.len() as i64, is_intact: true };
        let new =
            vec![Raw::Int(self.owner.0), Raw::Int(id), Raw::Int(0), Raw::Null, Raw::Int(length), Raw::Bytes(packed)];
        let is_same = building.frames[&id].against.is_none() && raw.values[5] == new[5];
        // One that only lost its checksum stays as it is.
        let is_kept = !is_same && self.keyframe(building, id)?.is_some_and(|found| found == *state);
        let new = if is_kept { raw.values.clone() } else { new };
        if !is_kept {
            building.frames.insert(id, info);
        }
        self.fix(&KEYFRAMES, raw, new);
        Ok(())
    }

    /// Returns how far a state is from its keyframe: as its row says if that can be, else from the next one.
    fn right_distance(&self, building: &Building, id: i64) -> Option<Distance> {
        let stored = self.states[&id].distance;
        let (mut key, mut weight, mut nearest) = (id, 0, None);
        for steps in 0..=MAX_STEPS {
            if building.frames.contains_key(&key) {
                let size = if steps == 0 { frame_size(building, key)? } else { self.states.get(&key)?.distance.size };
                let found = Distance { weight, steps, size, frame: StateKey(key) };
                if stored.frame.0 == key || steps == 0 {
                    return Some(found);
                }
                nearest = nearest.or(Some(found));
            }
            let Some(info) = self.states.get(&key) else { break };
            let Some(base) = info.base else { break };
            weight += info.weight;
            key = base;
        }
        nearest
    }

    /// A keyframe of a state that is not there is of no use.
    fn lost_frames(&mut self, building: &Building) -> Result<(), StoreError> {
        let lost: Vec<i64> = building.frames.keys().filter(|id| !self.states.contains_key(id)).copied().collect();
        for id in lost {
            if self.unsound.contains(&StateKey(id)) {
                continue;
            }
            if let Some(raw) = self.frame_row(id)? {
                self.report(&KEYFRAMES, &raw, "its state is not there");
                self.fixes.push(Fix { table: &KEYFRAMES, seen: raw, new: None });
            }
        }
        Ok(())
    }

    /// The first state of rules is found by its memo only.
    fn first_states(&mut self, building: &mut Building) -> Result<(), StoreError> {
        let memos: HashSet<[u8; 16]> = self.states.values().filter_map(|state| state.memo).collect();
        let first_floors =
            self.nodes.values().filter(|(stored, _)| stored.node.depth == 1 && stored.node.state.is_some());
        let turns = first_floors.filter_map(|(stored, _)| self.turns.get(&stored.node.turn?.0));
        let mut rules: Vec<i64> =
            turns.filter_map(|turn| Some(self.pages.get(&turn.active_page().at.0)?.row.rules.0)).collect();
        rules.sort_unstable();
        rules.dedup();
        for key in rules {
            let Some(hash) = self.values.get(&key) else { continue };
            let memo = first_16(&MemoKey::first_state(*hash));
            if memos.contains(&memo) {
                continue;
            }
            let row = self.raw(&values::TABLE, key)?;
            let text = row.and_then(|row| String::from_utf8(unpack(row.bytes(3).ok()?)?).ok());
            let Some(rules) = text.and_then(|text| Rules::from_value(&json::read_stored(&text).ok()?)) else {
                continue;
            };
            let wanted = rules.first_state.hash();
            let whole = self.states.iter().filter(|(_, state)| state.base.is_none() && state.hash == wanted);
            let whole: Vec<i64> = whole.map(|(id, _)| *id).collect();
            let kept: HashSet<i64> = self.pages.values().filter_map(|page| Some(page.row.kept?.0)).collect();
            for id in whole.into_iter().filter(|id| !kept.contains(id)) {
                let Some(raw) = self.raw(&TABLE, id)? else { continue };
                let mut new = raw.values.clone();
                new[2] = Raw::Bytes(memo.to_vec());
                let is_free = self.states[&id].memo.is_none_or(|memo| !self.first_memos.contains(&memo));
                if raw.fits(&new) || self.states[&id].is_intact && is_free {
                    self.report(&TABLE, &raw, "the memo is wrong");
                    self.fixes.retain(|fix| fix.seen != raw);
                    self.fix(&TABLE, raw, new);
                    self.unsound.remove(&StateKey(id));
                    building.built.remove(&id);
                    break;
                }
            }
        }
        Ok(())
    }

    /// A damaged state that nothing refers to is only a memo: without it the page is evaluated again.
    fn unused_states(&mut self) -> Result<(), StoreError> {
        if self.unsound.is_empty() {
            return Ok(());
        }
        let mut used: HashSet<i64> = self.states.values().filter_map(|state| state.base).collect();
        let frames = self.states.iter().map(|(id, state)| (*id, state.distance.frame.0));
        used.extend(frames.filter(|(id, frame)| id != frame).map(|(_, frame)| frame));
        used.extend(self.nodes.values().filter_map(|(stored, _)| Some(stored.node.state?.0)));
        used.extend(self.pages.values().filter_map(|page| Some(page.row.kept?.0)));
        let unused: Vec<StateKey> = self.unsound.iter().filter(|key| !used.contains(&key.0)).copied().collect();
        for key in unused {
            let is_first = self
                .states
                .get(&key.0)
                .is_some_and(|state| state.memo.is_some_and(|memo| self.first_memos.contains(&memo)));
            if is_first {
                continue;
            }
            self.unsound.remove(&key);
            if let Some(raw) = self.raw(&TABLE, key.0)? {
                self.fixes.retain(|fix| fix.seen != raw);
                self.fixes.push(Fix { table: &TABLE, seen: raw, new: None });
            }
        }
        Ok(())
    }
}

/// A state is not longer than this; a wrong length must not allocate without end.
const MAX_LENGTH: usize = 1 << 30;

/// Returns the bytes that a keyframe takes by itself, as they were estimated when it was written.
fn frame_size(building: &Building, id: i64) -> Option<i64> {
    let frame = building.frames.get(&id)?;
    match frame.against {
        None => Some(frame.packed),
        Some(against) => {
            let like = building.frames.get(&against)?;
            Some((like.packed as i128 * frame.length as i128 / like.length.max(1) as i128) as i64)
        }
    }
}
