//! `storeyline redo`: redoes an undone operation.

use crate::args::UndoArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &UndoArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find_any(context, &engine, &args.target.story)?;
    let branch = which.branch.branch.id;
    let before = change::last_state(context, &engine, &which);
    let edited = engine.redo(&context.owner(), which.story, branch, args.operation, change::CLIENT)?;
    let done_again = change::about(context, &engine, &which, &edited)?;
    let message = match context.chinese() {
        true => format!("已重做：{done_again}"),
        false => format!("done again: {done_again}"),
    };
    change::report(context, &engine, &which, &edited, before.as_ref(), &message);
    Ok(())
}
