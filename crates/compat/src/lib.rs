//! Foreign formats: what other programs write, read into our words, and written again.
//!
//! In: host messages, chat files, cards. Out: roles, pages with ids and texts, the host's own
//! fields kept whole, initial states. All of it is hostile: bounded, never evaluated.

pub mod binding;
pub mod card;
pub mod chat_file;
pub mod host_message;
pub mod send_date;

pub use binding::{Row, bind, chat_uid};
pub use card::Card;
pub use chat_file::{ChatFile, ChatFileError};
pub use host_message::HostMessage;

/// The key under which a host file carries our ids.
pub const KEY: &str = "storeyline";
