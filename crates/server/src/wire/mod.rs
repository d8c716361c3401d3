//! The types of requests and responses, separate from the engine's, so that the engine can change
//! without them. The command line prints some of them with `--json`.

pub(crate) mod chats;
pub mod common;
pub(crate) mod ids;
pub(crate) mod utf16;
pub(crate) mod value;

pub mod access;
pub(crate) mod address;
pub mod archive;
pub mod view;

pub mod care;
pub mod compare;
pub mod import;
pub(crate) mod keeps;
pub(crate) mod operation;
pub(crate) mod rules;
pub mod search;
pub mod story;
pub(crate) mod sync;
pub mod trails;
pub(crate) mod var_manager;
