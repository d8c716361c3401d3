//! How a story begins that a file tells: its names, its first state, its rules.

use storeyline_compat::{Card, ChatFile, Given, HostMessage, Initial, WorldBook, find_initial, initvar, names_in};
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

    /// What the file tells of the names when the chat began, else the card.
    pub(super) fn names(&self, header: &Value, messages: &[HostMessage]) -> Names {
        let initvar::Names { user, character } = names_in(header, messages);
        let card = || self.card.map(|card| card.name.clone());
        Names { user: user.unwrap_or_default(), character: character.or_else(card).unwrap_or_default() }
    }
}

/// For those who read a file without keeping it.
pub(crate) fn beginning(request: &ImportRequest, file: &ChatFile) -> (Names, Initial) {
    let character = request.character();
    let names = character.names(&file.header, &file.read);
    let initial = character.begin(&file.read, &names);
    (names, initial)
}

/// A word of our own record in a header.
pub(super) fn own<'a>(metadata: &'a Value, key: &str) -> Option<&'a str> {
    metadata.get(storeyline_compat::KEY)?.get(key)?.as_text()
}
