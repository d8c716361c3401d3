//! The attacks, one kind per file.

mod files;
mod proportion;
mod text;

use crate::Attack;

/// All attacks, in the order in which they are tried.
pub static ALL: &[&Attack] = &[
    &files::OTHER_USERS,
    &text::PATCH_SOURCES,
    &text::MOVED_VALUES,
    &text::LONG_NAMES,
    &text::SLOW_TEXTS,
    &text::HEALTH,
    &text::SEARCH,
    &proportion::PROPORTION,
];
