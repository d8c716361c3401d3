//! A story that is played through the engine, floor by floor.

use storeyline_engine::{By, Engine, OpenChat, OpenedChat, Owner, Rules};
use storeyline_state::{ChatId, Value};
use storeyline_wire::Role;
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};

use crate::Done;

pub(crate) struct Play {
    pub(crate) engine: Engine,
    pub(crate) opened: OpenedChat,
}

impl Play {
    /// Starts a story with an initial state.
    pub(crate) fn begin(engine: Engine, state: &Value) -> Done<Play> {
        let request = OpenChat {
            chat: ChatId::from_random([1; 16]),
            parent: None,
            file: "bench".into(),
            file_owner: String::new(),
            title: "bench".into(),
            template: Some(state.clone()),
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(&Owner::local(), &request)?;
        Ok(Play { engine, opened })
    }

    pub(crate) fn append(&self, text: String) -> Done {
        let page = NewPage { page: None, text, time: Some(1_700_000_000_000) };
        self.change(&BranchEdit::Append(NewTurn { role: Role::Assistant, name: "阿丽娅".into(), page }))
    }

    pub(crate) fn change(&self, change: &BranchEdit) -> Done {
        let OpenedChat { story, branch, .. } = self.opened;
        self.engine.edit_branch(&Owner::local(), story, branch, change, By::client("bench"))?;
        Ok(())
    }
}
