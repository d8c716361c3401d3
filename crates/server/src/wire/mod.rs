//! The types of requests and responses, separate from the engine's, so that the engine can change
//! without them.

pub(crate) mod chats;
pub(crate) mod common;
pub(crate) mod ids;
pub(crate) mod value;

pub(crate) mod address;
pub(crate) mod archive;
pub(crate) mod view;

pub(crate) mod care;
pub(crate) mod compare;
pub(crate) mod import;
pub(crate) mod keeps;
pub(crate) mod operation;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod story;
pub(crate) mod sync;
pub(crate) mod trails;
pub(crate) mod var_manager;
