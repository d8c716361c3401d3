//! Random steps that change refs, rules, settings, or the states of a branch.

use std::collections::HashMap;

use storeyline_engine::{Choices, EngineError, Reprocess, RulesChange, Settings};
use storeyline_wire::story::NewRef;
use storeyline_wire::{EditPolicy, Prefer, RefKind};

use crate::naive;
use crate::play::{CLIENT, Effect, Entry, ModelRef, Play, by, owner, plain, say};

impl Play {
    pub(crate) fn branch(&mut self, kind: RefKind) -> bool {
        if self.refs.len() >= 7 {
            return false;
        }
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let switch = kind == RefKind::Branch && self.dice.below(3) == 0;
        let name = format!("支{}", self.refs.len());
        let from = self.refs[at].id;
        let made = self
            .engine
            .create_ref(
                &owner(),
                self.story,
                &NewRef { from, floor: Some(floor as u32), kind, name: name.clone(), note: String::new(), switch },
                CLIENT,
            )
            .unwrap();
        let log = self.engine.log(&owner(), self.story, made.id, 9).unwrap();
        let mut entries =
            vec![Entry { number: log.last().unwrap().operation, effect: Effect::Created, undoes: None, redo: false }];
        let index = self.refs.len();
        if switch {
            let effect = Effect::Switched { before: self.current, after: index };
            entries.push(Entry { number: log[0].operation, effect, undoes: None, redo: false });
            self.current = index;
        }
        self.refs.push(ModelRef {
            id: made.id,
            name,
            kind,
            trashed: false,
            turns: self.refs[at].turns[..=floor].to_vec(),
            origin: Some(at),
            log: entries,
            cursors: HashMap::new(),
            chat: None,
            hosted: self.refs[at].hosted,
        });
        true
    }

    pub(crate) fn switch(&mut self) -> bool {
        let at = self.pick();
        let number = self.engine.switch_branch(&owner(), self.story, self.refs[at].id, CLIENT).unwrap();
        let effect = Effect::Switched { before: self.current, after: at };
        self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        let changed = self.current != at;
        self.current = at;
        changed
    }

    pub(crate) fn merge(&mut self) -> bool {
        let (into, from) = (self.pick(), self.pick());
        let apart = |model: &ModelRef| model.hosted || model.turns.is_empty();
        if into == from || apart(&self.refs[into]) || apart(&self.refs[from]) {
            return false;
        }
        let [ours, theirs] = [into, from].map(|index| &self.refs[index].turns);
        let shared = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
        let base = naive::states(&ours[..shared]).pop().unwrap_or_default();
        let [own, other] = [ours, theirs].map(|turns| naive::states(turns).pop().unwrap());
        let (ids, prefer) = ((self.refs[into].id, self.refs[from].id), Prefer::Ours);
        let (edited, preview) = self.engine.merge_state(&owner(), self.story, ids.0, ids.1, prefer, by()).unwrap();
        let saved = plain(&preview.state);
        let mut sorted = [saved.clone(), naive::merged(&base, &own, &other)];
        sorted.iter_mut().for_each(|state| state.sort());
        assert_eq!(sorted[0], sorted[1], "merged from {base:?}, {own:?}, {other:?}");
        let before = self.refs[into].turns.clone();
        let mut after = before.clone();
        let last = after.len() - 1;
        say(&mut after, last, None, &saved);
        self.write_down(into, &edited, before, after)
    }

    pub(crate) fn rules(&mut self) -> bool {
        let set = Choices { user_calls: Some(!self.user_calls), ..Choices::default() };
        let change = RulesChange { set, unset: Vec::new() };
        let number = self.engine.choose_rules(&owner(), self.story, &change, CLIENT).unwrap();
        let effect = Effect::Rules { before: self.user_calls, after: !self.user_calls };
        self.user_calls = !self.user_calls;
        self.refs[self.current].log.push(Entry { number, effect, undoes: None, redo: false });
        true
    }

    pub(crate) fn policy(&mut self) -> bool {
        let edit_policy = if self.manual { EditPolicy::Auto } else { EditPolicy::Manual };
        let number =
            self.engine.change_settings(&owner(), self.story, Settings { edit_policy }, CLIENT).unwrap().unwrap();
        let effect = Effect::Policy { before: self.manual, after: !self.manual };
        self.manual = !self.manual;
        self.refs[self.current].log.push(Entry { number, effect, undoes: None, redo: false });
        true
    }

    pub(crate) fn reprocess(&mut self) -> bool {
        let at = self.pick();
        let (Some(from), Some(to)) = (self.pick_floor(at), self.pick_floor(at)) else { return false };
        let to = (to > from).then_some(to);
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let end = to.unwrap_or(after.len());
        for page in after[from..end].iter_mut().flat_map(|turn| &mut turn.pages) {
            (page.user_calls, page.kept) = (self.user_calls, None);
            self.rules_seen.entry(page.id).or_default().insert(self.user_calls);
        }
        let mut request = Reprocess { from, to, what_if: None, dry_run: true };
        let id = self.refs[at].id;
        let dry = self.engine.reprocess(&owner(), self.story, id, &request, CLIENT).unwrap();
        assert_eq!(dry.operation, None, "a dry run writes nothing");
        request.dry_run = false;
        let done = self.engine.reprocess(&owner(), self.story, id, &request, CLIENT).unwrap();
        assert_eq!(dry.changed, done.changed, "a dry run tells the truth");
        let [old, new] = [&before, &after].map(|turns| naive::states(turns));
        let wanted: Vec<usize> = (from..old.len()).filter(|floor| old[*floor] != new[*floor]).collect();
        assert_eq!(done.changed.iter().map(|change| change.floor).collect::<Vec<_>>(), wanted);
        let changed = before != after;
        self.refs[at].turns.clone_from(&after);
        assert_eq!(done.operation.is_some(), changed, "an operation is written down exactly if something changed");
        if let Some(number) = done.operation {
            let effect = Effect::List { before, after };
            self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        changed
    }

    pub(crate) fn trash(&mut self) -> bool {
        let at = self.dice.below(self.refs.len());
        if self.refs[at].trashed {
            return false;
        }
        let last = self.refs[at].kind == RefKind::Branch && self.live().count() == 1;
        let done = self.engine.trash_ref(&owner(), self.story, self.refs[at].id, CLIENT);
        if last {
            assert!(matches!(done, Err(EngineError::LastBranch)));
            return false;
        }
        let effect = Effect::Trashed(self.current == at);
        self.refs[at].log.push(Entry { number: done.unwrap(), effect, undoes: None, redo: false });
        self.thrown_away(at);
        true
    }

    /// Who read it reads where it came from, or another branch that is there.
    pub(crate) fn thrown_away(&mut self, at: usize) {
        self.refs[at].trashed = true;
        if self.current != at {
            return;
        }
        let id = self.engine.current_branch(&owner(), self.story).unwrap().unwrap();
        let next = self.refs.iter().position(|model| model.id == id).unwrap();
        let origin = self.refs[at].origin.filter(|origin| self.live().any(|live| live == *origin));
        assert!(origin.is_none_or(|origin| origin == next), "it came from another one");
        assert!(self.live().any(|live| live == next));
        self.current = next;
    }

    pub(crate) fn restore(&mut self) -> bool {
        let Some(at) = self.refs.iter().position(|model| model.trashed) else { return false };
        let number = self.engine.restore_ref(&owner(), self.story, self.refs[at].id, CLIENT).unwrap();
        self.refs[at].trashed = false;
        self.refs[at].log.push(Entry { number, effect: Effect::Restored(false), undoes: None, redo: false });
        true
    }
}
