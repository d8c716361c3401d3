//! Executes a change of a branch and prints the result.

use storeyline_engine::{BranchEdit, By, Edited, Engine};
use storeyline_state::Value;
use storeyline_state::diff::diff;

use crate::commands::operation;
use crate::commands::shape::{list, maybe, number, object, print_ops, text};
use crate::commands::which::Which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

/// Client name in the log of operations.
pub(crate) const CLIENT: &str = "cli";

/// Returns the author of a change, on the condition that the head of the branch did not move since
/// it was read.
pub(crate) fn at(which: &Which) -> By<'static> {
    By { client: CLIENT, head: which.branch.node }
}

/// Changes a branch; `done_message` is the message in the language of the terminal.
pub(crate) fn run(
    context: &Context,
    engine: &Engine,
    which: &Which,
    change: &BranchEdit,
    done_message: &str,
) -> Result<(), Failure> {
    run_if_at(context, engine, which, change, By::client(CLIENT), done_message)
}

/// Same, only if the head of the branch did not move since it was read.
pub(crate) fn run_if_unmoved(
    context: &Context,
    engine: &Engine,
    which: &Which,
    change: &BranchEdit,
    done_message: &str,
) -> Result<(), Failure> {
    run_if_at(context, engine, which, change, at(which), done_message)
}

fn run_if_at(
    context: &Context,
    engine: &Engine,
    which: &Which,
    change: &BranchEdit,
    by: By<'_>,
    done_message: &str,
) -> Result<(), Failure> {
    let before = last_state(context, engine, which);
    let edited = engine.edit_branch(&context.owner(), which.story, which.branch.branch.id, change, by)?;
    report(context, engine, which, &edited, before.as_ref(), done_message);
    Ok(())
}

/// Returns the state at the end of a branch, to show the effect of a change.
pub(crate) fn last_state(context: &Context, engine: &Engine, which: &Which) -> Option<Value> {
    let branch = which.branch.branch.id;
    let (floors, _) = engine.floors(&context.owner(), which.story, branch, usize::MAX, 0).ok()?;
    let last = floors.checked_sub(1).filter(|_| !context.json)?;
    engine.floor(&context.owner(), which.story, branch, last, None).ok().map(|view| view.state)
}

/// Returns a description of what an undo or a redo was about.
pub(crate) fn about(context: &Context, engine: &Engine, which: &Which, edited: &Edited) -> Result<String, Failure> {
    let Some(number) = edited.operation.filter(|_| !context.json) else { return Ok(String::new()) };
    let all = engine.log(&context.owner(), which.story, edited.branch, usize::MAX)?;
    let find = |wanted: i64| all.iter().find(|logged| logged.operation.number == wanted);
    let mut found = find(number);
    while let Some(earlier) = found.and_then(|logged| logged.operation.undoes) {
        found = find(earlier);
    }
    Ok(found.map(|found| operation::words(context, found)).unwrap_or_default())
}

/// Prints the result of a change.
pub(crate) fn report(
    context: &Context,
    engine: &Engine,
    which: &Which,
    edited: &Edited,
    before: Option<&Value>,
    done_message: &str,
) {
    if context.json {
        context.value(&edited_value(context, engine, which, edited, []));
        return;
    }
    let Some(number) = edited.operation else {
        context.line(&nothing_changed(context));
        return;
    };
    let operation = format!("{} {number}", context.words("操作", "operation"));
    context.line(&format!(
        "{} {done_message}  {}",
        context.paint(Tone::Good, "✓"),
        context.paint(Tone::Quiet, &format!("· {operation}"))
    ));
    let after = last_state(context, engine, which);
    let ops = before.zip(after.as_ref()).map(|(before, after)| diff(before, after)).unwrap_or_default();
    if !ops.is_empty() {
        context.line(&context.paint(Tone::Quiet, context.words("  末层状态：", "  the state at the end:")));
        print_ops(context, "  ", &ops);
    }
}

/// Returns the message for a change that had no effect.
pub(crate) fn nothing_changed(context: &Context) -> String {
    let words = context.words(
        "没有变化：本来就是这样，没有写入任何东西。",
        "Nothing changed: it was so already, and nothing was written.",
    );
    format!("{} {words}", context.paint(Tone::Quiet, "·"))
}

/// Returns the result of a change as JSON.
pub(crate) fn edited_value<'a>(
    context: &Context,
    engine: &Engine,
    which: &Which,
    edited: &Edited,
    more: impl IntoIterator<Item = (&'a str, Value)>,
) -> Value {
    let floors = engine.floors(&context.owner(), which.story, edited.branch, usize::MAX, 0).ok();
    let own = [
        ("story", text(which.story)),
        ("ref", text(edited.branch)),
        ("operation", maybe(edited.operation, Value::from)),
        ("node", text(edited.node)),
        ("page", maybe(edited.page, text)),
        ("floors", maybe(floors, |(floors, _)| number(floors))),
        ("evaluated", list(&edited.evaluated, |floor| number(*floor))),
        ("late", edited.late.into()),
    ];
    object(own.into_iter().chain(more))
}
