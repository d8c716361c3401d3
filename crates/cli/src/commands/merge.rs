//! `storeyline branch merge`: merges the state of one branch into another.

use storeyline_engine::{MergePreview, Prefer};
use storeyline_server::wire;
use storeyline_state::merge::Conflict;
use storeyline_state::{Op, Value, diff};

use crate::args::MergeArgs;
use crate::commands::change;
use crate::commands::shape::{api_value, list, maybe, number, object, path_text, print_ops, text, value_text};
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
    let ops = diff::diff(&own, &preview.state);
    let undecided = if args.prefer.is_none() { preview.conflicts.len() } else { 0 };
    let edited = match args.dry_run || undecided > 0 {
        true => None,
        false => Some(engine.merge_state(&owner, *story, into, from, prefer, change::at(&which))?.0),
    };
    if context.json {
        let shape = [
            ("merged", edited.is_some().into()),
            ("base", maybe(preview.base, number)),
            ("conflicts", list(&preview.conflicts, conflict_value)),
            ("changes", api_value(&wire::common::ops(&ops))),
            ("state", preview.state.clone()),
        ];
        context.value(&match &edited {
            Some(edited) => change::edited_value(&which, edited, shape),
            None => object([("story", text(story)), ("ref", text(into))].into_iter().chain(shape)),
        });
    } else {
        print(context, &preview, &ops);
        let names = (other.name(), which.name());
        print_end(context, names, edited.as_ref().and_then(|edited| edited.operation), args);
    }
    // A merge with conflicts needs a preference; a preview does not.
    if undecided > 0 && !args.dry_run { Err(Failure::Conflicts(undecided)) } else { Ok(()) }
}

fn conflict_value(conflict: &Conflict) -> Value {
    let side = |value: &Option<Value>| value.clone().unwrap_or(Value::Null);
    object([
        ("path", api_value(&wire::common::path(&conflict.path))),
        ("base", side(&conflict.base)),
        ("ours", side(&conflict.ours)),
        ("theirs", side(&conflict.theirs)),
    ])
}

fn print(context: &Context, preview: &MergePreview, ops: &[Op]) {
    print_ops(context, "", ops);
    for conflict in &preview.conflicts {
        let side = |value: &Option<Value>| value.as_ref().map_or("∅".to_owned(), value_text);
        context.line(&format!(
            "{} {}: {} · {} {} · {} {}",
            context.paint(Tone::Bad, "!"),
            harmless(&path_text(&conflict.path)),
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
