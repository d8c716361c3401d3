//! `storeyline branch`: lists, creates, switches, renames, deletes, restores, grafts and merges branches.

use serde::Serialize;
use storeyline_state::{StoryId, Value};
use storeyline_wire::RefKind;
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::story::RefChange;
use storeyline_wire::view::Ref;

use crate::args::{BranchArgs, CreateBranchArgs, GraftArgs, RefListArgs, RenameArgs, Target};
use crate::commands::change::{self, CLIENT};
use crate::commands::shape::{floors_text, object, text};
use crate::commands::which::{self, Which};
use crate::commands::{merge, refs};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &BranchArgs) -> Result<(), Failure> {
    match args {
        BranchArgs::List(args) => list(context, args, RefKind::Branch),
        BranchArgs::Create(args) => create(context, args),
        BranchArgs::Switch(target) => switch(context, target),
        BranchArgs::Rename(args) => rename(context, args),
        BranchArgs::Delete(target) => delete(context, target, RefKind::Branch),
        BranchArgs::Restore(target) => restore(context, target),
        BranchArgs::Graft(args) => graft(context, args),
        BranchArgs::Merge(args) => merge::run(context, args),
    }
}

/// Lists the branches or the tags of a story.
pub(crate) fn list(context: &Context, args: &RefListArgs, kind: RefKind) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?.story;
    let mut tree = refs::tree(context, &engine, story, args.trash)?;
    tree.retain(|hung| hung.line.kind == kind);
    if context.json {
        context.answer(&tree.iter().map(|entry| &entry.line).collect::<Vec<_>>());
        return Ok(());
    }
    if tree.is_empty() {
        context.line(match kind {
            RefKind::Branch => context.words("还没有分支。", "There is no branch yet."),
            RefKind::Tag => context.words("还没有标签。", "There is no tag yet."),
        });
    }
    tree.iter_mut().for_each(|entry| entry.lead.clear());
    refs::print(context, &tree);
    Ok(())
}

fn create(context: &Context, args: &CreateBranchArgs) -> Result<(), Failure> {
    let mut from = which::find(context, &args.target.story)?;
    if let Some(name) = &args.from {
        from = from.other(name)?;
    }
    let (floor, name, old) = (from.floor_or_last(args.floor), &args.name, from.name().to_owned());
    let made = from.create(args.floor, RefKind::Branch, name, "", args.switch)?;
    let (zh, en) = match args.switch {
        true => ("，现在是当前分支", ", and is the current branch now"),
        false => ("", ""),
    };
    let message = context.words(
        format!("分支“{name}”从“{old}”的第 {floor} 层分出{zh}"),
        format!("branch `{name}` begins after floor {floor} of `{old}`{en}"),
    );
    print_result(&made, None, &message)
}

fn switch(context: &Context, target: &Target) -> Result<(), Failure> {
    let which = which::find(context, &target.story)?.must_be_named()?;
    let operation = which.engine.switch_branch(&which.owner(), which.story, which.id(), CLIENT)?;
    let name = which.name();
    let message = context.words(format!("当前分支：{name}"), format!("the current branch is `{name}`"));
    print_result(&which, Some(operation), &message)
}

fn rename(context: &Context, args: &RenameArgs) -> Result<(), Failure> {
    let which = which::find_any(context, &args.target.story)?;
    let change = RefChange { name: args.name.clone(), note: args.note.clone(), colour: args.colour.clone() };
    let operation = which.engine.change_ref(&which.owner(), which.story, which.id(), &change, CLIENT)?;
    if operation.is_none() {
        nothing_changed(&which);
        return Ok(());
    }
    let old = which.name();
    let (zh, en) = match &args.name {
        Some(name) => (format!("“{old}”改名为“{name}”"), format!("`{old}` is called `{name}` now")),
        None => (format!("“{old}”的备注或颜色已更改"), format!("`{old}` has another note or colour")),
    };
    print_result(&which, operation, &context.words(zh, en))
}

/// Moves a branch or a tag to the trash.
pub(crate) fn delete(context: &Context, target: &Target, kind: RefKind) -> Result<(), Failure> {
    let which = which::find(context, &target.story)?.must_be_named()?;
    if which.branch.kind != kind {
        return Err(Failure::OtherKind(which.branch.name, which.branch.kind));
    }
    let operation = which.engine.trash_ref(&which.owner(), which.story, which.id(), CLIENT)?;
    let name = which.name();
    let message = context.words(
        format!("“{name}”已移入回收站；`storeyline branch restore` 可以取回"),
        format!("`{name}` is in the trash; `storeyline branch restore` brings it back"),
    );
    print_result(&which, Some(operation), &message)
}

fn restore(context: &Context, target: &Target) -> Result<(), Failure> {
    let which = which::find_any(context, &target.story)?.must_be_named()?;
    if which.branch.trashed.is_none() {
        return Err(Failure::NotInTrash(which.branch.name));
    }
    let operation = which.engine.restore_ref(&which.owner(), which.story, which.id(), CLIENT)?;
    let name = which.name();
    let message = context.words(format!("“{name}”已从回收站取回"), format!("`{name}` is back from the trash"));
    print_result(&which, Some(operation), &message)
}

fn graft(context: &Context, args: &GraftArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let other = which.other(&args.from)?.branch;
    let (first, count, at, name) = (args.first, args.count.get(), args.at, other.name);
    let floors = floors_text(context, count);
    let message = context.words(
        format!("“{name}”从第 {first} 层起的 {count} 层已接到第 {at} 层"),
        format!("{floors} of `{name}`, from floor {first} on: now at floor {at}"),
    );
    change::run(&which, &BranchEdit::Graft { from: other.id, first, count, floor: at }, &message)
}

/// A ref after a change of it.
#[derive(Serialize)]
struct RefChanged {
    story: StoryId,
    #[serde(flatten)]
    branch: Ref,
}

fn nothing_changed(which: &Which<'_>) {
    let context = which.context;
    match context.json {
        true => context.value(&object([
            ("story", text(which.story)),
            ("ref", text(which.id())),
            ("operation", Value::Null),
        ])),
        false => context.line(&change::nothing_changed(context)),
    }
}

/// Prints the result of a change of a ref, with the given operation or else its last one.
pub(crate) fn print_result(which: &Which<'_>, operation: Option<i64>, message: &str) -> Result<(), Failure> {
    let Which { context, engine, story, .. } = which;
    let now = engine.ref_lines(&which.owner(), *story)?.into_iter().find(|line| line.id == which.id());
    let now = now.unwrap_or_else(|| which.branch.clone());
    let operation = operation.unwrap_or(now.operation);
    if context.json {
        context.answer(&RefChanged { story: *story, branch: Ref { operation, ..now } });
    } else {
        context.done(message, &context.operation(operation));
    }
    Ok(())
}
