//! `storeyline diff`: compares two branches, or two floors.

use storeyline_engine::{EngineError, Listed};
use storeyline_server::wire;
use storeyline_state::{Op, Value, diff};

use crate::args::DiffArgs;
use crate::commands::shape::{api_value, floors_text, list, number, object, print_ops, text};
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless};

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<(), Failure> {
    let one = branch_point(context, &args.one, None)?;
    let other = branch_point(context, &args.other, Some(&one))?;
    if one.which.story != other.which.story {
        return Err(EngineError::OtherStory.into());
    }
    match (one.floor, other.floor) {
        (None, None) => branches(context, &one.which, &other.which),
        _ => floors(context, &one, &other),
    }
}

/// A branch, and optionally one of its floors.
struct BranchPoint<'a> {
    which: Which<'a>,
    floor: Option<usize>,
}

/// Parses `STORY[@BRANCH][:FLOOR]`; `@BRANCH` and `:FLOOR` alone refer to the story and the branch
/// of the first.
fn branch_point<'a>(
    context: &'a Context,
    text: &str,
    first: Option<&BranchPoint<'a>>,
) -> Result<BranchPoint<'a>, Failure> {
    let (before, floor) = match text.rsplit_once([':', '：']) {
        Some((before, floor)) => (before, floor.parse().ok()),
        None => (text, None),
    };
    let whole = |text: &str| match (first, text.strip_prefix('@')) {
        (Some(first), _) if text.is_empty() => Ok(first.which.clone()),
        (Some(first), Some(name)) => first.which.other(name),
        (Some(first), None) => which::find_in(context, &first.which.engine, text),
        (None, _) => which::find(context, text),
    };
    // A title may contain a colon itself.
    match (floor, whole(text)) {
        (Some(floor), Err(_)) => Ok(BranchPoint { which: whole(before)?, floor: Some(floor) }),
        (_, found) => Ok(BranchPoint { which: found?, floor: None }),
    }
}

fn branches(context: &Context, one: &Which<'_>, other: &Which<'_>) -> Result<(), Failure> {
    let compared = one.engine.compare(&context.owner(), one.story, one.id(), other.id())?;
    if context.json {
        let side = |which: &Which<'_>, turns: &[(Listed, String)]| {
            let floors = turns.iter().enumerate();
            side_value(
                which,
                floors.map(|(index, (turn, text))| wire::compare::Compared::new(compared.shared + index, turn, text)),
            )
        };
        context.value(&object([
            ("story", text(one.story)),
            ("shared", number(compared.shared)),
            ("ours", side(one, &compared.ours)),
            ("theirs", side(other, &compared.theirs)),
            ("state", api_value(&wire::common::ops(&compared.state))),
        ]));
        return Ok(());
    }
    let shared = floors_text(context, compared.shared);
    context.line(&context.paint(Tone::Quiet, &format!("{} {shared}", context.words("共有", "shared:"))));
    for (mark, tone, which, turns) in
        [("-", Tone::Bad, one, &compared.ours), ("+", Tone::Good, other, &compared.theirs)]
    {
        let count = floors_text(context, turns.len());
        context.line(&format!(
            "{} {}  {}",
            context.paint(tone, mark),
            context.paint(Tone::Strong, &harmless(which.name())),
            context.paint(Tone::Quiet, &count)
        ));
        for (index, (turn, words)) in turns.iter().enumerate() {
            let floor = context.paint(Tone::Number, &format!("#{}", compared.shared + index));
            let name = context.paint(Tone::Name, &harmless(&turn.name));
            context.line(&format!("  {floor} {name}  {}", harmless(&cut(words, 80))));
        }
    }
    print_state(context, &compared.state);
    Ok(())
}

/// Returns one side of a comparison as JSON.
fn side_value(which: &Which<'_>, floors: impl IntoIterator<Item = wire::compare::Compared>) -> Value {
    object([
        ("ref", text(which.id())),
        ("name", text(which.name())),
        ("floors", list(floors, |floor| api_value(&floor))),
    ])
}

fn floors(context: &Context, one: &BranchPoint<'_>, other: &BranchPoint<'_>) -> Result<(), Failure> {
    let view = |point: &BranchPoint<'_>| point.which.view(point.which.floor_or_last(point.floor), None);
    let (ours, theirs) = (view(one)?, view(other)?);
    let state = diff::diff(&ours.state, &theirs.state);
    let sides = [("-", Tone::Bad, &one.which, &ours), ("+", Tone::Good, &other.which, &theirs)];
    if context.json {
        let [ours, theirs] = sides.map(|(_, _, which, view)| {
            side_value(which, [wire::compare::Compared::new(view.floor, &view.turn, &view.text)])
        });
        context.value(&object([
            ("story", text(one.which.story)),
            ("ours", ours),
            ("theirs", theirs),
            ("state", api_value(&wire::common::ops(&state))),
        ]));
        return Ok(());
    }
    for (mark, tone, which, view) in sides {
        let name = context.paint(Tone::Name, &harmless(&view.turn.name));
        let words = context.paint(Tone::Strong, &harmless(&format!("{} #{}", which.name(), view.floor)));
        context.line(&format!("{} {words}  {name}", context.paint(tone, mark)));
        for line in view.text.lines() {
            context.line(&format!("  {}", context.story_text(line)));
        }
    }
    print_state(context, &state);
    Ok(())
}

fn print_state(context: &Context, ops: &[Op]) {
    context.line("");
    match ops {
        [] => context.line(&context.paint(Tone::Quiet, context.words("状态相同。", "The states are equal."))),
        ops => print_ops(context, "", ops),
    }
}
