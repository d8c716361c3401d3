//! Executes a change of a branch and prints the result.

use serde::Serialize;
use storeyline_engine::{By, EngineError};
use storeyline_state::diff::diff;
use storeyline_state::{RefId, StoryId, Value};
use storeyline_wire::common::changes;
use storeyline_wire::operation::{BranchEdit, Edited};

use crate::commands::operation;
use crate::commands::shape::print_changes;
use crate::commands::which::Which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

/// Client name in the log of operations.
pub(crate) const CLIENT: &str = "cli";

/// Returns the author of a change, on the condition that the head of the branch did not move since
/// it was read.
pub(crate) fn at(which: &Which<'_>) -> By<'static> {
    By { client: CLIENT, head: which.branch.head }
}

/// Changes a branch; `done_message` is the message in the language of the terminal.
pub(crate) fn run(which: &Which<'_>, change: &BranchEdit, done_message: &str) -> Result<(), Failure> {
    run_by(which, By::client(CLIENT), change, done_message)
}

/// Same, as an author who may have a condition.
pub(crate) fn run_by(which: &Which<'_>, by: By<'_>, change: &BranchEdit, done_message: &str) -> Result<(), Failure> {
    let edit = || which.engine.edit_branch(&which.owner(), which.story, which.id(), change, by);
    report(which, edit, |_| Ok(done_message.to_owned()))
}

/// Makes a change and prints its result, with what it did to the last state.
pub(crate) fn report(
    which: &Which<'_>,
    edit: impl FnOnce() -> Result<Edited, EngineError>,
    done_message: impl FnOnce(&Edited) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let context = which.context;
    if context.json {
        context.answer(&edited_here(which, edit()?));
        return Ok(());
    }
    let before = last_state(which);
    let edited = edit()?;
    let Some(number) = edited.operation else {
        context.line(&nothing_changed(context));
        return Ok(());
    };
    context.done(&done_message(&edited)?, &context.operation(number));
    let ops = before.zip(last_state(which)).map(|(before, after)| diff(&before, &after)).unwrap_or_default();
    if !ops.is_empty() {
        context.line(&context.paint(Tone::Quiet, context.words("  末层状态：", "  the state at the end:")));
        print_changes(context, "  ", &changes(&ops));
    }
    Ok(())
}

/// Returns the state at the end of a branch, to show the effect of a change.
fn last_state(which: &Which<'_>) -> Option<Value> {
    let floors = floors_of(which, &which.branch.id)?;
    which.view(floors.checked_sub(1)?, None).ok().map(|view| view.state.0)
}

/// Returns a description of what an undo or a redo was about.
pub(crate) fn about(which: &Which<'_>, edited: &Edited) -> Result<String, Failure> {
    let Some(number) = edited.operation else { return Ok(String::new()) };
    let all = which.engine.log(&which.owner(), which.story, edited.branch, usize::MAX)?;
    let find = |wanted: i64| all.iter().find(|logged| logged.operation == wanted);
    let mut found = find(number);
    while let Some(earlier) = found.and_then(|logged| logged.undoes) {
        found = find(earlier);
    }
    Ok(found.map(|found| operation::words(which.context, found)).unwrap_or_default())
}

/// Returns the message for a change that had no effect.
pub(crate) fn nothing_changed(context: &Context) -> String {
    let words = context.words(
        "没有变化：本来就是这样，没有写入任何东西。",
        "Nothing changed: it was so already, and nothing was written.",
    );
    format!("{} {words}", context.paint(Tone::Quiet, "·"))
}

/// The result of a change, and how many floors its branch has now.
#[derive(Serialize)]
pub(crate) struct EditedHere {
    story: StoryId,
    #[serde(flatten)]
    edited: Edited,
    floors: Option<usize>,
}

pub(crate) fn edited_here(which: &Which<'_>, edited: Edited) -> EditedHere {
    EditedHere { story: which.story, floors: floors_of(which, &edited.branch), edited }
}

fn floors_of(which: &Which<'_>, branch: &RefId) -> Option<usize> {
    which.engine.floors(&which.owner(), which.story, *branch, usize::MAX, 0).ok().map(|found| found.total)
}
