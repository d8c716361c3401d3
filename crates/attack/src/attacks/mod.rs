//! The attacks, one kind per file.

mod files;
mod functions;

use crate::Attack;

/// All attacks, in the order in which they are tried.
pub static ALL: &[&Attack] =
    &[&files::OTHER_USERS, &functions::LEAK, &functions::HANGING, &functions::PAGE_TIME, &functions::FUNCTIONS];
