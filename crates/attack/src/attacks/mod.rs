//! The attacks, one kind per file.

mod files;
mod maintenance;

use crate::Attack;

/// All attacks, in the order in which they are tried.
pub static ALL: &[&Attack] = &[&files::OTHER_USERS, &maintenance::DAMAGE, &maintenance::KILLS, &maintenance::BESIDE];
