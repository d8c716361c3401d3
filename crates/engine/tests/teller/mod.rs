//! Test helper: a story to which pages are appended and whose floors are read.

use std::path::Path;

use storeyline_engine::{By, Engine, EngineError, OpenChat, OpenedChat, Owner, Rules};
use storeyline_state::{ChatId, PageId, json};
use storeyline_wire::Role;
use storeyline_wire::operation::{BranchEdit, Edited, NewPage, NewTurn};

/// A story and the branch that is played.
pub(crate) struct Teller {
    pub(crate) engine: Engine,
    pub(crate) opened: OpenedChat,
}

#[allow(dead_code, reason = "each test uses what it needs")]
impl Teller {
    pub(crate) fn begin(engine: Engine, template: &str) -> Teller {
        Teller::begin_chat(engine, 1, template)
    }

    /// Begins a story for one of several chats.
    pub(crate) fn begin_chat(engine: Engine, chat: u8, template: &str) -> Teller {
        let request = OpenChat {
            chat: ChatId::from_random([chat; 16]),
            parent: None,
            file: "main".into(),
            file_owner: "card.png".into(),
            title: "雨夜酒馆".into(),
            template: Some(json::read(template).unwrap()),
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(&Owner::local(), &request).unwrap();
        Teller { engine, opened }
    }

    /// The same story in a program that was started anew.
    pub(crate) fn again(folder: &Path, opened: &OpenedChat) -> Teller {
        Teller { engine: Engine::open(folder).unwrap(), opened: opened.clone() }
    }

    pub(crate) fn edit(&self, change: &BranchEdit) -> Result<Edited, EngineError> {
        let OpenedChat { story, branch, .. } = self.opened;
        self.engine.edit_branch(&Owner::local(), story, branch, change, By::client("test"))
    }

    pub(crate) fn say(&self, role: Role, words: &str) -> PageId {
        let page = NewPage { page: None, text: words.into(), time: Some(0) };
        let turn = NewTurn { role, name: "x".into(), page };
        self.edit(&BranchEdit::Append(turn)).unwrap().page.unwrap()
    }

    pub(crate) fn reply(&self, words: &str) -> PageId {
        self.say(Role::Assistant, words)
    }

    pub(crate) fn alternative(&self, floor: usize, words: &str) -> PageId {
        let page = NewPage { page: None, text: words.into(), time: Some(0) };
        self.edit(&BranchEdit::AddPage { floor, page }).unwrap().page.unwrap()
    }

    pub(crate) fn state(&self, floor: usize) -> String {
        let OpenedChat { story, branch, .. } = self.opened;
        json::write(&self.engine.state_at(&Owner::local(), story, branch, floor).unwrap())
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let OpenedChat { story, branch, .. } = self.opened;
        self.engine.texts(&Owner::local(), story, branch).unwrap()
    }

    pub(crate) fn floors(&self) -> usize {
        let OpenedChat { story, branch, .. } = self.opened;
        self.engine.floors(&Owner::local(), story, branch, 0, 0).unwrap().total
    }

    pub(crate) fn page(&self, floor: usize) -> PageId {
        let OpenedChat { story, branch, .. } = self.opened;
        self.engine.floor(&Owner::local(), story, branch, floor, None).unwrap().page
    }
}
