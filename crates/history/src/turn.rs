//! A turn: one floor with all its pages. A branch is a list of turns, as a host chat is.

use std::fmt::{self, Write as _};
use std::ops::Deref;

use storeyline_state::{PageId, TextHash, Value, ValueHash, json};

use crate::body::Role;
use crate::keys::{PageKey, TurnKey, ValueKey};

/// One floor with its alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub role: Role,
    /// Name of the speaker.
    pub name: String,
    /// Hidden from the prompt; never changes the state.
    pub hidden: bool,
    /// Index of the active page.
    pub active: usize,
    /// Never empty.
    pub pages: Vec<TurnPage>,
    /// Other fields of the host's message.
    pub host: Option<HostFields>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnPage {
    /// Stays the same through edits, copies and branches.
    pub page: PageId,
    pub text: TextHash,
    /// Hash of its inputs of evaluation.
    pub body: ValueHash,
    /// Store key of this version.
    pub at: PageKey,
}

/// Fields of a host message that Storeyline does not interpret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostFields {
    pub hash: ValueHash,
    pub at: ValueKey,
}

impl Turn {
    pub fn active_page(&self) -> &TurnPage {
        &self.pages[self.active]
    }

    pub fn position(&self, page: PageId) -> Option<usize> {
        self.pages.iter().position(|own| own.page == page)
    }

    /// Returns the text of a turn over which client and engine compute the digest.
    pub fn row(&self) -> String {
        let active = self.active_page();
        let mut line = String::with_capacity(160 + 64 * self.pages.len());
        let mut add = |words: fmt::Arguments<'_>| line.write_fmt(words).expect("a text takes everything");
        add(format_args!("[\"{}\",\"{}\",\"{}\",", active.page, active.text, self.role.as_str()));
        add(format_args!("{},{},{},[", json::write(&Value::text(&self.name)), self.hidden, self.active));
        for (index, page) in self.pages.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            add(format_args!("{comma}[\"{}\",\"{}\"]", page.page, page.text));
        }
        add(format_args!("]]"));
        line
    }

    /// Tells whether a host would show both alike.
    pub fn same_row(&self, other: &Turn) -> bool {
        let shown = |page: &TurnPage| (page.page, page.text);
        (self.role, &self.name, self.hidden, self.active) == (other.role, &other.name, other.hidden, other.active)
            && self.pages.iter().map(shown).eq(other.pages.iter().map(shown))
    }

    /// Returns the hash of the content of a turn; store keys are not part of it.
    pub fn hash(&self) -> ValueHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"storeyline turn").update(self.role.as_str().as_bytes());
        hasher.update(&[0, u8::from(self.hidden), u8::from(self.host.is_some())]);
        hasher.update(&(self.active as u64).to_le_bytes());
        hasher.update(&(self.name.len() as u64).to_le_bytes()).update(self.name.as_bytes());
        if let Some(host) = &self.host {
            hasher.update(host.hash.as_bytes());
        }
        for page in &self.pages {
            hasher.update(page.page.as_bytes()).update(page.text.as_bytes()).update(page.body.as_bytes());
        }
        ValueHash::from_bytes(*hasher.finalize().as_bytes())
    }
}

/// A turn in a list. It keeps its store key until it is changed.
#[derive(Debug, Clone)]
pub struct Listed {
    turn: Turn,
    key: Option<TurnKey>,
}

impl Listed {
    pub fn stored(key: TurnKey, turn: Turn) -> Listed {
        Listed { turn, key: Some(key) }
    }

    /// Returns the store key, if the turn is stored unchanged.
    pub fn key(&self) -> Option<TurnKey> {
        self.key
    }

    /// Returns the turn for changing; it loses its store key.
    pub fn change(&mut self) -> &mut Turn {
        self.key = None;
        &mut self.turn
    }
}

impl From<Turn> for Listed {
    fn from(turn: Turn) -> Listed {
        Listed { turn, key: None }
    }
}

impl Deref for Listed {
    type Target = Turn;

    fn deref(&self) -> &Turn {
        &self.turn
    }
}

/// Store keys are ignored.
impl PartialEq for Listed {
    fn eq(&self, other: &Listed) -> bool {
        self.turn == other.turn
    }
}

impl Eq for Listed {}
