//! Where MVU's variables begin: `[initvar]` entries, `<initvar>` blocks in greetings, and what is
//! stored with the messages of a chat.

use storeyline_calls::tagged;
use storeyline_history::rules::greeting_key;
use storeyline_state::{TextHash, Value};

use crate::host_message::HostMessage;
use crate::initial::{Books, Given, GreetingState, Notes, SourceKind};
use crate::initvar::{self, Names, lay_under, merge};
use crate::place::Place;
use crate::world_book::WorldBook;

/// What MVU would start with, marks included.
pub(crate) struct Variables {
    /// From world books.
    pub(crate) books: Option<Value>,
    /// For greetings that bring their own.
    pub(crate) greetings: Vec<GreetingState>,
}

/// Looks for initial variables in world books and greetings.
pub(crate) fn find(given: &Given<'_>, books: &Books<'_>, notes: &mut Notes) -> Variables {
    let own = books.primary.and_then(|book| of_book(book, &given.names, notes));
    let others: Vec<Value> = books.others.iter().filter_map(|book| of_book(book, &given.names, notes)).collect();
    let together = |first: Option<Value>| {
        others
            .iter()
            .fold(first, |state, book| Some(state.map_or_else(|| book.clone(), |state| lay_under(&state, book))))
    };
    let mut greetings = Vec::new();
    for (place, text) in greeting_texts(given) {
        // The chat shows the card's greetings again; a greeting is known by its blocks.
        let Some(key) = key_of(text, &given.names) else { continue };
        if greetings.iter().any(|known: &GreetingState| known.key == key) {
            continue;
        }
        // A greeting's block stands in place of the card's own book; other books still count.
        let state = of_greeting(&place, text, &given.names, notes);
        if let Some(state) = state.and_then(|state| together(Some(state))) {
            greetings.push(GreetingState { place, key, state });
        }
    }
    Variables { books: together(own), greetings }
}

/// Entries count whether they are switched on or not: authors switch them off to keep them out of prompts.
fn of_book(book: &WorldBook, names: &Names, notes: &mut Notes) -> Option<Value> {
    let mut state: Option<Value> = None;
    for entry in book.entries.iter().filter(|entry| entry.title.to_lowercase().contains("[initvar]")) {
        let place = Place::Entry { book: book.name.clone(), title: entry.title.clone() };
        let found = initvar::read(&initvar::entry_text(&entry.content), names);
        notes.remark(&place, found.diagnostics);
        if let Some(value) = found.value {
            notes.source(SourceKind::InitVar, &place);
            state = Some(state.map_or_else(|| value.clone(), |state| merge(&state, &value)));
        }
    }
    state
}

fn of_greeting(place: &Place, text: &str, names: &Names, notes: &mut Notes) -> Option<Value> {
    let mut state: Option<Value> = None;
    for block in tagged(text, "initvar") {
        let found = initvar::read(initvar::block_text(block), names);
        notes.remark(place, found.diagnostics);
        if let Some(value) = found.value {
            state = Some(state.map_or_else(|| value.clone(), |state| merge(&state, &value)));
        }
    }
    if state.is_some() {
        notes.source(SourceKind::GreetingInitVar, place);
    }
    state
}

/// The pages of floor 0: as the chat has them, and the card's own where the chat has fewer.
fn greeting_texts<'a>(given: &'a Given<'_>) -> Vec<(Place, &'a str)> {
    let first = given.messages.first().map(|message| message.pages.as_slice()).unwrap_or_default();
    let pages = first.iter().enumerate().map(|(page, host)| (Place::Page { floor: 0, page }, host.text.as_str()));
    let own = given.card.map(|card| card.greetings.as_slice()).unwrap_or_default();
    let card = own.iter().enumerate().map(|(index, text)| (Place::Greeting { index }, text.as_str()));
    card.chain(pages).collect()
}

/// A greeting whose names the host resolved is the same greeting.
fn key_of(text: &str, names: &Names) -> Option<TextHash> {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    greeting_key(text, &name(&names.user), &name(&names.character))
}

/// The first state that MVU stored with a message of the chat.
pub(crate) fn stored(messages: &[HostMessage], notes: &mut Notes) -> Option<Value> {
    let (floor, message, state) = messages
        .iter()
        .enumerate()
        .find_map(|(floor, message)| Some((floor, message, stored_at(message, message.active)?)))?;
    let place = Place::Page { floor, page: message.active };
    notes.source(SourceKind::MvuVariables, &place);
    Some(state.clone())
}

/// What MVU stored with a page, marks included. A message has a list with a record per page; one
/// record alone is that of the read page.
pub(crate) fn stored_at(message: &HostMessage, page: usize) -> Option<&Value> {
    let variables = message.fields.get("message")?.get("variables")?;
    let record = match variables.as_list() {
        Some(swipes) => swipes.get(page)?,
        None if variables.get("stat_data").is_none() => variables.get(&page.to_string())?,
        None => Some(variables).filter(|_| page == message.active)?,
    };
    record.get("stat_data").filter(|state| state.as_object().is_some())
}
