//! `storeyline branch merge`: merges the state of one branch into another.

use serde::Serialize;
use storeyline_state::{RefId, StoryId, diff};
use storeyline_wire::common::changes;
use storeyline_wire::compare::MergePreview;
use storeyline_wire::{Change, Json, Prefer};

use crate::args::MergeArgs;
use crate::commands::change::{self, EditedHere, edited_here};
use crate::commands::shape::{path_text, print_changes, value_text};
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless};

pub(crate) fn run(context: &Context, args: &MergeArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let other = which.other(&args.from)?;
    let Which { engine, story, .. } = &which;
    let (owner, into, from) = (which.owner(), which.id(), other.id());
    let prefer = if args.prefer.as_deref() == Some("theirs") { Prefer::Theirs } else { Prefer::Ours };
    let preview = engine.preview_merge(&owner, *story, into, from, prefer)?;
    let own = which.view(which.floor_or_last(None), None)?.state;
    let ops = changes(&diff::diff(&own, &preview.state));
    let undecided = if args.prefer.is_none() { preview.conflicts.len() } else { 0 };
    let edited = match args.dry_run || undecided > 0 {
        true => None,
        false => Some(engine.merge_state(&owner, *story, into, from, prefer, change::at(&which))?.0),
    };
    let operation = edited.as_ref().and_then(|edited| edited.operation);
    if context.json {
        let (merged, edited) = (edited.is_some(), edited.map(|edited| edited_here(&which, edited)));
        let unwritten = edited.is_none().then_some((*story, into));
        context.answer(&MergedHere {
            unwritten: unwritten.map(Unwritten::from),
            edited,
            merged,
            changes: ops,
            merge: preview,
        });
    } else {
        print(context, &preview, &ops);
        print_end(context, (other.name(), which.name()), operation, args);
    }
    // A merge with conflicts needs a preference; a preview does not.
    if undecided > 0 && !args.dry_run { Err(Failure::Conflicts(undecided)) } else { Ok(()) }
}

/// The result of a merge, or of its preview.
#[derive(Serialize)]
struct MergedHere {
    #[serde(flatten)]
    unwritten: Option<Unwritten>,
    #[serde(flatten)]
    edited: Option<EditedHere>,
    merged: bool,
    changes: Vec<Change>,
    #[serde(flatten)]
    merge: MergePreview,
}

/// The branch that was not changed.
#[derive(Serialize)]
struct Unwritten {
    story: StoryId,
    #[serde(rename = "ref")]
    branch: RefId,
}

impl From<(StoryId, RefId)> for Unwritten {
    fn from((story, branch): (StoryId, RefId)) -> Self {
        Unwritten { story, branch }
    }
}

fn print(context: &Context, preview: &MergePreview, ops: &[Change]) {
    print_changes(context, "", ops);
    for conflict in &preview.conflicts {
        let side = |value: &Option<Json>| value.as_deref().map_or("∅".to_owned(), value_text);
        context.line(&format!(
            "{} {}: {} · {} {} · {} {}",
            context.paint(Tone::Bad, "!"),
            harmless(&path_text(&conflict.path.0)),
            context.paint(Tone::Quiet, &side(&conflict.base)),
            context.words("本分支", "ours"),
            context.paint(Tone::Good, &side(&conflict.ours)),
            context.words("对方", "theirs"),
            context.paint(Tone::Changed, &side(&conflict.theirs)),
        ));
    }
    if ops.is_empty() && preview.conflicts.is_empty() {
        context.line(context.words("状态没有变化。", "The state stays as it is."));
    }
}

fn print_end(context: &Context, (from, into): (&str, &str), operation: Option<i64>, args: &MergeArgs) {
    if let Some(operation) = operation {
        let message = context.words(
            format!("“{from}”的状态已合并到“{into}”"),
            format!("the state of `{from}` was merged into `{into}`"),
        );
        context.done(&message, &context.operation(operation));
    } else if args.dry_run {
        context.line(&context.paint(Tone::Quiet, context.words("没有写入任何东西。", "Nothing was written.")));
    }
}
