//! `storeyline undo` and `storeyline redo`.

use crate::args::UndoArgs;
use crate::commands::change::{self, CLIENT};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn undo(context: &Context, args: &UndoArgs) -> Result<(), Failure> {
    let which = which::find_any(context, &args.target.story)?;
    let edit = || which.engine.undo(&which.owner(), which.story, which.id(), args.operation, CLIENT);
    change::report(&which, edit, |edited| {
        Ok(format!("{}{}", context.words("已撤销：", "taken back: "), change::about(&which, edited)?))
    })
}

pub(crate) fn redo(context: &Context, args: &UndoArgs) -> Result<(), Failure> {
    let which = which::find_any(context, &args.target.story)?;
    let edit = || which.engine.redo(&which.owner(), which.story, which.id(), args.operation, CLIENT);
    change::report(&which, edit, |edited| {
        Ok(format!("{}{}", context.words("已重做：", "done again: "), change::about(&which, edited)?))
    })
}
