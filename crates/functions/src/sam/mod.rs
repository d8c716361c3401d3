//! SAM's processing of a message: its own order, timers by round, deletions at the end.
//!
//! In: the whole SAM state (`static` is the story's data), the calls of one message, the card's
//! functions. Out: the next state and what each call did. The commands of every version are
//! accepted under every version, because a card may be older or newer than its profile.

mod message;

mod execute;

mod batch;
mod defaults;
mod rooted;

mod functions;
mod time;
mod timers;

mod basic;
mod moves;
mod select;
mod write;

mod events;
mod notes;

mod db;
mod fields;
mod patch;

pub(crate) use batch::Batch;
pub(crate) use db::DB;
pub use functions::SamFunction;
pub use message::SamTurn;
pub(crate) use message::run_message;
pub(crate) use patch::PATCH;

use storeyline_calls::Arg;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments};
use crate::profile::SamVersion;

/// Every `@.` command of any version of SAM.
pub(crate) const COMMANDS: &[&Builtin] = &[
    &basic::SET,
    &basic::ADD,
    &basic::DEL,
    &select::SELECT_SET,
    &select::SELECT_ADD,
    &select::SELECT_DEL,
    &time::TIME,
    &timers::TIMED_SET,
    &timers::CANCEL_SET,
    &functions::EVAL,
    &notes::RESPONSE_SUMMARY,
    &events::EVENT_BEGIN,
    &events::EVENT_END,
    &events::EVENT_ADD_PROC,
    &events::EVENT_ADD_DEFN,
    &events::EVENT_ADD_MEMBER,
    &events::EVENT_SUMMARY,
    &select::INCSET,
    &select::INCADD,
    &basic::REMOVE,
    &moves::REBASE,
    &moves::SWAP,
    &notes::SUMMARY,
    &DB,
];

/// The first commands of the list are those that 3.5 and 4.0 teach.
const OF_4_0: usize = 17;

const OF_4_2: &[&Builtin] = &[
    &basic::SET,
    &basic::ADD,
    &basic::DEL,
    &basic::REMOVE,
    &select::SELECT_SET,
    &select::SELECT_ADD,
    &select::SELECT_DEL,
    &select::INCSET,
    &select::INCADD,
    &moves::REBASE,
    &moves::SWAP,
    &time::TIME,
    &timers::TIMED_SET,
    &timers::CANCEL_SET,
    &functions::EVAL,
    &notes::SUMMARY,
];

const OF_5: &[&Builtin] = &[&DB, &time::TIME, &functions::EVAL];

/// Returns the `@.` commands that the prompt of a version teaches; it accepts all of [`COMMANDS`].
pub(crate) fn builtins(version: SamVersion) -> &'static [&'static Builtin] {
    match version {
        SamVersion::V3_5 | SamVersion::V4_0 => &COMMANDS[..OF_4_0],
        SamVersion::V4_2 => OF_4_2,
        SamVersion::V5 => OF_5,
        // Version 6 teaches patches.
        SamVersion::V6 => &[],
    }
}

/// Refuses a call that has too few arguments; SAM ignores additional ones.
fn at_least(args: &[Arg], count: usize, builtin: &Builtin) -> Result<(), Refusal> {
    count_arguments(args, builtin.syntax, count..=usize::MAX)
}

/// Returns the batch of the message, or refuses outside of the SAM profile.
fn batch_of<'a>(draft: &Draft<'a>) -> Result<&'a Batch, Refusal> {
    draft.sam().ok_or_else(|| {
        Refusal::new(
            "E-SAM-ONLY",
            "这个函数只在 SAM 故事里有效，没有执行。",
            "This function works in a SAM story only; nothing was done.",
        )
    })
}

/// Refuses to let a list of the state grow without limit.
fn has_room(length: usize, limit: usize, name: &str) -> Result<(), Refusal> {
    if length < limit {
        return Ok(());
    }
    Err(Refusal::new(
        "E-FULL",
        format!("{name} 已有 {limit} 项，不能再添加。"),
        format!("{name} already has {limit} entries; nothing was added."),
    ))
}

#[cfg(test)]
mod tests_support;
