//! Foreign formats: reads and writes the files of other programs.
//!
//! In: host messages, chat files, cards. Out: roles, pages with ids and texts, the host's own
//! fields unchanged, initial states. All input is untrusted: bounded, never executed.

pub mod location;

pub mod binding;
pub mod chat_file;
pub mod host_message;
pub mod identity;
pub mod names;
pub mod send_date;

pub mod chat_history;
pub mod folder;

pub mod card;
pub mod file_kind;
pub mod world_book;

mod base_data;
pub mod initvar;
mod mvu;
mod sam;
pub mod strip_mvu;

pub mod cast;
pub mod initial;
pub mod stored_state;
pub mod varsystem_store;

#[cfg(test)]
mod linear_time;

pub use binding::{Row, bind};
pub use card::Card;
pub use cast::{Begun, Cast, HeldFunctions, functions_fingerprint, held_functions};
pub use chat_file::{ChatFile, ChatFileError};
pub use chat_history::{ChatHistory, ChatHistoryError};
pub use folder::read_folder;
pub use host_message::HostMessage;
pub use identity::{Identity, chat_uid};
pub use initial::{Given, Initial, find_initial};
pub use location::{Location, Remark};
pub use names::names_in;
pub use stored_state::{Peer, StoredState, stored_states};
pub use storeyline_functions::sam::SamFunction;
pub use strip_mvu::strip_mvu;
pub use world_book::WorldBook;

/// The key of our ids in a host file.
pub const KEY: &str = "storeyline";

/// Maximum size of a card or a world book in bytes; real ones are hundreds of times smaller.
pub const MAX_FILE: usize = 64_000_000;

/// Parses an id that we wrote into a host file; in any other spelling it is not ours.
fn own_id<Id: std::str::FromStr + std::fmt::Display>(word: &str) -> Option<Id> {
    word.parse().ok().filter(|id: &Id| id.to_string() == word)
}

/// Returns the text of a file, without a byte order mark.
fn file_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.strip_prefix('\u{feff}').unwrap_or(text))
}
