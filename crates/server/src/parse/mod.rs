//! Reads the parts of requests that need more than their types: cards, world books, rules, queries.

mod chats;
mod import;
mod paths;
mod rules;
mod search;

pub(crate) use chats::{cast, host_chat};
pub(crate) use import::{card, import_request, world_books};
pub(crate) use paths::state_path;
pub(crate) use rules::{library, profile, rules_change};
pub(crate) use search::words;
