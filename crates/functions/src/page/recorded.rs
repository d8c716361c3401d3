//! Bounds what a page records about its calls.
//!
//! An op contains the old and the new value. Calls that move a large value to and fro, or a function that replaces it
//! each time, would record far more than text and state together; the record goes into the store and into answers.

use storeyline_state::diff::diff;
use storeyline_state::{Change, Diagnostic, Value};

use crate::growth::{self, MAX_GROWTH};
use crate::trace::CallTrace;

/// Weight that a page may record whatever its length is (see `growth.rs`).
const MAX_RECORDED: usize = 4 * MAX_GROWTH;

/// Replaces the ops of single calls by the change of the whole page, if they weigh too much. The state is the same.
pub(super) fn bounded(before: &Value, after: &Value, mut traces: Vec<CallTrace>, text: &str) -> Vec<CallTrace> {
    if traces.iter().filter(|trace| !trace.ops.is_empty()).count() < 2 || fits(&traces, text) {
        return traces;
    }
    traces.iter_mut().for_each(|trace| trace.ops.clear());
    let mut whole = CallTrace::unasked("<page>", Ok(diff(before, after).into()));
    whole.diagnostics.push(Diagnostic::warning(
        "W-TRACE-LARGE",
        0..0,
        "各次调用改动的值合计太大，只记录了整页的改动。",
        "The values that the calls changed are too large together; only the change of the whole page was recorded.",
    ));
    traces.push(whole);
    traces
}

/// Tells whether the ops are in proportion to the text, whose values are a part of them.
fn fits(traces: &[CallTrace], text: &str) -> bool {
    let mut left = MAX_RECORDED + text.len() / 2;
    let values = traces.iter().flat_map(|trace| &trace.ops).flat_map(|op| match &op.change {
        Change::Set { old, new } => [Some(old), Some(new)],
        Change::Insert { new, .. } => [Some(new), None],
        Change::Remove { old, .. } => [Some(old), None],
    });
    for value in values.flatten() {
        match left.checked_sub(growth::weight(value)) {
            Some(less) => left = less,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use storeyline_calls::{ParseSettings, parse};
    use storeyline_state::{json, op};

    use super::*;
    use crate::library::Library;
    use crate::page::{PageRun, Parts, run_page};
    use crate::profile::Profile;
    use crate::run::Conventions;
    use crate::script::NoScripts;

    fn run(state: &Value, text: &str) -> (Value, Vec<CallTrace>) {
        let page = PageRun {
            text,
            skipped: &[],
            parts: Parts::All,
            conventions: Conventions::of(Profile::Native),
            library: &Library::default(),
            sam: None,
            context: &|_| Value::Null,
            seed: 0,
            time: 0,
            stuck: &[],
        };
        let outcome = run_page(state, parse(text, &ParseSettings::default()).calls, &page, &mut NoScripts).unwrap();
        (outcome.state, outcome.traces)
    }

    #[test]
    fn a_value_that_is_moved_to_and_fro_is_recorded_once() {
        let large = Value::list(vec![Value::text("x".repeat(1_000)); 500]);
        let state = Value::entries([("a", large), ("n", 1.into())]);
        let there = r#"{"op":"move","from":"/a","path":"/b"},{"op":"move","from":"/b","path":"/a"},"#;
        let text = format!(r#"<JSONPatch>[{}{{"op":"replace","path":"/n","value":2}}]</JSONPatch>"#, there.repeat(500));
        let (after, traces) = run(&state, &text);
        assert_eq!(after.get("n"), Some(&2.into()));
        assert_eq!(traces.len(), 1_002, "every call is still named");
        let ops: Vec<_> = traces.iter().flat_map(|trace| trace.ops.iter().cloned()).collect();
        let weight: usize = ops.iter().map(|op| json::write(&op::to_value(op)).len()).sum();
        assert!(weight < 2_000_000, "{weight}");
        let mut replayed = state;
        ops.iter().for_each(|op| op.apply(&mut replayed).unwrap());
        assert_eq!(replayed, after, "the ops still lead to the state");
    }

    #[test]
    fn usual_pages_record_every_call() {
        let (_, traces) = run(&Value::empty_object(), "@.SET('a', 1); @.SET('b', 2);");
        assert!(traces.iter().all(|trace| trace.ops.len() == 1), "{traces:?}");
    }
}
