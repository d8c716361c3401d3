//! `storeyline show`

use storeyline_engine::{Engine, FloorView, Verdict};
use storeyline_server::floor_json;
use storeyline_state::{PageId, json};

use crate::args::ShowArgs;
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &ShowArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.story)?;
    let (floor, page) = place(context, &engine, &which, args)?;
    let view = engine.floor(&context.owner(), which.story, which.branch.branch.id, floor, page)?;
    if context.json {
        context.line(&floor_json(view));
    } else {
        print(context, &view);
    }
    Ok(())
}

fn place(
    context: &Context,
    engine: &Engine,
    which: &Which,
    args: &ShowArgs,
) -> Result<(usize, Option<PageId>), Failure> {
    let Some(wanted) = &args.page else {
        return Ok((args.floor.unwrap_or_else(|| which.branch.floors.saturating_sub(1)), None));
    };
    let page: PageId = wanted.parse().map_err(|_| Failure::NoPage(wanted.clone()))?;
    let (_, lines) = engine.floors(&context.owner(), which.story, which.branch.branch.id, 0, usize::MAX)?;
    let found = lines.iter().find(|line| line.turn.position(page).is_some());
    found.map(|line| (line.floor, Some(page))).ok_or_else(|| Failure::NoPage(wanted.clone()))
}

fn print(context: &Context, view: &FloorView) {
    context.line(&format!("#{} {} ({})", view.floor, view.turn.name, view.turn.role.as_str()));
    context.line(&view.text);
    for call in &view.trace.calls {
        let mark = match call.verdict {
            Verdict::Done => "✓",
            Verdict::Repaired => "≈",
            Verdict::Failed => "✕",
        };
        context.line(&format!("{mark} {}", view.text.get(call.span.clone()).unwrap_or(&call.name)));
    }
    for found in view.trace.all_diagnostics() {
        context.line(&format!("  {}  {}", found.code, context.words(&found.message.zh, &found.message.en)));
    }
    context.line(&json::write(&view.state));
}
