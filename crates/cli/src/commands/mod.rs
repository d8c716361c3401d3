//! One file per command, or per family of small commands. Shared modules are at the end.

pub(crate) mod apply;
pub(crate) mod card;
pub(crate) mod conformance;
pub(crate) mod example;
pub(crate) mod export;
pub(crate) mod functions;
pub(crate) mod import;
pub(crate) mod path;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod sillytavern;
pub(crate) mod stories;
pub(crate) mod strip_mvu;
pub(crate) mod verify;

pub(crate) mod diff;
pub(crate) mod log;
pub(crate) mod messages;
pub(crate) mod search;
pub(crate) mod trails;

pub(crate) mod archive;
pub(crate) mod edits;

pub(crate) mod branch;
pub(crate) mod tag;
pub(crate) mod undo;

pub(crate) mod reprocess;
pub(crate) mod rules;
pub(crate) mod settings;

pub(crate) mod snapshot;
pub(crate) mod template;

pub(crate) mod backup;
pub(crate) mod doctor;
pub(crate) mod gc;
pub(crate) mod link;
pub(crate) mod restore;
pub(crate) mod stats;
pub(crate) mod token;

mod change;
mod disk;
mod merge;
mod operation;
mod refs;
mod run_file;
mod shape;
mod which;
