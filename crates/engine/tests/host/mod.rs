//! Test helper: a host chat whose pages are sent, swiped, edited and synced with the engine.

use std::collections::{HashMap, HashSet};

use storeyline_compat::host_message::{self, PageToWrite};
use storeyline_compat::{HostMessage, Row, bind};
use storeyline_engine::{Engine, EngineError, OpenChat, OpenedChat, Owner, Rules};
use storeyline_state::{ChatId, NodeId, PageId, Value, json, text};
use storeyline_wire::sync::{HostChange, Keep, Names, SyncAnswer, SyncPage, SyncRequest, SyncRow};
use storeyline_wire::{Json, Role};

/// One page load of a host that shows one chat.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) chat: ChatId,
    pub(crate) client: String,
    pub(crate) seq: i64,
    pub(crate) base: Option<NodeId>,
    pub(crate) messages: Vec<Value>,
    minted: u8,
}

#[allow(dead_code, reason = "each test uses what it needs")]
impl Host {
    pub(crate) fn new(chat: u8) -> Host {
        Host {
            chat: ChatId::from_random([chat; 16]),
            client: format!("client {chat}"),
            seq: 0,
            base: None,
            messages: Vec::new(),
            minted: 0,
        }
    }

    /// The same chat in another page load.
    pub(crate) fn reload(&self, client: &str) -> Host {
        Host { client: client.into(), seq: 0, ..self.clone() }
    }

    pub(crate) fn open(&self, engine: &Engine, parent: Option<ChatId>, template: &str) -> OpenedChat {
        self.open_with(engine, parent, template, Rules::default())
    }

    pub(crate) fn open_with(
        &self,
        engine: &Engine,
        parent: Option<ChatId>,
        template: &str,
        rules: Rules,
    ) -> OpenedChat {
        let request = OpenChat {
            chat: self.chat,
            parent,
            file: format!("file {}", self.chat),
            file_owner: "card.png".into(),
            title: "雨夜酒馆".into(),
            template: Some(json::read(template).unwrap()),
            rules,
            into: None,
        };
        engine.open_chat(&Owner::local(), &request).unwrap()
    }

    fn mint(&mut self) -> PageId {
        self.minted += 1;
        let mut bytes = [self.minted; 16];
        bytes[0] = self.client.len() as u8;
        bytes[1] = self.client.as_bytes()[self.client.len() - 1];
        PageId::from_random(bytes)
    }

    pub(crate) fn user(&mut self, words: &str) -> PageId {
        self.push("旅人", true, words)
    }

    pub(crate) fn reply(&mut self, words: &str) -> PageId {
        self.push("阿丽娅", false, words)
    }

