//! Finds MVU's initial variables: `[initvar]` entries, `<initvar>` blocks in greetings, and
//! variables stored with the messages of a chat.

use storeyline_calls::tagged;
use storeyline_history::rules::greeting_key;
use storeyline_state::{TextHash, Value};

use crate::host_message::HostMessage;
use crate::initial::{Books, Findings, Given, GreetingState, SourceKind};
use crate::initvar::{self, Names, lay_under, merge};
use crate::location::Location;
use crate::world_book::WorldBook;

/// What MVU would start with, including its marks.
pub(crate) struct Variables {
    /// From world books.
    pub(crate) books: Option<Value>,
    /// Greetings with their own variables.
    pub(crate) greetings: Vec<GreetingState>,
}

/// Searches world books and greetings.
pub(crate) fn find(given: &Given<'_>, books: &Books<'_>, findings: &mut Findings) -> Variables {
    let own = books.primary.and_then(|book| of_book(book, &given.names, findings));
    let others: Vec<Value> = books.others.iter().filter_map(|book| of_book(book, &given.names, findings)).collect();
    let together = |first: Option<Value>| {
        others
            .iter()
            .fold(first, |state, book| Some(state.map_or_else(|| book.clone(), |state| lay_under(&state, book))))
    };
    let mut greetings = Vec::new();
    for (location, text) in greeting_texts(given) {
        // The chat repeats the card's greetings; a greeting is recognised by its blocks.
        let Some(key) = key_of(text, &given.names) else { continue };
        if greetings.iter().any(|known: &GreetingState| known.key == key) {
            continue;
        }
        // A greeting's block replaces the card's own book; other books still apply.
        let state = of_greeting(&location, text, &given.names, findings);
        if let Some(state) = state.and_then(|state| together(Some(state))) {
            greetings.push(GreetingState { location, key, state });
        }
    }
    Variables { books: together(own), greetings }
}

/// Reads the entries of a book, enabled or not: authors disable them to keep them out of prompts.
fn of_book(book: &WorldBook, names: &Names, findings: &mut Findings) -> Option<Value> {
    let mut state: Option<Value> = None;
    for entry in book.entries.iter().filter(|entry| entry.title.to_lowercase().contains("[initvar]")) {
        let location = Location::Entry { book: book.name.clone(), title: entry.title.clone() };
        let found = initvar::read(&initvar::entry_text(&entry.content), names);
        findings.remark(&location, found.diagnostics);
        if let Some(value) = found.value {
            findings.source(SourceKind::InitVar, &location);
            state = Some(state.map_or_else(|| value.clone(), |state| merge(&state, &value)));
        }
    }
    state
}

fn of_greeting(location: &Location, text: &str, names: &Names, findings: &mut Findings) -> Option<Value> {
    let mut state: Option<Value> = None;
    for block in tagged(text, "initvar") {
        let found = initvar::read(initvar::block_text(block), names);
        findings.remark(location, found.diagnostics);
        if let Some(value) = found.value {
            state = Some(state.map_or_else(|| value.clone(), |state| merge(&state, &value)));
        }
    }
    if state.is_some() {
        findings.source(SourceKind::GreetingInitVar, location);
    }
    state
}

/// Returns the pages of floor 0: as the chat has them, and the card's own if the chat has fewer.
fn greeting_texts<'a>(given: &'a Given<'_>) -> Vec<(Location, &'a str)> {
    let first = given.messages.first().map(|message| message.pages.as_slice()).unwrap_or_default();
    let pages = first.iter().enumerate().map(|(page, host)| (Location::Page { floor: 0, page }, host.text.as_str()));
    let own = given.card.map(|card| card.greetings.as_slice()).unwrap_or_default();
    let card = own.iter().enumerate().map(|(index, text)| (Location::Greeting { index }, text.as_str()));
    card.chain(pages).collect()
}

/// Returns the key of a greeting; resolved names make no difference.
fn key_of(text: &str, names: &Names) -> Option<TextHash> {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    greeting_key(text, &name(&names.user), &name(&names.character))
}

/// Returns the first state that MVU stored with a message of the chat.
pub(crate) fn stored(messages: &[HostMessage], findings: &mut Findings) -> Option<Value> {
    let (floor, message, state) = messages
        .iter()
        .enumerate()
        .find_map(|(floor, message)| Some((floor, message, stored_at(message, message.active)?)))?;
    let location = Location::Page { floor, page: message.active };
    findings.source(SourceKind::MvuVariables, &location);
    Some(state.clone())
}

/// Returns what MVU stored with a page, including its marks. A message has a list with a record per
/// page; a single record is that of the active page.
pub(crate) fn stored_at(message: &HostMessage, page: usize) -> Option<&Value> {
    let variables = message.fields.get("message")?.get("variables")?;
    let record = match variables.as_list() {
        Some(swipes) => swipes.get(page)?,
        None if variables.get("stat_data").is_none() => variables.get(&page.to_string())?,
        None => Some(variables).filter(|_| page == message.active)?,
    };
    record.get("stat_data").filter(|state| state.as_object().is_some())
}
