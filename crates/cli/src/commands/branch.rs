//! `storeyline branch`: lists, creates, switches, renames, deletes, restores, grafts and merges branches.

use storeyline_engine::{BranchEdit, Engine, RefChange, RefKind, RefLine};
use storeyline_state::Value;

use crate::args::{BranchArgs, CreateBranchArgs, GraftArgs, RefListArgs, RenameArgs, Target};
use crate::commands::change::{self, CLIENT};
use crate::commands::shape::{floors_text, object, ref_value, text};
use crate::commands::which::{self, Which};
use crate::commands::{merge, refs};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

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
    let mut tree = refs::tree(context, &engine, story.id, args.trash)?;
    tree.retain(|hung| hung.line.branch.kind == kind);
    if context.json {
        context.value(&refs::value(&tree));
        return Ok(());
    }
    if tree.is_empty() {
        let (zh, en) = match kind {
            RefKind::Branch => ("还没有分支。", "There is no branch yet."),
            RefKind::Tag => ("还没有标签。", "There is no tag yet."),
        };
        context.line(context.words(zh, en));
    }
    refs::print_flat(context, &tree);
    Ok(())
}

fn create(context: &Context, args: &CreateBranchArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let from = match &args.from {
        Some(from) => which::other(context, &engine, &which, from)?,
        None => which.clone(),
    };
    let made = engine.create_ref(
        &context.owner(),
        which.story,
        from.branch.branch.id,
        args.floor,
        RefKind::Branch,
        &args.name,
        args.switch,
        CLIENT,
    )?;
    let floor = args.floor.unwrap_or_else(|| from.branch.floors.saturating_sub(1));
    let (zh, en) = match args.switch {
        true => ("，现在是当前分支", ", and is the current branch now"),
        false => ("", ""),
    };
    let message = match context.chinese() {
        true => format!("分支“{}”从“{}”的第 {floor} 层分出{zh}", args.name, from.branch.branch.name),
        false => format!("branch `{}` begins after floor {floor} of `{}`{en}", args.name, from.branch.branch.name),
    };
    print_result(context, &engine, &Which { branch: RefLine { branch: made, ..from.branch }, ..which }, None, &message)
}

fn switch(context: &Context, target: &Target) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &target.story)?.must_be_named()?;
    let operation = engine.switch_branch(&context.owner(), which.story, which.branch.branch.id, CLIENT)?;
    let message = match context.chinese() {
        true => format!("当前分支：{}", which.branch.branch.name),
        false => format!("the current branch is `{}`", which.branch.branch.name),
    };
    print_result(context, &engine, &which, Some(operation), &message)
}

fn rename(context: &Context, args: &RenameArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find_any(context, &engine, &args.target.story)?;
    let change = RefChange { name: args.name.clone(), note: args.note.clone(), colour: args.colour.clone() };
    let operation = engine.change_ref(&context.owner(), which.story, which.branch.branch.id, &change, CLIENT)?;
    if operation.is_none() {
        return nothing_changed(context, &which);
    }
    let old = &which.branch.branch.name;
    let message = match (context.chinese(), &args.name) {
        (true, Some(name)) => format!("“{old}”改名为“{name}”"),
        (false, Some(name)) => format!("`{old}` is called `{name}` now"),
        (true, None) => format!("“{old}”的备注或颜色已更改"),
        (false, None) => format!("`{old}` has another note or colour"),
    };
    print_result(context, &engine, &which, operation, &message)
}

/// Moves a branch or a tag to the trash.
pub(crate) fn delete(context: &Context, target: &Target, kind: RefKind) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &target.story)?.must_be_named()?;
    if which.branch.branch.kind != kind {
        return Err(Failure::OtherKind(which.branch.branch.name, which.branch.branch.kind));
    }
    let operation = engine.trash_ref(&context.owner(), which.story, which.branch.branch.id, CLIENT)?;
    let name = &which.branch.branch.name;
    let message = match context.chinese() {
        true => format!("“{name}”已移入回收站；`storeyline branch restore` 可以取回"),
        false => format!("`{name}` is in the trash; `storeyline branch restore` brings it back"),
    };
    print_result(context, &engine, &which, Some(operation), &message)
}

fn restore(context: &Context, target: &Target) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find_any(context, &engine, &target.story)?.must_be_named()?;
    let name = which.branch.branch.name.clone();
    if which.branch.branch.trashed.is_none() {
        return Err(Failure::NotInTrash(name));
    }
    let operation = engine.restore_ref(&context.owner(), which.story, which.branch.branch.id, CLIENT)?;
    let message = match context.chinese() {
        true => format!("“{name}”已从回收站取回"),
        false => format!("`{name}` is back from the trash"),
    };
    print_result(context, &engine, &which, Some(operation), &message)
}

fn graft(context: &Context, args: &GraftArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let other = which::other(context, &engine, &which, &args.from)?.branch.branch;
    let (first, count, at) = (args.first, args.count.get(), args.at);
    let message = match context.chinese() {
        true => format!("“{}”从第 {first} 层起的 {count} 层已接到第 {at} 层", other.name),
        false => {
            let floors = floors_text(context, count);
            format!("{floors} of `{}`, from floor {first} on: now at floor {at}", other.name)
        }
    };
    let edit = BranchEdit::Graft { from: other.id, first, count, floor: at };
    change::run(context, &engine, &which, &edit, &message)
}

fn nothing_changed(context: &Context, which: &Which) -> Result<(), Failure> {
    match context.json {
        true => context.value(&object([
            ("story", text(which.story)),
            ("ref", text(which.branch.branch.id)),
            ("operation", Value::Null),
        ])),
        false => context.line(&change::nothing_changed(context)),
    }
    Ok(())
}

/// Prints the result of a change of a ref.
pub(crate) fn print_result(
    context: &Context,
    engine: &Engine,
    which: &Which,
    operation: Option<i64>,
    message: &str,
) -> Result<(), Failure> {
    let id = which.branch.branch.id;
    let now = engine.ref_lines(&context.owner(), which.story)?.into_iter().find(|line| line.branch.id == id);
    let now = now.unwrap_or_else(|| which.branch.clone());
    let operation = operation.or(Some(now.branch.operation));
    if context.json {
        let current = engine.current_branch(&context.owner(), which.story)?;
        let mut shape = ref_value(&now, current == Some(id)).as_object().cloned().unwrap_or_default();
        shape.insert("story".into(), text(which.story));
        shape.insert("operation".into(), operation.map_or(Value::Null, Value::from));
        context.value(&Value::object(shape));
        return Ok(());
    }
    let number = operation.map(|number| format!("  · {} {number}", context.words("操作", "operation")));
    let number = context.paint(Tone::Quiet, &number.unwrap_or_default());
    context.line(&format!("{} {message}{number}", context.paint(Tone::Good, "✓")));
    Ok(())
}
