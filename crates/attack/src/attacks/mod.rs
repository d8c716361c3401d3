//! The attacks, one kind per file.

mod access;
mod connections;
mod damage;
mod files;
mod functions;
mod kills;
mod maintenance;
mod proportion;
mod text;

use crate::Attack;

/// All attacks, in the order in which they are tried.
pub static ALL: &[&Attack] = &[
    &files::OTHER_USERS,
    &access::COOKIE,
    &access::LINK_TWICE,
    &access::BROWSER_TOKEN,
    &connections::IDLE,
    &connections::BODIES,
    &connections::NEIGHBOUR,
    &functions::LEAK,
    &functions::HANGING,
    &functions::PAGE_TIME,
    &functions::FUNCTIONS,
    &text::PATCH_SOURCES,
    &text::MOVED_VALUES,
    &text::LONG_NAMES,
    &text::SLOW_TEXTS,
    &text::HEALTH,
    &text::SEARCH,
    &proportion::PROPORTION,
    &damage::DAMAGE,
    &kills::SOME_KILLS,
    &kills::KILLS,
    &maintenance::BESIDE,
];
