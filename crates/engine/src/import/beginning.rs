//! How a story begins that a file tells: its names, its first state, its rules.

use storeyline_compat::{Card, ChatFile, Given, HostMessage, Initial, WorldBook, find_initial, initvar};
use storeyline_history::Role;
use storeyline_state::Value;

use super::ImportRequest;
use crate::sync::Names;

/// What belongs to the character, beside the chat.
#[derive(Clone, Copy)]
pub(super) struct Character<'a> {
    pub(super) card: Option<&'a Card>,
    pub(super) world_books: &'a [WorldBook],
    pub(super) allow_functions: bool,
}

impl ImportRequest {
    pub(super) fn character(&self) -> Character<'_> {
        Character { card: self.card.as_ref(), world_books: &self.world_books, allow_functions: self.allow_functions }
    }
}

impl Character<'_> {
    /// How a chat begins; functions of a card wait until they are allowed.
    pub(super) fn begin(&self, messages: &[HostMessage], names: &Names) -> Initial {
        let known = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        let mut initial = find_initial(&Given {
            card: self.card,
            books: self.world_books,
            messages,
            names: initvar::Names { user: known(&names.user), character: known(&names.character) },
        });
        if !self.allow_functions {
            initial.hold_functions();
        }
        initial
    }

    /// The file says what the names were when the chat began; older files show them on messages.
    pub(super) fn names(&self, metadata: &Value, messages: &[HostMessage]) -> Names {
        let speaker = |user: bool| {
            let spoken = |message: &&HostMessage| (message.role == Role::User) == user;
            messages.iter().find(spoken).map(|message| message.name.clone())
        };
        let own = |key: &str| own(metadata, key).map(str::to_owned);
        let card = || self.card.map(|card| card.name.clone());
        Names {
            user: own("user").or_else(|| speaker(true)).unwrap_or_default(),
            character: own("char").or_else(|| speaker(false)).or_else(card).unwrap_or_default(),
        }
    }
}

/// For those who read a file without keeping it.
pub(crate) fn beginning(request: &ImportRequest, file: &ChatFile) -> (Names, Initial) {
    let character = request.character();
    let names = character.names(&file.metadata(), &file.read);
    let initial = character.begin(&file.read, &names);
    (names, initial)
}

/// A word of our own record in a header.
pub(super) fn own<'a>(metadata: &'a Value, key: &str) -> Option<&'a str> {
    metadata.get(storeyline_compat::KEY)?.get(key)?.as_text()
}
