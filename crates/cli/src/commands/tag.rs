//! `storeyline tag`: lists, creates and deletes tags.

use storeyline_engine::{RefChange, RefKind, RefLine};

use crate::args::{CreateTagArgs, TagArgs};
use crate::commands::branch;
use crate::commands::change::CLIENT;
use crate::commands::which::{self, Which};
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
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let owner = context.owner();
    let from = which.branch.branch.id;
    let made = engine.create_ref(&owner, which.story, from, args.floor, RefKind::Tag, &args.name, false, CLIENT)?;
    if let Some(note) = &args.note {
        let change = RefChange { note: Some(note.clone()), ..RefChange::default() };
        engine.change_ref(&owner, which.story, made.id, &change, CLIENT)?;
    }
    let floor = args.floor.unwrap_or_else(|| which.branch.floors.saturating_sub(1));
    let message = match context.chinese() {
        true => format!("标签“{}”标在第 {floor} 层", args.name),
        false => format!("tag `{}` marks floor {floor}", args.name),
    };
    branch::print_result(
        context,
        &engine,
        &Which { branch: RefLine { branch: made, ..which.branch }, ..which },
        None,
        &message,
    )
}
