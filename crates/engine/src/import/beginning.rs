//! The beginning of an imported story: names, first state and rules, found in the card, world books and
//! messages.

use storeyline_compat::{Card, ChatFile, Given, HostMessage, Initial, WorldBook, find_initial, initvar, names_in};
use storeyline_state::{ChatId, Value};
use storeyline_store::{HostBinding, View};
use storeyline_wire::sync::Names;

use super::ImportRequest;
use crate::consent::hold_undecided;
use crate::error::Result;
use crate::sync::known_names;

/// The card and world books that come with a chat.
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
    /// Finds the beginning of a chat, with the functions of the card only if they are allowed: by the request, or by
    /// an earlier decision of the owner.
    pub(super) fn begin(&self, tx: &View<'_>, messages: &[HostMessage], names: &Names) -> Result<Initial> {
        let mut initial = self.find(messages, names);
        if !self.allow_functions {
            let card = self.card.map_or("", |card| card.name.as_str());
            hold_undecided(tx, card, &mut initial)?;
        }
        Ok(initial)
    }

    fn find(&self, messages: &[HostMessage], names: &Names) -> Initial {
        find_initial(&Given { card: self.card, books: self.world_books, messages, names: known_names(names) })
    }

    /// The names in the file, else those of the card.
    pub(super) fn names(&self, header: &Value, messages: &[HostMessage]) -> Names {
        let initvar::Names { user, character } = names_in(header, messages);
        let card = || self.card.map(|card| card.name.clone());
        Names { user: user.unwrap_or_default(), character: character.or_else(card).unwrap_or_default() }
    }
}

/// Names and beginning of a file that is not imported.
pub(crate) fn beginning(request: &ImportRequest, file: &ChatFile) -> (Names, Initial) {
    let character = request.character();
    let names = character.names(&file.header, &file.read);
    let mut initial = character.find(&file.read, &names);
    if !character.allow_functions {
        initial.hold_functions();
    }
    (names, initial)
}

/// The binding of a chat file. Its card or group is in our record of the metadata.
pub(super) fn host_of(chat: ChatId, file: &str, metadata: &Value) -> HostBinding {
    let owner = metadata.get(storeyline_compat::KEY).and_then(|own| own.get("owner")?.as_text());
    HostBinding { chat, file: file.to_owned(), file_owner: owner.unwrap_or_default().to_owned(), reported: None }
}
