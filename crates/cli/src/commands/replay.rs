//! `storeyline replay`: the state at every floor of a chat file, without any story.

use storeyline_engine::authors::Verdict;
use storeyline_engine::{EvaluatedFloor, Rules, replay};
use storeyline_state::json;

use crate::args::ReplayArgs;
use crate::commands::{apply, card, functions, import};
use crate::failure::Failure;
use crate::out::{Context, read_lossy};

pub(crate) fn run(context: &Context, args: &ReplayArgs) -> Result<(), Failure> {
    let request = import::request(&args.chat, &args.beginning, read_lossy(&args.chat)?)?;
    let library = functions::read_any_library(context, args.library.as_deref())?;
    let profile = args.profile.as_deref().map(functions::profile_named).transpose()?;
    let change = |rules: &mut Rules| {
        rules.library.functions.extend(library.functions);
        rules.library.rules.extend(library.rules);
        rules.profile = profile.unwrap_or(rules.profile);
    };
    let floors = request.text.lines().count().saturating_sub(1);
    let progress = context.progress_of("正在计算", "replaying", floors as u64);
    let visit = |floor: &EvaluatedFloor<'_>| {
        progress.inc(1);
        if args.floor.is_none_or(|wanted| wanted == floor.floor) {
            progress.suspend(|| show(context, args, floor));
        }
    };
    let (initial, state) = context.with_scripts(|scripts| replay(&request, change, args.floor, scripts, visit))?;
    progress.finish_and_clear();
    if context.json {
        return Ok(());
    }
    if args.floor.is_none() {
        card::print_beginning(context, &initial);
        context.line(&json::write(&state));
    }
    Ok(())
}

fn show(context: &Context, args: &ReplayArgs, floor: &EvaluatedFloor<'_>) {
    if context.json {
        context.answer(&floor.shown(true));
        return;
    }
    let trace = &floor.evaluation.trace;
    let done = trace.calls.iter().filter(|call| call.verdict != Verdict::Failed).count();
    let (calls, failed) = (context.words("次调用", "calls"), context.words("次失败", "failed"));
    context.line(&format!("#{} {}  {done} {calls} · {} {failed}", floor.floor, floor.name, trace.failed()));
    if args.trace {
        apply::show_trace(context, floor.text, floor.evaluation);
    }
    if args.floor.is_some() {
        context.line(&json::write(&floor.evaluation.state));
    }
}
