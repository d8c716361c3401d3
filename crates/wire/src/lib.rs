//! What clients see: requests and answers, with their schema. The engine returns these types, the
//! server sends them, `--json` prints them, and the TypeScript types are generated from them.
//!
//! Types only: nothing here computes anything but the form of a value.

pub mod common;
pub mod ids;
pub mod value;
pub mod words;

pub mod access;
pub mod address;
pub mod archive;
pub mod assets;
pub mod care;
pub mod changes;
pub mod chats;
pub mod compare;
pub mod import;
pub mod library;
pub mod operation;
pub mod rules;
pub mod search;
pub mod story;
pub mod sync;
pub mod trails;
pub mod tree;
pub mod view;

pub use common::{Change, Diagnostic, Path, Words};
pub use ids::Cursor;
pub use value::{Json, JsonObject};
pub use words::{ChangeKind, EditPolicy, KeepText, Language, OperationKind, Prefer, RefKind, Role, Severity, Verdict};
