//! The invariants of evaluation for every text.

use std::ops::Range;

use storeyline_functions::script::NoScripts;
use storeyline_history::{Evaluation, Page, PagePosition, evaluate};
use storeyline_state::{Diagnostic, Value, json};

use crate::input::Input;

/// Maximum growth of a state per byte of text, besides what may be copied or filled in.
const GROWTH_PER_BYTE: usize = 16;
const GROWTH: usize = 4 << 20;

/// Returns the number of calls in the text, or the invariant that was violated.
pub(crate) fn check(input: &Input) -> Result<usize, String> {
    let first = floor(input, &input.parent)?;
    // The next floor is evaluated on a state that hostile text has made.
    if input.round % 4 == 0 {
        floor(input, &first.state)?;
    }
    Ok(first.trace.calls.len())
}

fn floor(input: &Input, parent: &Value) -> Result<Evaluation, String> {
    let first = evaluated(input, parent)?;
    let again = evaluated(input, parent)?;
    let written = json::write(&first.state);
    promise(written == json::write(&again.state) && first.trace == again.trace, || "the same again".into())?;
    promise(first.state.depth() <= json::MAX_DEPTH, || format!("depth {}", first.state.depth()))?;
    let most = json::write(parent).len() + GROWTH_PER_BYTE * input.text.len() + GROWTH;
    promise(written.len() <= most, || format!("{} bytes of state", written.len()))?;
    walk(parent, &first)?;
    let read = json::read(&written).map_err(|error| format!("the state cannot be read back: {error}"))?;
    promise(read == first.state && read.hash() == first.state.hash(), || "written and read back".into())?;
    first.trace.calls.iter().try_for_each(|call| inside(&input.text, &call.span, &call.name))?;
    first.trace.all_diagnostics().try_for_each(|diagnostic| told(&input.text, diagnostic))?;
    Ok(first)
}

fn evaluated(input: &Input, parent: &Value) -> Result<Evaluation, String> {
    let position = PagePosition { round: input.round, ..PagePosition::default() };
    let page = Page { body: &input.body, text: &input.text, rules: &input.rules, position };
    evaluate(parent, &page, &mut NoScripts).map_err(|incomplete| format!("incomplete: {incomplete:?}"))
}

/// The ops lead from the parent to the state, and back.
fn walk(parent: &Value, evaluation: &Evaluation) -> Result<(), String> {
    let mut walked = parent.clone();
    for op in evaluation.trace.ops() {
        op.apply(&mut walked).map_err(|error| format!("{error}: {op:?}"))?;
    }
    let there = walked == evaluation.state && walked.hash() == evaluation.state.hash();
    promise(there, || format!("the ops lead to {}", json::write(&walked)))?;
    let ops: Vec<_> = evaluation.trace.ops().collect();
    for op in ops.into_iter().rev() {
        op.inverse().apply(&mut walked).map_err(|error| format!("back, {error}: {op:?}"))?;
    }
    promise(walked == *parent && walked.hash() == parent.hash(), || format!("back to {}", json::write(&walked)))
}

fn told(text: &str, diagnostic: &Diagnostic) -> Result<(), String> {
    let coded = ["E-", "W-", "I-"].iter().any(|start| diagnostic.code.starts_with(start));
    let words = !diagnostic.message.zh.trim().is_empty() && !diagnostic.message.en.trim().is_empty();
    promise(coded && words, || format!("code and both languages: {diagnostic:?}"))?;
    inside(text, &diagnostic.span, &diagnostic.code)
}

fn inside(text: &str, span: &Range<usize>, name: &str) -> Result<(), String> {
    promise(text.get(span.clone()).is_some(), || format!("the span {span:?} of {name}"))
}

fn promise(kept: bool, which: impl FnOnce() -> String) -> Result<(), String> {
    if kept { Ok(()) } else { Err(format!("broken: {}", which())) }
}
