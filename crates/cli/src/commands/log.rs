//! `storeyline log`: the tree of a story, and the operations of a branch.

use serde::Serialize;
use storeyline_state::{RefId, StoryId};
use storeyline_wire::Json;
use storeyline_wire::operation::Operation;
use storeyline_wire::view::Ref;

use crate::args::LogArgs;
use crate::commands::shape::{ago, floors_text};
use crate::commands::which::{self, Which};
use crate::commands::{operation, refs};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless, pad, width};

pub(crate) fn run(context: &Context, args: &LogArgs) -> Result<(), Failure> {
    let which = which::find_any(context, &args.target.story)?;
    let trash = args.trash || which.branch.trashed.is_some();
    let tree = refs::tree(context, &which.engine, which.story, trash)?;
    let operations = match args.operations {
        true => Some(which.engine.log(&which.owner(), which.story, which.id(), args.limit)?),
        false => None,
    };
    if context.json {
        let refs: Vec<&Ref> = tree.iter().map(|entry| &entry.line).collect();
        let current = refs.iter().find(|line| line.current).map(|line| line.id);
        let (story, title, branch) = (which.story, &which.title, which.id());
        let operations = operations.map(|all| all.into_iter().map(with_place).collect());
        context.answer(&StoryLog { story, title, branch, current, refs, operations });
        return Ok(());
    }
    let id = context.paint(Tone::Quiet, &which.story.to_string());
    context.line(&format!("{}  {id}", context.paint(Tone::Strong, &which.title)));
    context.line("");
    refs::print(context, &tree);
    if let Some(operations) = operations {
        context.line("");
        print(&which, &operations);
    }
    Ok(())
}

/// The refs of a story, and the operations of one of them.
#[derive(Serialize)]
struct StoryLog<'a> {
    story: StoryId,
    title: &'a str,
    #[serde(rename = "ref")]
    branch: RefId,
    current: Option<RefId>,
    refs: Vec<&'a Ref>,
    operations: Option<Vec<PlacedOperation>>,
}

/// An operation, with the floor and the page that it was about.
#[derive(Serialize)]
struct PlacedOperation {
    #[serde(flatten)]
    operation: Operation,
    floor: Option<Json>,
    page: Option<Json>,
}

fn with_place(operation: Operation) -> PlacedOperation {
    let detail = |key: &str| operation.detail.get(key).cloned().map(Json);
    PlacedOperation { floor: detail("floor"), page: detail("page"), operation }
}

fn print(which: &Which<'_>, operations: &[Operation]) {
    let context = which.context;
    let floors = floors_text(context, which.branch.floors);
    let order = context.words("操作，最新的在前", "operations, the newest first");
    context.line(&format!(
        "{}  {}",
        context.paint(Tone::Strong, &harmless(which.name())),
        context.paint(Tone::Quiet, &format!("{floors} · {order}"))
    ));
    let rows: Vec<[String; 4]> = operations.iter().map(|logged| row(context, logged)).collect();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let [numbers, kinds, places, clients] = [0, 1, 2, 3].map(widest);
    for (row, Operation { time, undone, .. }) in rows.iter().zip(operations) {
        let [number, kind, place, client] = row;
        let number = format!("{}{number}", " ".repeat(numbers - width(number)));
        let tone = if *undone { Tone::Quiet } else { Tone::Strong };
        let mark = if *undone { context.words("  已撤销", "  undone") } else { "" };
        let rest = format!("{}  {}", pad(client, clients), ago(context, *time));
        context.line(&format!(
            "  {}  {}  {}  {}{}",
            context.paint(Tone::Number, &number),
            context.paint(tone, &pad(kind, kinds)),
            pad(place, places),
            context.paint(Tone::Quiet, &rest),
            context.paint(Tone::Changed, mark)
        ));
    }
}

/// Returns number, kind, location and client.
fn row(context: &Context, logged: &Operation) -> [String; 4] {
    [
        logged.operation.to_string(),
        operation::kind_words(context, logged.kind),
        cut(&operation::location(context, logged), 40),
        // An import's client name contains an id that is meaningless to people.
        cut(logged.client.split('-').next().unwrap_or_default(), 20),
    ]
}