    fn push(&mut self, name: &str, user: bool, words: &str) -> PageId {
        let id = self.mint();
        let raw = json::read(&format!(r#"{{"name":"{name}","is_user":{user},"mes":"","extra":{{}}}}"#)).unwrap();
        let fields = HostMessage::read(&raw).unwrap().fields;
        self.messages.push(host_message::write(
            &fields,
            &[PageToWrite { id, text: words, time: None, valid: true }],
            0,
            false,
        ));
        id
    }

    /// Rewrites a message with other pages.
    fn rebuild(&mut self, floor: usize, pages: &[(PageId, String)], active: usize) {
        let fields = HostMessage::read(&self.messages[floor]).unwrap().fields;
        let pages: Vec<_> =
            pages.iter().map(|(id, text)| PageToWrite { id: *id, text, time: None, valid: true }).collect();
        let mut message = host_message::write(&fields, &pages, active, false);
        if pages.len() > 1 {
            // The host keeps one entry per swipe; that is where inactive ids live.
            let infos = pages.iter().map(|page| {
                let entry =
                    format!(r#"{{"extra":{{"storeyline":{{"id":"{}","h":"{}"}}}}}}"#, page.id, text::hash(page.text));
                json::read(&entry).unwrap()
            });
            let mut object = message.as_object().unwrap().clone();
            object.insert("swipe_info".into(), Value::list(infos.collect()));
            message = Value::object(object);
        }
        self.messages[floor] = message;
    }

    fn pages(&self, floor: usize) -> (Vec<(PageId, String)>, usize) {
        let message = HostMessage::read(&self.messages[floor]).unwrap();
        (message.pages.iter().map(|page| (page.bound.unwrap().0, page.text.clone())).collect(), message.active)
    }

    pub(crate) fn swipe(&mut self, floor: usize, words: &str) -> PageId {
        let (mut pages, _) = self.pages(floor);
        let id = self.mint();
        pages.push((id, words.into()));
        let active = pages.len() - 1;
        self.rebuild(floor, &pages, active);
        id
    }

    pub(crate) fn select(&mut self, floor: usize, index: usize) {
        let (pages, _) = self.pages(floor);
        self.rebuild(floor, &pages, index);
    }

    pub(crate) fn edit(&mut self, floor: usize, words: &str) {
        let (mut pages, active) = self.pages(floor);
        pages[active].1 = words.into();
        self.rebuild(floor, &pages, active);
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        let read: Vec<_> = self.messages.iter().map(|message| HostMessage::read(message).unwrap()).collect();
        bind(self.chat, &read)
    }

    /// What it shows, with the texts of all pages.
    pub(crate) fn request(&mut self) -> SyncRequest {
        self.seq += 1;
        SyncRequest {
            chat: self.chat,
            client: self.client.clone(),
            seq: self.seq,
            base: self.base,
            keep: Keep::default(),
            tail: self.rows().iter().map(sync_row).collect(),
            messages: HashMap::new(),
            have: None,
            names: Names { user: "旅人".into(), character: "阿丽娅".into() },
        }
    }

    /// Shows everything, sends what is needed, carries out what comes back, confirms.
    pub(crate) fn sync(&mut self, engine: &Engine) -> SyncAnswer {
        self.try_sync(engine).unwrap()
    }

    pub(crate) fn try_sync(&mut self, engine: &Engine) -> Result<SyncAnswer, EngineError> {
        let mut request = self.request();
        let mut answer = engine.sync(&Owner::local(), &request)?;
        if !answer.need.is_empty() {
            let needed: HashSet<_> = answer.need.iter().copied().collect();
            let wanted =
                request.tail.iter().zip(&self.messages).filter(|(row, _)| needed.contains(&row.swipes[row.active].id));
            request.messages = by_any_key(wanted.map(|(_, message)| message));
            answer = engine.sync(&Owner::local(), &request)?;
        }
        assert!(answer.need.is_empty(), "asked twice");
        self.base = answer.node;
        let changes = answer.apply.clone();
        for change in &changes {
            self.carry_out(change);
        }
        if !changes.is_empty() {
            let confirmed = self.try_sync(engine)?;
            assert!(confirmed.apply.is_empty(), "confirmed");
            return Ok(SyncAnswer { apply: answer.apply, ..confirmed });
        }
        Ok(answer)
    }

    fn carry_out(&mut self, change: &HostChange) {
        match change {
            HostChange::Edit { floor, text, .. } => self.edit(*floor, text),
            HostChange::Select { floor, index, .. } => self.select(*floor, *index),
            HostChange::Replace { floor, messages } => {
                self.messages.truncate(*floor);
                self.messages.extend(messages.iter().map(|message| message.0.clone()));
            }
        }
    }
}

/// A row as it is sent.
fn sync_row(row: &Row) -> SyncRow {
    let role = Role::ALL.into_iter().find(|role| role.as_str() == row.role.as_str()).unwrap();
    let swipes = row.pages.iter().map(|&(id, h)| SyncPage { id, h }).collect();
    SyncRow { role, name: row.name.clone(), hidden: row.hidden, swipes, active: row.active }
}

/// Messages as they are sent: the keys mean nothing.
pub(crate) fn by_any_key<'a>(messages: impl IntoIterator<Item = &'a Value>) -> HashMap<String, Json> {
    messages.into_iter().enumerate().map(|(key, message)| (key.to_string(), message.clone().into())).collect()
}

/// The states of all floors of a chat's branch.
#[allow(dead_code, reason = "each test uses what it needs")]
pub(crate) fn states(engine: &Engine, opened: &OpenedChat) -> Vec<String> {
    let total = engine.floors(&Owner::local(), opened.story, opened.branch, 0, 0).unwrap().total;
    let state = |floor| engine.floor(&Owner::local(), opened.story, opened.branch, floor, None).unwrap().state;
    (0..total).map(|floor| json::write(&state(floor))).collect()
}
