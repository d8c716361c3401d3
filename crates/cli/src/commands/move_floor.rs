//! `storeyline move`: moves a floor.

use storeyline_engine::BranchEdit;

use crate::args::MoveArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &MoveArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let MoveArgs { from, to, .. } = *args;
    let message = match context.chinese() {
        true => format!("第 {from} 层已移到第 {to} 层"),
        false => format!("floor {from} is floor {to} now"),
    };
    change::run(context, &engine, &which, &BranchEdit::Move { from, to }, &message)
}
