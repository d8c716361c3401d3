//! Plays one random story: each step is applied to the engine and to the model.

use std::collections::{HashMap, HashSet};

use storeyline_engine::{By, Durability, Engine, EngineError, OpenChat, Owner, Rules};
use storeyline_state::{ChatId, PageId, RefId, StoryId, Value};
use storeyline_wire::operation::{BranchEdit, Edited, NewPage, NewTurn};
use storeyline_wire::{RefKind, Role};

use crate::Dice;
use crate::naive::{self, Doing, KEYS, Page, Plain, Turn};

/// What an operation did, with copies of everything before and after.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    List {
        before: Vec<Turn>,
        after: Vec<Turn>,
    },
    Created,
    /// With whether it was the one that is read.
    Trashed(bool),
    /// With whether it is the one that is read again.
    Restored(bool),
    Rules {
        before: bool,
        after: bool,
    },
    Policy {
        before: bool,
        after: bool,
    },
    Switched {
        before: usize,
        after: usize,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) number: i64,
    pub(crate) effect: Effect,
    pub(crate) undoes: Option<i64>,
    pub(crate) redo: bool,
}

/// A ref in the naive way.
#[derive(Debug, Clone)]
pub(crate) struct ModelRef {
    pub(crate) id: RefId,
    pub(crate) name: String,
    pub(crate) kind: RefKind,
    pub(crate) trashed: bool,
    pub(crate) turns: Vec<Turn>,
    pub(crate) origin: Option<usize>,
    pub(crate) log: Vec<Entry>,
    /// Where reading stood when a page was left.
    pub(crate) cursors: HashMap<PageId, Vec<Turn>>,
    /// The host chat, if it is bound to one.
    pub(crate) chat: Option<ChatId>,
    /// Whether host fields make its nodes different from others with the same pages.
    pub(crate) hosted: bool,
}

pub(crate) struct Play {
    pub(crate) engine: Engine,
    /// Another program that has the same file open; both take turns.
    pub(crate) other: Option<Engine>,
    pub(crate) handed_over: usize,
    pub(crate) story: StoryId,
    pub(crate) refs: Vec<ModelRef>,
    pub(crate) current: usize,
    pub(crate) dice: Dice,
    pub(crate) looked_at: usize,
    pub(crate) folder: Option<tempfile::TempDir>,
    pub(crate) user_calls: bool,
    pub(crate) manual: bool,
    pub(crate) minted: u64,
    /// Chats whose host has shown them once.
    pub(crate) shown: HashSet<ChatId>,
    /// Under which rules each page ever stood.
    pub(crate) rules_seen: HashMap<PageId, HashSet<bool>>,
}

pub(crate) const TIME: i64 = 1_700_000_000_000;
pub(crate) const CLIENT: &str = "model";

pub(crate) fn by() -> By<'static> {
    By::client(CLIENT)
}

pub(crate) fn owner() -> Owner {
    Owner::local()
}

impl Play {
    pub(crate) fn new(seed: u64) -> Play {
        // A quarter in a file, the others in memory.
        let folder = seed.is_multiple_of(4).then(|| tempfile::tempdir().unwrap());
        let engine = match &folder {
            Some(folder) => Engine::open(folder.path()).unwrap(),
            None => Engine::in_memory().unwrap(),
        };
        let chat = ChatId::from_random([1; 16]);
        let request = OpenChat {
            chat,
            parent: None,
            file: "主线".into(),
            file_owner: String::new(),
            title: "雨夜".into(),
            template: None,
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(&owner(), &request).unwrap();
        let first = ModelRef {
            id: opened.branch,
            name: "主线".into(),
            kind: RefKind::Branch,
            trashed: false,
            turns: Vec::new(),
            origin: None,
            log: vec![Entry { number: 1, effect: Effect::Created, undoes: None, redo: false }],
            cursors: HashMap::new(),
            chat: None,
            hosted: false,
        };
        let other = folder.as_ref().filter(|_| seed.is_multiple_of(8));
        let other = other.map(|folder| Engine::open(folder.path()).unwrap().with_durability(Durability::Normal));
        let mut play = Play {
            other,
            handed_over: 0,
            engine: engine.with_durability(Durability::Normal),
            story: opened.story,
            refs: vec![first],
            current: 0,
            dice: Dice::new(seed),
            looked_at: 0,
            folder,
            user_calls: false,
            manual: false,
            minted: seed << 16,
            shown: HashSet::new(),
            rules_seen: HashMap::new(),
        };
        for _ in 0..3 {
            play.append();
        }
        play
    }

    pub(crate) fn page(&mut self) -> Page {
        self.minted += 1;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.minted.to_le_bytes());
        let id = PageId::from_random(bytes);
        self.rules_seen.entry(id).or_default().insert(self.user_calls);
        let (text, doings) = self.text();
        Page { id, text, doings, user_calls: self.user_calls, said: Vec::new(), kept: None }
    }

    pub(crate) fn text(&mut self) -> (String, Vec<Doing>) {
        let count = self.dice.below(4);
        let doings: Vec<Doing> = (0..count)
            .map(|_| {
                let key = KEYS[self.dice.below(KEYS.len())];
                let amount = self.dice.below(19) as i64 - 9;
                match self.dice.below(5) {
                    0 | 1 => Doing::Set(key, amount),
                    2 | 3 => Doing::Add(key, amount),
                    _ => Doing::Unset(key),
                }
            })
            .collect();
        self.minted += 1;
        (naive::text(&doings, self.minted), doings)
    }

    /// A live branch.
    pub(crate) fn pick(&mut self) -> usize {
        let live: Vec<usize> = self.live().collect();
        live[self.dice.below(live.len())]
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = usize> + '_ {
        let live = |model: &ModelRef| !model.trashed && model.kind == RefKind::Branch;
        self.refs.iter().enumerate().filter(move |(_, model)| live(model)).map(|(index, _)| index)
    }

