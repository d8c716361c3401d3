//! `storeyline apply`: evaluates a reply on a state, without any story.

use std::path::Path;

use storeyline_engine::authors::{CallTrace, Verdict};
use storeyline_engine::authors::{Schema, try_message};
use storeyline_engine::{Evaluation, Rules, shown_evaluation};
use storeyline_state::{Diagnostic, Severity, Value, json};

use crate::args::ApplyArgs;
use crate::commands::functions;
use crate::failure::Failure;
use crate::out::{Context, read_message, read_state};
use crate::style::width;

pub(crate) fn run(context: &Context, args: &ApplyArgs) -> Result<(), Failure> {
    let state = read_state(args.state.as_deref())?;
    let message = read_message(&args.message)?;
    let rules = Rules {
        profile: functions::profile_named(&args.profile)?,
        library: functions::read_any_library(context, args.library.as_deref())?,
        schema: args.schema.as_deref().map(|path| read_schema(path, &state)).transpose()?,
        ..Rules::default()
    };
    let done = context.with_scripts(|scripts| try_message(&state, &message, &rules, scripts))?;
    show(context, &message, &done);
    Ok(())
}

/// Reads a schema; `infer` makes it from the state itself.
fn read_schema(path: &Path, state: &Value) -> Result<Schema, Failure> {
    if path == Path::new("infer") {
        return Ok(Schema::infer(state));
    }
    functions::read_schema(path)
}

/// Prints what each call did, then the state.
pub(crate) fn show(context: &Context, message: &str, done: &Evaluation) {
    if context.json {
        context.answer(&shown_evaluation(done, message));
        return;
    }
    show_trace(context, message, done);
    context.line(&json::write(&done.state));
}

/// Prints what each call did.
pub(crate) fn show_trace(context: &Context, message: &str, done: &Evaluation) {
    for call in &done.trace.calls {
        show_call(context, message, call);
    }
    for found in &done.trace.diagnostics {
        let mark = if found.severity == Severity::Error { "✕" } else { "≈" };
        context.note(&format!("{mark} {}", drawn(context, message, found)));
    }
}

fn show_call(context: &Context, message: &str, call: &CallTrace) {
    let mark = match call.verdict {
        Verdict::Done => "✓",
        Verdict::Repaired => "≈",
        Verdict::Failed => "✕",
    };
    // A passive function has no text.
    if call.span.is_empty() {
        let words = call.diagnostics.last().map_or("", |found| context.say(&found.message));
        context.note(&format!("{mark} {} {words}", call.name));
        return;
    }
    match call.diagnostics.last() {
        Some(found) => context.note(&format!("{mark} {}", drawn(context, message, found))),
        None => context.note(&format!("{mark} {}", message.get(call.span.clone()).unwrap_or(&call.name))),
    }
}

/// Formats a diagnostic: the line of the text, a mark under the span, and the message.
fn drawn(context: &Context, message: &str, found: &Diagnostic) -> String {
    let start = message[..found.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = message[found.span.start..].find('\n').map_or(message.len(), |at| found.span.start + at);
    let before = width(&message[start..found.span.start]);
    let marked = width(&message[found.span.start..found.span.end.min(end)]).max(1);
    let line = message[..found.span.start].matches('\n').count() + 1;
    let words = context.say(&found.message);
    format!(
        "{}:{line}\n  {}\n  {}{} {} {words}",
        found.code,
        &message[start..end],
        " ".repeat(before),
        "~".repeat(marked),
        found.severity.as_str()
    )
}
