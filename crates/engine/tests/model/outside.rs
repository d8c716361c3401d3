//! Random steps from outside: copied files, hosts, restarts, garbage collection.

use std::sync::atomic::{AtomicI64, Ordering};

use std::collections::{HashMap, HashSet};

use storeyline_compat::host_message::{self, PageToWrite};
use storeyline_engine::{Collect, Durability, Engine, ImportRequest};
use storeyline_state::{ChatId, NodeId, Value, text};
use storeyline_wire::RefKind;
use storeyline_wire::care::Collected;
use storeyline_wire::sync::{Keep, Names, SyncPage, SyncRequest, SyncRow};

use crate::naive::{Page, Turn};
use crate::play::{Effect, Entry, ModelRef, Play, keep_states, owner};

/// The number of a request: it rises with each.
static SEQ: AtomicI64 = AtomicI64::new(1);

impl Play {
    /// Exports a branch and reads the file as another chat of the same story.
    pub(crate) fn import_copy(&mut self) -> bool {
        let at = self.pick();
        let plain = |page: &Page| {
            page.said.is_empty()
                && page.kept.is_none()
                && self.rules_seen.get(&page.id).is_some_and(|seen| seen.len() == 1)
        };
        let model = &self.refs[at];
        if self.refs.len() >= 7 || model.turns.is_empty() || !model.turns.iter().flat_map(|turn| &turn.pages).all(plain)
        {
            return false;
        }
        let file = self.engine.export(&owner(), self.story, model.id).unwrap();
        self.minted += 1;
        let mut bytes = [9; 16];
        bytes[..8].copy_from_slice(&self.minted.to_le_bytes());
        let chat = ChatId::from_random(bytes);
        let header = format!("{{\"chat_metadata\":{{\"storeyline\":{{\"chat\":\"{chat}\"}}}}}}");
        let messages = file.split_once('\n').unwrap().1;
        let name = format!("副本{}", self.refs.len());
        let request = ImportRequest {
            text: format!("{header}\n{messages}"),
            file: name.clone(),
            title: String::new(),
            card: None,
            world_books: Vec::new(),
            into: Some(self.story),
            allow_functions: false,
        };
        let imported = self.engine.import(&owner(), &request).unwrap();
        assert_eq!((imported.story, imported.new_pages), (self.story, 0));
        let log = self.engine.log(&owner(), self.story, imported.branch, 9).unwrap();
        let turns = self.refs[at].turns.clone();
        assert_eq!(log.len(), 1, "made where it stands");
        self.refs.push(ModelRef {
            id: imported.branch,
            name,
            kind: RefKind::Branch,
            trashed: false,
            turns,
            origin: None,
            log: vec![Entry { number: log[0].operation, effect: Effect::Created, undoes: None, redo: false }],
            cursors: HashMap::new(),
            chat: Some(chat),
            hosted: true,
        });
        true
    }

    /// A host shows its chat after something was done to it there.
    pub(crate) fn sync(&mut self) -> bool {
        let bound: Vec<usize> = self.live().filter(|index| self.refs[*index].chat.is_some()).collect();
        if bound.is_empty() {
            return self.import_copy();
        }
        let at = bound[self.dice.below(bound.len())];
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let floor = self.dice.below(after.len());
        match self.dice.below(4) {
            0 if after.len() > 1 => {
                after.remove(floor);
            }
            1 => {
                let (text, doings) = self.text();
                let active = after[floor].active;
                let page = &mut after[floor].pages[active];
                *page = Page { text, doings, kept: None, ..page.clone() };
            }
            2 => {
                let page = self.page();
                after[floor].active = after[floor].pages.len();
                after[floor].pages.push(page);
            }
            _ => {
                let (turn, _) = self.new_turn();
                after.push(turn);
            }
        }
        let chat = self.refs[at].chat.unwrap();
        let story = self.engine.story(&owner(), self.story).unwrap();
        let line = story.story.refs.iter().find(|line| line.id == self.refs[at].id).unwrap();
        // A host that opens a chat shows it as it is; what it shows later is what somebody did there.
        if self.shown.insert(chat) {
            let answer = self.engine.sync(&owner(), &request(chat, line.head, &before, Vec::new())).unwrap();
            assert!(answer.need.is_empty() && answer.apply.is_empty() && answer.notices.is_empty(), "{answer:?}");
        }
        let changed = |turn: &&Turn| !before.contains(turn);
        let messages = after.iter().filter(changed).map(message).collect();
        let request = request(chat, line.head, &after, messages);
        if self.manual {
            keep_states(&before, &mut after);
        }
        let answer = self.engine.sync(&owner(), &request).unwrap();
        assert!(answer.need.is_empty() && answer.apply.is_empty() && answer.notices.is_empty(), "{answer:?}");
        let number = self.engine.log(&owner(), self.story, self.refs[at].id, 1).unwrap()[0].operation;
        let moved = self.refs[at].log.last().is_none_or(|entry| entry.number != number);
        self.refs[at].turns.clone_from(&after);
        if moved {
            let effect = Effect::List { before: before.clone(), after: after.clone() };
            self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        assert!(moved || before == after);
        moved
    }

    pub(crate) fn reload(&mut self) -> bool {
        let Some(folder) = &self.folder else { return false };
        self.engine = Engine::open(folder.path()).unwrap().with_durability(Durability::Normal);
        true
    }

    pub(crate) fn collect(&mut self) -> bool {
        // Sometimes nothing older than now can be undone any more.
        let all = self.dice.below(4) == 0;
        let request = Collect { dry_run: true, trash_days: 30, undo_days: if all { -1 } else { 90 }, shrink: false };
        let dry = self.engine.collect(&owner(), request).unwrap();
        let done = self.engine.collect(&owner(), Collect { dry_run: false, ..request }).unwrap();
        assert!(dry.dry_run);
        assert_eq!(Collected { dry_run: false, ..dry }, done, "a dry run tells the truth");
        if all {
            for model in &mut self.refs {
                // The last one stays, with what it took back.
                let mut held = HashSet::new();
                let mut next = model.log.last().map(|entry| entry.number);
                while let Some(number) = next {
                    held.insert(number);
                    next = model.log.iter().find(|entry| entry.number == number).and_then(|entry| entry.undoes);
                }
                model.log.retain(|entry| held.contains(&entry.number));
            }
        }
        done != Default::default()
    }
}

fn row(turn: &Turn) -> SyncRow {
    SyncRow {
        role: turn.role,
        name: "x".into(),
        hidden: turn.hidden,
        active: turn.active,
        swipes: turn.pages.iter().map(|page| SyncPage { id: page.id, h: text::hash(&page.text) }).collect(),
    }
}

fn message(turn: &Turn) -> Value {
    let role = storeyline_history::Role::from_word(turn.role.as_str()).unwrap();
    let fields = host_message::plain_fields(role, "x");
    let pages: Vec<_> =
        turn.pages.iter().map(|page| PageToWrite { id: page.id, text: &page.text, time: None, valid: true }).collect();
    host_message::write(&fields, &pages, turn.active, turn.hidden)
}

fn request(chat: ChatId, base: Option<NodeId>, turns: &[Turn], messages: Vec<Value>) -> SyncRequest {
    SyncRequest {
        chat,
        client: "host".into(),
        seq: SEQ.fetch_add(1, Ordering::Relaxed),
        base,
        keep: Keep::default(),
        tail: turns.iter().map(row).collect(),
        messages: messages.into_iter().enumerate().map(|(key, message)| (key.to_string(), message.into())).collect(),
        have: None,
        names: Names::default(),
    }
}