    pub(crate) fn pick_floor(&mut self, at: usize) -> Option<usize> {
        let length = self.refs[at].turns.len();
        (length > 0).then(|| self.dice.below(length))
    }

    pub(crate) fn pick_page(&mut self, at: usize) -> Option<(usize, usize)> {
        let floor = self.pick_floor(at)?;
        let pages = self.refs[at].turns[floor].pages.len();
        Some((floor, self.dice.below(pages)))
    }

    /// Does one random thing; returns what, and whether it changed anything.
    /// Lets the other program go on, if there is one.
    pub(crate) fn hand_over(&mut self) {
        self.handed_over += 1;
        if let Some(other) = self.other.as_mut().filter(|_| !self.handed_over.is_multiple_of(3)) {
            std::mem::swap(&mut self.engine, other);
        }
    }

    pub(crate) fn step(&mut self) -> (&'static str, bool) {
        self.hand_over();
        let (kind, changed) = match self.dice.below(44) {
            0..=5 => ("append", self.append()),
            6 => ("insert", self.insert()),
            7 | 8 => ("alternative", self.add_page()),
            9 | 10 => ("select", self.select()),
            11 | 12 => ("swipe", self.swipe()),
            13 | 14 => ("edit", self.edit()),
            15 => ("edit as alternative", self.edit_as_alternative()),
            16 => ("edit on all branches", self.edit_everywhere()),
            17 => ("delete", self.delete()),
            18 => ("cut", self.cut()),
            19 => ("delete page", self.delete_page()),
            20 => ("keep only", self.keep_only()),
            21 => ("move", self.move_turn()),
            22 => ("hide", self.hide()),
            23 => ("branch", self.branch(RefKind::Branch)),
            24 => ("tag", self.branch(RefKind::Tag)),
            25 => ("switch", self.switch()),
            26 => ("graft", self.graft()),
            27 => ("merge", self.merge()),
            28 | 29 => ("override", self.override_state()),
            30 => ("clear override", self.clear_override()),
            31 => ("rules", self.rules()),
            32 => ("edit policy", self.policy()),
            33 => ("re-process", self.reprocess()),
            34 | 35 => ("undo", self.undo(false)),
            36 => ("undo any", self.undo(true)),
            37 | 38 => ("redo", self.redo()),
            39 => ("trash", self.trash()),
            40 => ("restore", self.restore()),
            41 => ("import of a copy", self.import_copy()),
            42 => ("sync", self.sync()),
            _ => match self.dice.below(3) {
                0 => ("reload", self.reload()),
                _ => ("gc", self.collect()),
            },
        };
        self.looked_at = self.pick();
        (kind, changed)
    }

    /// Does an edit of a branch to both and writes it down.
    pub(crate) fn do_edit(&mut self, at: usize, change: &BranchEdit, mut after: Vec<Turn>, keeps: bool) -> bool {
        let before = self.refs[at].turns.clone();
        if keeps && self.manual {
            keep_states(&before, &mut after);
        }
        let done = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, change, by());
        if after.is_empty() {
            assert!(matches!(done, Err(EngineError::EmptyPath)), "{done:?}");
            return false;
        }
        let edited = done.unwrap_or_else(|error| panic!("{change:?}: {error}"));
        self.write_down(at, &edited, before, after)
    }

    pub(crate) fn write_down(&mut self, at: usize, edited: &Edited, before: Vec<Turn>, after: Vec<Turn>) -> bool {
        let changed = before != after;
        self.refs[at].turns.clone_from(&after);
        assert_eq!(edited.operation.is_some(), changed, "an operation is written down exactly if something changed");
        if let Some(number) = edited.operation {
            let effect = Effect::List { before, after };
            self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        changed
    }

    pub(crate) fn new_turn(&mut self) -> (Turn, NewTurn) {
        let role = if self.dice.below(3) == 0 { Role::User } else { Role::Assistant };
        let page = self.page();
        let new = NewTurn { role, name: "x".into(), page: new_page(&page) };
        (Turn { role, hidden: false, active: 0, pages: vec![page] }, new)
    }
}

pub(crate) fn new_page(page: &Page) -> NewPage {
    NewPage { page: Some(page.id), text: page.text.clone(), time: Some(TIME) }
}

pub(crate) fn plain(state: &Value) -> Plain {
    let entries = state.as_object().unwrap().iter();
    entries.map(|(key, value)| (key.to_string(), value.as_number().unwrap().as_i64().unwrap())).collect()
}

/// Lets every page that was read before keep the state that it had.
pub(crate) fn keep_states(before: &[Turn], after: &mut [Turn]) {
    let states: HashMap<PageId, Plain> =
        before.iter().zip(naive::states(before)).map(|(turn, state)| (turn.read().id, state)).collect();
    let unchanged = before.iter().zip(after.iter()).take_while(|(before, after)| before == after).count();
    for turn in &mut after[unchanged..] {
        if let Some(state) = states.get(&turn.read().id) {
            let active = turn.active;
            turn.pages[active].kept = Some(state.clone());
        }
    }
}

/// Says what the state of a page is (nothing: of the page that is read).
pub(crate) fn say(turns: &mut [Turn], floor: usize, index: Option<usize>, saved: &Plain) {
    let above = floor.checked_sub(1).map_or_else(Plain::new, |above| naive::states(turns)[above].clone());
    let role = turns[floor].role;
    let index = index.unwrap_or(turns[floor].active);
    let page = &mut turns[floor].pages[index];
    page.kept = None;
    page.said = naive::said(&naive::computed(&above, page, role), saved);
}
