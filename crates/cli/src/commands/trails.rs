//! `storeyline blame` (which floor and which call set a value) and `storeyline history` (all
//! changes of a value, or those after which a condition holds).

use serde::Serialize;
use storeyline_engine::Condition;
use storeyline_state::{RefId, StatePath, StoryId};
use storeyline_wire::Json;
use storeyline_wire::trails::ValueChange;

use crate::args::{BlameArgs, HistoryArgs};
use crate::commands::shape::{short, value_text};
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless, pad, width};

pub(crate) fn blame(context: &Context, args: &BlameArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let change = which.engine.blame(&which.owner(), which.story, which.id(), args.floor, &args.path)?;
    let floor = which.floor_or_last(args.floor);
    let state = which.engine.state_at(&which.owner(), which.story, which.id(), floor)?;
    let value = args.path.parse::<StatePath>().ok().and_then(|path| path.get(&state).cloned());
    if context.json {
        context.answer(&BlameOfPath { at: path_of(&which, &args.path), value: value.map(Json), change });
        return Ok(());
    }
    let path = context.paint(Tone::Strong, &harmless(&args.path));
    let Some(change) = change else {
        context.line(&match value {
            Some(value) => {
                let words =
                    context.words("故事开始时就是这样，没有楼层改过它", "as the story began; no floor changed it");
                format!("{path}: {}  {}", value_text(&value), context.paint(Tone::Quiet, words))
            }
            None => {
                let words =
                    context.words("没有这个值，也没有楼层设过它", "there is no such value, and no floor ever set it");
                format!("{path}: {}", context.paint(Tone::Quiet, words))
            }
        });
        return Ok(());
    };
    let line = which.floor_line(change.floor)?;
    context.line(&format!(
        "{path}: {}  {} {} {}",
        arrow(context, &change),
        context.paint(Tone::Number, &format!("#{}", change.floor)),
        context.paint(Tone::Name, &harmless(&line.name)),
        context.paint(Tone::Quiet, &short(change.page))
    ));
    context.line(&format!("  {}", cause(context, &change, 100)));
    Ok(())
}

pub(crate) fn history(context: &Context, args: &HistoryArgs) -> Result<(), Failure> {
    let read = |text: &String| Condition::read(text).ok_or_else(|| Failure::Condition(text.clone()));
    let when = args.when.as_ref().map(read).transpose()?;
    let which = which::find(context, &args.target.story)?;
    let changes = which.engine.value_history(&which.owner(), which.story, which.id(), &args.path, when.as_ref())?;
    if context.json {
        context.answer(&HistoryOfPath { at: path_of(&which, &args.path), when: args.when.as_deref(), changes });
        return Ok(());
    }
    if changes.is_empty() {
        context.line(match when {
            Some(_) => context.words("这从来没有发生过。", "This never came to be."),
            None => context.words("没有楼层改过这个值。", "No floor changed this value."),
        });
    }
    print(context, &changes);
    Ok(())
}

fn print(context: &Context, changes: &[ValueChange]) {
    let numbers = changes.iter().map(|change| change.floor.to_string().len() + 1).max().unwrap_or(0);
    // Colour codes take no columns, so the width is measured without them.
    let plain: Vec<usize> = changes.iter().map(|change| width(&plain_arrow(change))).collect();
    let widest = plain.iter().copied().max().unwrap_or(0).min(40);
    for (change, own) in changes.iter().zip(plain) {
        context.line(&format!(
            "{}  {}{}  {}",
            context.paint(Tone::Number, &pad(&format!("#{}", change.floor), numbers)),
            arrow(context, change),
            " ".repeat(widest.saturating_sub(own)),
            cause(context, change, 60)
        ));
    }
}

/// A path on a branch.
#[derive(Serialize)]
struct PathOf<'a> {
    story: StoryId,
    #[serde(rename = "ref")]
    branch: RefId,
    path: &'a str,
}

fn path_of<'a>(which: &Which<'_>, path: &'a str) -> PathOf<'a> {
    PathOf { story: which.story, branch: which.id(), path }
}

#[derive(Serialize)]
struct BlameOfPath<'a> {
    #[serde(flatten)]
    at: PathOf<'a>,
    value: Option<Json>,
    change: Option<ValueChange>,
}

#[derive(Serialize)]
struct HistoryOfPath<'a> {
    #[serde(flatten)]
    at: PathOf<'a>,
    when: Option<&'a str>,
    changes: Vec<ValueChange>,
}

/// Returns `7 → 12`, `+ 12` or `- 7`.
fn arrow(context: &Context, change: &ValueChange) -> String {
    let good = |text: &str| context.paint(Tone::Good, text);
    let bad = |text: &str| context.paint(Tone::Bad, text);
    match (change.before.as_deref().map(value_text), change.after.as_deref().map(value_text)) {
        (Some(before), Some(after)) => format!("{} → {}", bad(&before), good(&after)),
        (None, Some(after)) => format!("{} {}", good("+"), good(&after)),
        (Some(before), None) => format!("{} {}", bad("-"), bad(&before)),
        (None, None) => String::new(),
    }
}

/// Same without colours, to measure its width.
fn plain_arrow(change: &ValueChange) -> String {
    match (change.before.as_deref().map(value_text), change.after.as_deref().map(value_text)) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (one, other) => format!("+ {}", one.or(other).unwrap_or_default()),
    }
}

/// Returns the cause on one line, with the reason given in the text.
fn cause(context: &Context, change: &ValueChange, columns: usize) -> String {
    let Some(cause) = &change.by else {
        return context.paint(Tone::Quiet, context.words("没有调用说明是它做的", "no call says that it was it"));
    };
    let words = match (cause.source.is_empty(), cause.name.as_str()) {
        (false, _) => harmless(&cut(&cause.source, columns)),
        (true, "override") => context.words("手动改正", "corrected by hand").to_owned(),
        (true, name) => harmless(name),
    };
    // MVU's calls contain their reason themselves.
    let new = |reason: &&str| !reason.is_empty() && !words.contains(*reason);
    match cause.reason.as_deref().map(str::trim).filter(new) {
        Some(reason) => format!("{words}  {}", context.paint(Tone::Quiet, &harmless(&cut(reason, columns)))),
        None => words,
    }
}
