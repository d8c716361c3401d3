//! Helpers of the tests of SAM's commands.

use storeyline_calls::{ParseSettings, parse};
use storeyline_state::{Value, json};

use super::{SamFunction, SamTurn, run_message};
use crate::profile::SamVersion;
use crate::run::Outcome;
use crate::script::{PatternMatch, Script, Scripts, Source, Stopped};
use crate::trace::{CallTrace, Verdict};

/// Runs bodies of the form `push x`: appends a text to `static.t`. Anything else is refused.
pub(super) struct Pushing;

impl Scripts for Pushing {
    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        let Source::Sam { body, .. } = script.source else { panic!("only SAM's functions are run here") };
        let Some(text) = body.strip_prefix("push ") else {
            return Err(Stopped::Refused(crate::Refusal::new("E-SCRIPT", "坏", "bad")));
        };
        let mut draft = crate::Draft::new(state.clone(), None);
        draft.append(&"static.t".parse().unwrap(), Value::text(text)).unwrap();
        let (state, ops) = draft.finish();
        Ok(Outcome { state, ops })
    }

    fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
        panic!("SAM has no conditions")
    }

    fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
        panic!("SAM has no patterns")
    }
}

/// Executes a text at round 2; the ops must lead from the old state to the new one.
pub(super) fn traces(
    version: SamVersion,
    state: &str,
    text: &str,
    functions: &[SamFunction],
) -> (Value, Vec<CallTrace>) {
    let state = json::read(state).unwrap();
    let settings = ParseSettings { line_mode: version == SamVersion::V3_5, ..ParseSettings::default() };
    let turn = SamTurn { version, round: 2, functions, stuck: &[], context: &Value::Null, seed: 0, time: 0 };
    let (after, traces) = run_message(&state, &parse(text, &settings).calls, &turn, &mut Pushing).unwrap();
    let mut replayed = state;
    for op in traces.iter().flat_map(|traces| &traces.ops) {
        op.apply(&mut replayed).unwrap();
    }
    assert_eq!(replayed, after, "the ops lead to the state: {text}");
    (after, traces)
}

/// Returns the state after a text.
pub(super) fn after(version: SamVersion, state: &str, text: &str) -> String {
    json::write(&traces(version, state, text, &[]).0)
}

/// Returns the story's data after a text, or the code of the first refusal.
pub(super) fn data_after(version: SamVersion, data: &str, text: &str) -> String {
    let (state, traces) = traces(version, &format!("{{\"static\":{data}}}"), text, &[]);
    refusals(&traces).next().unwrap_or_else(|| json::write(state.get("static").unwrap()))
}

/// Returns the codes of all refusals of a text.
pub(super) fn codes(version: SamVersion, state: &str, text: &str) -> Vec<String> {
    refusals(&traces(version, state, text, &[]).1).collect()
}

fn refusals(traces: &[CallTrace]) -> impl Iterator<Item = String> {
    let failed = traces.iter().filter(|traces| traces.verdict == Verdict::Failed);
    failed.filter_map(|traces| traces.diagnostics.last()).map(|refusal| refusal.code.clone())
}
