//! How a story begins that a file tells: its names, its first state, its rules.

use storeyline_compat::{Card, ChatFile, Given, HostMessage, Initial, WorldBook, find_initial, initvar, names_in};
use storeyline_state::{ChatId, Value};
use storeyline_store::HostBinding;

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
        let given = Given { card: self.card, books: self.world_books, messages, names: names.known() };
        let mut initial = find_initial(&given);
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

/// The binding of a chat file; our own record in its metadata names its card or group.
pub(super) fn host_of(chat: ChatId, file: &str, metadata: &Value) -> HostBinding {
    let owner = metadata.get(storeyline_compat::KEY).and_then(|own| own.get("owner")?.as_text());
    HostBinding { chat, file: file.to_owned(), file_owner: owner.unwrap_or_default().to_owned(), reported: None }
}
