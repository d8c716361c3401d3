//! `storeyline tag`: lists, creates and deletes tags.

use storeyline_wire::RefKind;

use crate::args::{CreateTagArgs, TagArgs};
use crate::commands::branch;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &TagArgs) -> Result<(), Failure> {
    match args {
        TagArgs::List(args) => branch::list(context, args, RefKind::Tag),
        TagArgs::Create(args) => create(context, args),
        TagArgs::Delete(target) => branch::delete(context, target, RefKind::Tag),
    }
}

fn create(context: &Context, args: &CreateTagArgs) -> Result<(), Failure> {
    let from = which::find(context, &args.target.story)?;
    let (floor, name) = (from.floor_or_last(args.floor), &args.name);
    let note = args.note.as_deref().unwrap_or_default();
    let made = from.create(args.floor, RefKind::Tag, name, note, false)?;
    let message = context.words(format!("标签“{name}”标在第 {floor} 层"), format!("tag `{name}` marks floor {floor}"));
    branch::print_result(&made, None, &message)
}
