//! Helpers that build and run scripts.

use std::sync::OnceLock;

use storeyline_functions::script::Source;
use storeyline_functions::{Outcome, Script, Scripts, Stopped};
use storeyline_script::{InProcess, Limits, Worker, WorkerCommand};
use storeyline_state::{Value, json};

pub(crate) const TIME: i64 = 1_729_972_800_000;

pub(crate) fn value(text: &str) -> Value {
    json::read(text).unwrap()
}

pub(crate) fn in_process() -> InProcess {
    InProcess::default()
}

pub(crate) fn worker(limits: Limits) -> Worker {
    Worker::with_limits(command(), limits)
}

pub(crate) fn command() -> WorkerCommand {
    WorkerCommand { program: env!("CARGO_BIN_EXE_storeyline-js-worker").into(), args: Vec::new() }
}

pub(crate) fn context() -> &'static Value {
    static CONTEXT: OnceLock<Value> = OnceLock::new();
    CONTEXT.get_or_init(|| value(r#"{"floor":3,"role":"assistant","text":"hi"}"#))
}

pub(crate) fn script<'a>(source: Source<'a>, args: &'a [Option<Value>]) -> Script<'a> {
    Script { source, args, context: context(), seed: 7, time: TIME }
}

pub(crate) fn run_on(scripts: &mut dyn Scripts, state: &str, body: &str) -> Result<Outcome, Stopped> {
    scripts.run(&value(state), &script(Source::Body(body), &[]))
}

/// Returns the state after a script as JSON, or the code of the refusal.
pub(crate) fn after(scripts: &mut dyn Scripts, state: &str, body: &str) -> String {
    shown(run_on(scripts, state, body))
}

pub(crate) fn shown(result: Result<Outcome, Stopped>) -> String {
    match result {
        Ok(outcome) => json::write(&outcome.state),
        Err(Stopped::Refused(refusal)) => refusal.code.to_owned(),
        Err(Stopped::Incomplete(incomplete)) => format!("incomplete: {}", incomplete.why),
    }
}

/// Returns the English message of a refusal.
pub(crate) fn words(result: Result<Outcome, Stopped>) -> String {
    match result {
        Err(Stopped::Refused(refusal)) => refusal.message.en.to_string(),
        other => panic!("{other:?}"),
    }
}
