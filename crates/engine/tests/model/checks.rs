//! The comparisons between engine and model after each step.

use storeyline_engine::{ArchiveOptions, Engine, Owner};
use storeyline_state::{StoryId, json};
use storeyline_wire::{Json, RefKind};

use crate::naive::{self, KEYS};
use crate::play::Play;

impl Play {
    /// Every ref: path, texts, which page is read, states; of one floor the alternatives too; of one key
    /// blame and history.
    pub(crate) fn check(&mut self, when: &str) {
        self.hand_over();
        let owner = Owner::local();
        for (index, model) in self.refs.iter().enumerate() {
            let floors = self.engine.turns(&owner, self.story, model.id, 0, usize::MAX).unwrap();
            assert_eq!(floors.total, floors.turns.len(), "{when}: {}", model.name);
            let floors = floors.turns;
            assert_eq!(floors.len(), model.turns.len(), "{when}: length of {}", model.name);
            for (floor, (turn, wanted)) in floors.iter().zip(&model.turns).enumerate() {
                let ids: Vec<_> = turn.pages.iter().map(|page| page.page).collect();
                let wanted_ids: Vec<_> = wanted.pages.iter().map(|page| page.id).collect();
                assert_eq!(ids, wanted_ids, "{when}: pages of {} at {floor}", model.name);
                let wanted_texts: Vec<_> = wanted.pages.iter().map(|page| page.text.as_str()).collect();
                let texts: Vec<_> = turn.pages.iter().map(|page| page.text.as_str()).collect();
                assert_eq!(texts, wanted_texts, "{when}: texts of {} at {floor}", model.name);
                assert_eq!(
                    (turn.active, turn.hidden),
                    (wanted.active, wanted.hidden),
                    "{when}: {} at {floor}",
                    model.name
                );
            }
            let states = naive::states(&model.turns);
            for (floor, wanted) in states.iter().enumerate() {
                let state = self.engine.state_at(&owner, self.story, model.id, floor);
                let state = if model.trashed { continue } else { state.unwrap() };
                assert_eq!(json::write(&state), naive::json(wanted), "{when}: state of {} at {floor}", model.name);
            }
            if !model.trashed && !model.turns.is_empty() && index == self.looked_at {
                let floor = self.dice.clone().below(model.turns.len());
                self.check_alternatives(index, floor, when);
                self.check_history(index, when);
            }
        }
        let current = self.engine.current_branch(&owner, self.story).unwrap();
        assert_eq!(current, Some(self.refs[self.current].id), "{when}: the branch that is read");
    }

    /// Everything: all alternatives of all floors, all keys, and what `verify` says.
    pub(crate) fn check_whole(&mut self, when: &str) {
        for index in 0..self.refs.len() {
            if self.refs[index].trashed {
                continue;
            }
            for floor in 0..self.refs[index].turns.len() {
                self.check_alternatives(index, floor, when);
            }
            self.check_history(index, when);
        }
        let verified = self.engine.verify(&Owner::local(), |_| {}).unwrap();
        assert!(verified.problems.is_empty(), "{when}: {:?}", verified.problems);
    }

    fn check_alternatives(&self, index: usize, floor: usize, when: &str) {
        let model = &self.refs[index];
        let states = naive::states(&model.turns);
        let before = floor.checked_sub(1).map_or_else(Vec::new, |above| states[above].clone());
        let turn = &model.turns[floor];
        for page in &turn.pages {
            let view = self.engine.floor(&Owner::local(), self.story, model.id, floor, Some(page.id)).unwrap();
            let wanted = naive::json(&naive::after(&before, page, turn.role));
            assert_eq!(
                json::write(&view.state),
                wanted,
                "{when}: alternative {} of {} at {floor}",
                page.id,
                model.name
            );
            assert_eq!(view.text, page.text);
            assert_eq!(view.overridden, !page.said.is_empty(), "{when}");
            assert_eq!(view.stale, page.kept.is_some(), "{when}");
        }
    }

    fn check_history(&self, index: usize, when: &str) {
        let owner = Owner::local();
        let model = &self.refs[index];
        if model.turns.is_empty() || model.kind == RefKind::Tag {
            return;
        }
        for key in KEYS {
            let number = |value: &Option<Json>| value.as_ref().and_then(|value| value.as_number()?.as_i64());
            let changes = self.engine.value_history(&owner, self.story, model.id, key, None).unwrap();
            let found: Vec<_> =
                changes.iter().map(|change| (change.floor, number(&change.before), number(&change.after))).collect();
            let wanted = naive::history(&model.turns, key);
            assert_eq!(found, wanted, "{when}: history of {key} on {}", model.name);
            let blamed = self.engine.blame(&owner, self.story, model.id, None, key).unwrap();
            assert_eq!(blamed.as_ref().map(|change| change.floor), wanted.last().map(|(floor, ..)| *floor), "{when}");
            for change in changes {
                let page = model.turns[change.floor].read();
                let by = change.by.unwrap_or_else(|| panic!("{when}: nobody set {key} at {}", change.floor));
                assert!(by.source.is_empty() || page.text.contains(&by.source), "{when}: {by:?}");
                assert_eq!(change.page, page.id);
            }
        }
    }
}

impl Play {
    /// The story as an archive, read by an engine that knows nothing: all is the same there, and its
    /// archive has the same bytes.
    pub(crate) fn check_archive(&mut self, when: &str) {
        self.hand_over();
        let owner = Owner::local();
        let text = archive(&self.engine, self.story);
        let other = Engine::in_memory().unwrap();
        let options = ArchiveOptions { allow_functions: true, copy: false };
        let imported = other.import_archive(&owner, &text, options, |_, _| {}).unwrap();
        assert_eq!((imported.story, &imported.differing[..]), (self.story, &[][..]), "{when}");
        let nodes = |engine: &Engine| {
            let mut lines = engine.ref_lines(&owner, self.story).unwrap();
            lines.sort_by_key(|line| line.id.to_string());
            lines.into_iter().map(|line| (line.id, line.head)).collect::<Vec<_>>()
        };
        assert_eq!(nodes(&other), nodes(&self.engine), "{when}");
        assert_eq!(archive(&other, self.story), text, "{when}");
        self.engine = other;
        self.other = None;
        self.folder = None;
        self.check(when);
        self.check_whole(when);
    }
}

fn archive(engine: &Engine, story: StoryId) -> String {
    let mut text = String::new();
    let add = |line: &str| {
        text.push_str(line);
        Ok(())
    };
    engine.write_archive(&Owner::local(), story, add).unwrap();
    text
}
