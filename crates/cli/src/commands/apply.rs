//! `storeyline apply`: what a reply makes of a state, without any story.

use std::fs;

use storeyline_engine::{CallTrace, Verdict, try_text};
use storeyline_state::{Diagnostic, Value, json, text};

use crate::args::ApplyArgs;
use crate::failure::Failure;
use crate::out::{Context, read_json};

pub(crate) fn run(context: &Context, args: &ApplyArgs) -> Result<(), Failure> {
    let state = match &args.state {
        Some(path) => read_json(path)?,
        None => Value::empty_object(),
    };
    let bytes = fs::read(&args.message).map_err(|source| Failure::file(&args.message, source))?;
    let message = text::canonical(&String::from_utf8_lossy(&bytes)).into_owned();
    let done = try_text(&state, &message, &args.profile).ok_or_else(|| Failure::NoProfile(args.profile.clone()))?;
    if context.json {
        context.line(&storeyline_server::evaluation_json(&done, &message));
        return Ok(());
    }
    for call in &done.trace.calls {
        show_call(context, &message, call);
    }
    for found in &done.trace.diagnostics {
        context.note(&format!("✕ {}", drawn(context, &message, found)));
    }
    context.line(&json::write(&done.state));
    Ok(())
}

fn show_call(context: &Context, message: &str, call: &CallTrace) {
    let mark = match call.verdict {
        Verdict::Done => "✓",
        Verdict::Repaired => "≈",
        Verdict::Failed => "✕",
    };
    match call.diagnostics.last() {
        Some(found) => context.note(&format!("{mark} {}", drawn(context, message, found))),
        None => context.note(&format!("{mark} {}", message.get(call.span.clone()).unwrap_or(&call.name))),
    }
}

/// The line of the text, a mark under the place, and what there is to say about it.
fn drawn(context: &Context, message: &str, found: &Diagnostic) -> String {
    let start = message[..found.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = message[found.span.start..].find('\n').map_or(message.len(), |at| found.span.start + at);
    let before = width(&message[start..found.span.start]);
    let marked = width(&message[found.span.start..found.span.end.min(end)]).max(1);
    let line = message[..found.span.start].matches('\n').count() + 1;
    let words = context.words(&found.message.zh, &found.message.en);
    format!(
        "{}:{line}\n  {}\n  {}{} {} {words}",
        found.code,
        &message[start..end],
        " ".repeat(before),
        "~".repeat(marked),
        found.severity.as_str()
    )
}

/// How many columns of a terminal a text takes: East Asian characters take two.
fn width(text: &str) -> usize {
    text.chars()
        .map(|character| if ('\u{1100}'..='\u{ffef}').contains(&character) || character > '\u{1f000}' { 2 } else { 1 })
        .sum()
}
