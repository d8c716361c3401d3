//! `storeyline diff`: compares two branches, or two floors.

use storeyline_engine::{Comparison, Engine, EngineError, FloorView, Listed, Turn};
use storeyline_state::{Op, Value, diff};

use crate::args::DiffArgs;
use crate::commands::shape::{floors_text, list, number, object, ops_value, print_ops, text};
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless};

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let one = branch_point(context, &engine, &args.one, None)?;
    let other = branch_point(context, &engine, &args.other, Some(&one))?;
    if one.which.story != other.which.story {
        return Err(EngineError::OtherStory.into());
    }
    match (one.floor, other.floor) {
        (None, None) => branches(context, &engine, &one.which, &other.which),
        _ => floors(context, &engine, &one, &other),
    }
}

/// A branch, and optionally one of its floors.
struct BranchPoint {
    which: Which,
    floor: Option<usize>,
}

impl BranchPoint {
    /// Returns the given floor, or else the last one.
    fn floor(&self) -> usize {
        self.floor.unwrap_or_else(|| self.which.branch.floors.saturating_sub(1))
    }

    fn words(&self) -> String {
        format!("{} #{}", self.which.branch.branch.name, self.floor())
    }
}

/// Parses `STORY[@BRANCH][:FLOOR]`; `@BRANCH` and `:FLOOR` alone refer to the story and the branch
/// of the first.
fn branch_point(
    context: &Context,
    engine: &Engine,
    text: &str,
    first: Option<&BranchPoint>,
) -> Result<BranchPoint, Failure> {
    let (before, floor) = match text.rsplit_once([':', '：']) {
        Some((before, floor)) => (before, floor.parse().ok()),
        None => (text, None),
    };
    let whole = |text: &str| match (first, text.strip_prefix('@')) {
        (Some(first), _) if text.is_empty() => Ok(first.which.clone()),
        (Some(first), Some(name)) => which::other(context, engine, &first.which, name),
        _ => which::find(context, engine, text),
    };
    // A title may contain a colon itself.
    match (floor, whole(text)) {
        (Some(floor), Err(_)) => Ok(BranchPoint { which: whole(before)?, floor: Some(floor) }),
        (_, found) => Ok(BranchPoint { which: found?, floor: None }),
    }
}

fn branches(context: &Context, engine: &Engine, one: &Which, other: &Which) -> Result<(), Failure> {
    let (ours, theirs) = (one.branch.branch.id, other.branch.branch.id);
    let compared = engine.compare(&context.owner(), one.story, ours, theirs)?;
    if context.json {
        context.value(&branches_value(one, other, &compared));
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
            context.paint(Tone::Strong, &harmless(&which.branch.branch.name)),
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

fn branches_value(one: &Which, other: &Which, compared: &Comparison) -> Value {
    let floor = |(index, (turn, words)): (usize, &(Listed, String))| turn_value(compared.shared + index, turn, words);
    let side = |which: &Which, turns: &[(Listed, String)]| {
        object([
            ("ref", text(which.branch.branch.id)),
            ("name", text(&which.branch.branch.name)),
            ("floors", list(turns.iter().enumerate(), floor)),
        ])
    };
    object([
        ("story", text(one.story)),
        ("shared", number(compared.shared)),
        ("ours", side(one, &compared.ours)),
        ("theirs", side(other, &compared.theirs)),
        ("state", ops_value(&compared.state)),
    ])
}

/// Returns a turn as JSON.
fn turn_value(floor: usize, turn: &Turn, words: &str) -> Value {
    object([
        ("floor", number(floor)),
        ("page", text(turn.active_page().page)),
        ("role", turn.role.as_str().into()),
        ("name", text(&turn.name)),
        ("text", text(words)),
    ])
}

fn floors(context: &Context, engine: &Engine, one: &BranchPoint, other: &BranchPoint) -> Result<(), Failure> {
    let view = |place: &BranchPoint| -> Result<FloorView, Failure> {
        let branch = place.which.branch.branch.id;
        Ok(engine.floor(&context.owner(), place.which.story, branch, place.floor(), None)?)
    };
    let (ours, theirs) = (view(one)?, view(other)?);
    let state = diff::diff(&ours.state, &theirs.state);
    if context.json {
        let side = |place: &BranchPoint, view: &FloorView| {
            object([
                ("ref", text(place.which.branch.branch.id)),
                ("name", text(&place.which.branch.branch.name)),
                ("floors", list([view], |view| turn_value(view.floor, &view.turn, &view.text))),
            ])
        };
        context.value(&object([
            ("story", text(one.which.story)),
            ("ours", side(one, &ours)),
            ("theirs", side(other, &theirs)),
            ("state", ops_value(&state)),
        ]));
        return Ok(());
    }
    for (mark, tone, place, view) in [("-", Tone::Bad, one, &ours), ("+", Tone::Good, other, &theirs)] {
        let name = context.paint(Tone::Name, &harmless(&view.turn.name));
        let words = context.paint(Tone::Strong, &harmless(&place.words()));
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
