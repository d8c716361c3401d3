//! Native functions: the eight of the seeds, and MVU's names for them.

mod add;
mod append;
mod assign;
mod insert;
mod move_to;
mod remove;
mod set;
mod time;
mod time_add;
mod unset;

mod push_unique;
mod select;

pub(crate) use add::ADD;
pub(crate) use add::{add_number, number, refuse as not_a_number, too_large};
pub(crate) use assign::merge;
pub(crate) use push_unique::{PULL, PUSH_UNIQUE};
pub(crate) use remove::remove;
pub(crate) use select::{SELECT_ADD, SELECT_DEL, SELECT_SET, SELECT_UPDATE};
pub(crate) use set::SET;
pub(crate) use unset::UNSET;

use crate::builtin::Builtin;

/// In the order of the reference page: the eight of the seeds, then the useful ones of the peers.
pub(crate) const BUILTINS: &[&Builtin] = &[
    &SET,
    &ADD,
    &add::SUB,
    &append::APPEND,
    &remove::REMOVE,
    &assign::ASSIGN,
    &UNSET,
    &time::TIME,
    &time_add::TIME_ADD,
    &insert::INSERT,
    &move_to::MOVE,
    &PUSH_UNIQUE,
    &PULL,
    &SELECT_SET,
    &SELECT_ADD,
    &SELECT_UPDATE,
    &SELECT_DEL,
];
