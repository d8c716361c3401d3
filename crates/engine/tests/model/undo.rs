//! Random undo and redo steps, in the engine and in the model.

use std::collections::HashSet;

use storeyline_engine::EngineError;
use storeyline_state::PageId;
use storeyline_wire::RefKind;
use storeyline_wire::operation::Edited;

use crate::naive::Turn;
use crate::play::{CLIENT, Effect, Entry, Play, owner};

impl Play {
    /// Entries with whether they were taken back, the newest first.
    pub(crate) fn log(&self, at: usize) -> Vec<(Entry, bool)> {
        let mut undone = HashSet::new();
        let mut entries = Vec::new();
        for entry in self.refs[at].log.iter().rev() {
            let was = undone.contains(&entry.number);
            if let Some(taken_back) = entry.undoes.filter(|_| !was) {
                undone.insert(taken_back);
            }
            entries.push((entry.clone(), was));
        }
        entries
    }

    pub(crate) fn undo(&mut self, any: bool) -> bool {
        let at = self.dice.below(self.refs.len());
        let log = self.log(at);
        let done = |(entry, undone): &&(Entry, bool)| !undone && entry.undoes.is_none();
        let candidates: Vec<Entry> = log.iter().filter(done).map(|(entry, _)| entry.clone()).collect();
        let wanted = if any { self.dice.below(candidates.len().max(1)) } else { 0 };
        let number = any.then(|| candidates.get(wanted).map(|entry| entry.number)).flatten();
        let result = self.engine.undo(&owner(), self.story, self.refs[at].id, number, CLIENT);
        let Some(entry) = candidates.get(wanted) else {
            assert!(matches!(result, Err(EngineError::NothingToUndo)), "{result:?}");
            return false;
        };
        self.take_back(at, entry, result, false)
    }

    pub(crate) fn redo(&mut self) -> bool {
        let at = self.dice.below(self.refs.len());
        let mut wanted = None;
        for (entry, undone) in self.log(at) {
            if entry.undoes.is_some() && !entry.redo && !undone {
                wanted = Some(entry);
                break;
            }
            if entry.undoes.is_none() && !undone {
                break;
            }
        }
        let result = self.engine.redo(&owner(), self.story, self.refs[at].id, None, CLIENT);
        let Some(entry) = wanted else {
            assert!(matches!(result, Err(EngineError::NothingToRedo)), "{result:?}");
            return false;
        };
        self.take_back(at, &entry, result, true)
    }

    /// Takes an entry back in the naive way, if the engine could.
    pub(crate) fn take_back(
        &mut self,
        at: usize,
        entry: &Entry,
        result: Result<Edited, EngineError>,
        redo: bool,
    ) -> bool {
        let model = &self.refs[at];
        let last = model.kind == RefKind::Branch && !model.trashed && self.live().count() == 1;
        let effect = match (&entry.effect, &result) {
            (Effect::List { before, after }, Ok(_)) => {
                assert!(!before.is_empty(), "a branch is never left without a floor");
                let now = if model.turns == *after {
                    before.clone()
                } else {
                    let found = self.engine.turns(&owner(), self.story, model.id, 0, usize::MAX).unwrap().turns;
                    let ids: Vec<PageId> = found.iter().map(|turn| turn.pages[turn.active].page).collect();
                    without(&model.turns, before, after, &ids)
                };
                Effect::List { before: model.turns.clone(), after: now }
            }
            (Effect::List { before, after }, Err(error)) => {
                let simple = model.turns == *after && !before.is_empty();
                assert!(!simple, "nothing was in the way: {error}");
                return false;
            }
            (Effect::Created | Effect::Restored(_), Ok(_)) => Effect::Trashed(self.current == at),
            (Effect::Created | Effect::Restored(_), Err(error)) => {
                assert!(last || model.trashed || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Trashed(current), result) => {
                if result.is_err() {
                    assert!(!model.trashed || model.turns.is_empty(), "{result:?}");
                    return false;
                }
                assert!(model.trashed, "it is not in the trash any more");
                Effect::Restored(*current)
            }
            (Effect::Rules { before, after }, Ok(_)) => {
                assert_eq!(self.user_calls, *after);
                Effect::Rules { before: *after, after: *before }
            }
            (Effect::Rules { after, .. }, Err(error)) => {
                assert!(self.user_calls != *after || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Policy { before, after }, Ok(_)) => {
                assert_eq!(self.manual, *after);
                Effect::Policy { before: *after, after: *before }
            }
            (Effect::Policy { after, .. }, Err(error)) => {
                assert!(self.manual != *after || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Switched { before, after }, Ok(_)) => {
                assert_eq!(self.current, *after);
                Effect::Switched { before: *after, after: *before }
            }
            (Effect::Switched { before, after }, Err(error)) => {
                let gone = self.refs[*before].trashed;
                assert!(self.current != *after || gone || model.turns.is_empty(), "{error}");
                return false;
            }
        };
        let number = result.unwrap().operation.unwrap();
        match &effect {
            Effect::List { after, .. } => self.refs[at].turns.clone_from(after),
            Effect::Trashed(_) => self.thrown_away(at),
            Effect::Restored(current) => {
                self.refs[at].trashed = false;
                if *current {
                    self.current = at;
                }
            }
            Effect::Rules { after, .. } => self.user_calls = *after,
            Effect::Policy { after, .. } => self.manual = *after,
            Effect::Switched { after, .. } => self.current = *after,
            Effect::Created => unreachable!("nothing is created by taking something back"),
        }
        self.refs[at].log.push(Entry { number, effect, undoes: Some(entry.number), redo });
        true
    }
}

/// The present list with one change taken out of it: turns that nothing later touched are as before.
fn without(now: &[Turn], before: &[Turn], after: &[Turn], ids: &[PageId]) -> Vec<Turn> {
    let same =
        |turns: &[Turn], id: PageId| turns.iter().find(|turn| turn.pages.iter().any(|page| page.id == id)).cloned();
    let pick = |id: &PageId| {
        let (present, then) = (same(now, *id), same(after, *id));
        if present == then { same(before, *id).or(present) } else { present.or_else(|| same(before, *id)) }
    };
    ids.iter().map(|id| pick(id).unwrap()).collect()
}
