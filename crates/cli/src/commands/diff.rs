//! `storeyline diff`: compares two branches, or two floors.

use serde::Serialize;
use storeyline_engine::EngineError;
use storeyline_state::{RefId, StoryId, diff};
use storeyline_wire::Change;
use storeyline_wire::common::changes;
use storeyline_wire::compare::Compared;
use storeyline_wire::view::Floor;

use crate::args::DiffArgs;
use crate::commands::shape::{floors_text, print_changes};
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
        context.answer(&Diff {
            story: one.story,
            shared: Some(compared.shared),
            ours: side(one, compared.ours),
            theirs: side(other, compared.theirs),
            state: compared.state,
        });
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
        for Compared { floor, name, text, .. } in turns {
            let floor = context.paint(Tone::Number, &format!("#{floor}"));
            let name = context.paint(Tone::Name, &harmless(name));
            context.line(&format!("  {floor} {name}  {}", harmless(&cut(text, 80))));
        }
    }
    print_state(context, &compared.state);
    Ok(())
}

/// The differences of two branches, or of two floors.
#[derive(Serialize)]
struct Diff<'a> {
    story: StoryId,
    /// Number of floors that both branches share.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<usize>,
    ours: Side<'a>,
    theirs: Side<'a>,
    state: Vec<Change>,
}

#[derive(Serialize)]
struct Side<'a> {
    #[serde(rename = "ref")]
    branch: RefId,
    name: &'a str,
    floors: Vec<Compared>,
}

fn side<'a>(which: &'a Which<'_>, floors: Vec<Compared>) -> Side<'a> {
    Side { branch: which.id(), name: which.name(), floors }
}

fn compared(view: &Floor) -> Compared {
    let (name, text) = (view.name.clone(), view.text.clone());
    Compared { floor: view.floor, page: view.page, role: view.role, name, text }
}

fn floors(context: &Context, one: &BranchPoint<'_>, other: &BranchPoint<'_>) -> Result<(), Failure> {
    let view = |point: &BranchPoint<'_>| point.which.view(point.which.floor_or_last(point.floor), None);
    let (ours, theirs) = (view(one)?, view(other)?);
    let state = changes(&diff::diff(&ours.state, &theirs.state));
    let sides = [("-", Tone::Bad, &one.which, &ours), ("+", Tone::Good, &other.which, &theirs)];
    if context.json {
        let [ours, theirs] = sides.map(|(_, _, which, view)| side(which, vec![compared(view)]));
        context.answer(&Diff { story: one.which.story, shared: None, ours, theirs, state });
        return Ok(());
    }
    for (mark, tone, which, view) in sides {
        let name = context.paint(Tone::Name, &harmless(&view.name));
        let words = context.paint(Tone::Strong, &harmless(&format!("{} #{}", which.name(), view.floor)));
        context.line(&format!("{} {words}  {name}", context.paint(tone, mark)));
        for line in view.text.lines() {
            context.line(&format!("  {}", context.story_text(line)));
        }
    }
    print_state(context, &state);
    Ok(())
}

fn print_state(context: &Context, ops: &[Change]) {
    context.line("");
    match ops {
        [] => context.line(&context.paint(Tone::Quiet, context.words("状态相同。", "The states are equal."))),
        ops => print_changes(context, "", ops),
    }
}
