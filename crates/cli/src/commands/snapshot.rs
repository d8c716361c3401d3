//! `storeyline snapshot`: states saved outside any story.

use serde::Serialize;
use storeyline_engine::Engine;
use storeyline_state::StoryId;
use storeyline_wire::assets::{Snapshot, SnapshotFloor, SnapshotLine};

use crate::args::{SaveSnapshotArgs, SnapshotArgs};
use crate::commands::shape::{object, short, text};
use crate::commands::template;
use crate::commands::which::{self, the_only};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless};

pub(crate) fn run(context: &Context, args: &SnapshotArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    match args {
        SnapshotArgs::List { words } => show_list(context, &engine, words),
        SnapshotArgs::Save(args) => save(context, &engine, args),
        SnapshotArgs::Show { snapshot } => show(context, &find(context, &engine, snapshot)?),
        SnapshotArgs::Delete { snapshot } => delete(context, &engine, &find(context, &engine, snapshot)?),
        SnapshotArgs::ToTemplate { snapshot, card } => {
            to_template(context, &engine, &find(context, &engine, snapshot)?, card)
        }
    }
}

/// Finds a snapshot by its name, its id or the beginning of the id.
fn find(context: &Context, engine: &Engine, wanted: &str) -> Result<Snapshot, Failure> {
    let all = engine.snapshots(&context.owner(), "")?;
    let found = which::matching(&all, wanted, |line| &line.name, |line| line.snapshot.clone());
    let id = &the_only(found, wanted, Failure::NoSnapshot, Failure::ManySnapshots)?.snapshot;
    engine.snapshot(&context.owner(), id)?.ok_or_else(|| Failure::NoSnapshot(wanted.to_owned()))
}

fn show_list(context: &Context, engine: &Engine, words: &[String]) -> Result<(), Failure> {
    let found = engine.snapshots(&context.owner(), &words.join(" "))?;
    if context.json {
        context.answer(&found);
        return Ok(());
    }
    if found.is_empty() {
        context.line(context.words("没有快照。", "There is no snapshot."));
    }
    for snapshot in &found {
        context.line(&heading(context, snapshot));
    }
    Ok(())
}

fn heading(context: &Context, snapshot: &SnapshotLine) -> String {
    let mut line = format!(
        "{}  {}",
        context.paint(Tone::Quiet, &short(&snapshot.snapshot)),
        context.paint(Tone::Strong, &harmless(&snapshot.name))
    );
    for tag in &snapshot.tags {
        line.push_str(&format!("  {}", context.paint(Tone::Name, &format!("#{}", harmless(tag)))));
    }
    if !snapshot.description.is_empty() {
        line.push_str(&format!("  {}", harmless(&snapshot.description)));
    }
    line
}

fn save(context: &Context, engine: &Engine, args: &SaveSnapshotArgs) -> Result<(), Failure> {
    let which = which::find_in(context, engine, &args.target.story)?;
    let floor = which.floor_or_last(args.floor);
    let new = SnapshotFloor {
        story: which.story,
        branch: which.id(),
        floor: u32::try_from(floor).unwrap_or(u32::MAX),
        name: args.name.clone(),
        description: args.description.clone(),
        tags: args.tag.clone(),
    };
    let id = engine.snapshot_floor(&context.owner(), &new)?;
    if context.json {
        context.answer(&SavedSnapshot { snapshot: &id, story: which.story, floor });
        return Ok(());
    }
    let name = &args.name;
    let message = context
        .words(format!("第 {floor} 层的状态已存为“{name}”"), format!("the state of floor {floor} is kept as `{name}`"));
    context.done(&message, &short(&id));
    Ok(())
}

/// A snapshot, and the floor that it was saved from.
#[derive(Serialize)]
struct SavedSnapshot<'a> {
    snapshot: &'a str,
    story: StoryId,
    floor: usize,
}

fn show(context: &Context, snapshot: &Snapshot) -> Result<(), Failure> {
    if context.json {
        context.answer(snapshot);
        return Ok(());
    }
    context.line(&heading(context, &snapshot.labels));
    context.line(&context.state_text(&snapshot.state));
    Ok(())
}

fn delete(context: &Context, engine: &Engine, snapshot: &Snapshot) -> Result<(), Failure> {
    engine.drop_snapshot(&context.owner(), &snapshot.labels.snapshot)?;
    if context.json {
        context.value(&object([("deleted", text(&snapshot.labels.snapshot))]));
        return Ok(());
    }
    let name = &snapshot.labels.name;
    let message = context.words(format!("快照“{name}”已删除"), format!("snapshot `{name}` was thrown away"));
    context.done(&message, &short(&snapshot.labels.snapshot));
    Ok(())
}

fn to_template(context: &Context, engine: &Engine, snapshot: &Snapshot, card: &str) -> Result<(), Failure> {
    let version = engine.snapshot_to_template(&context.owner(), &snapshot.labels.snapshot, card)?;
    let version = version.ok_or_else(|| Failure::NoSnapshot(snapshot.labels.name.clone()))?;
    let name = &snapshot.labels.name;
    let message = context.words(
        format!("“{name}”的状态现在是“{card}”的模板"),
        format!("the state of `{name}` is now the template of `{card}`"),
    );
    template::print_result(context, card, version, &message);
    Ok(())
}
