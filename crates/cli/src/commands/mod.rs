//! One file per command.

pub(crate) mod apply;
pub(crate) mod bench;
pub(crate) mod card;
pub(crate) mod conformance;
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

mod which;
