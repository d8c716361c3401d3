//! `storeyline tag`: lists, creates and deletes tags.

use storeyline_engine::{RefChange, RefKind};

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
    let which = which::find(context, &args.target.story)?;
    let Which { engine, story, .. } = &which;
    let (owner, name) = (which.owner(), &args.name);
    let made = engine.create_ref(&owner, *story, which.id(), args.floor, RefKind::Tag, name, false, CLIENT)?;
    if let Some(note) = &args.note {
        let change = RefChange { note: Some(note.clone()), ..RefChange::default() };
        engine.change_ref(&owner, *story, made.id, &change, CLIENT)?;
    }
    let floor = which.floor_or_last(args.floor);
    let message = context.words(format!("标签“{name}”标在第 {floor} 层"), format!("tag `{name}` marks floor {floor}"));
    branch::print_result(&which.made(made), None, &message)
}
