//! The shapes of requests and answers; their own types, so that the inside can change.

pub(crate) mod chats;
pub(crate) mod common;
pub(crate) mod request;
pub(crate) mod sync;
pub(crate) mod view;
