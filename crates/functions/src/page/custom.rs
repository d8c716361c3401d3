//! Runs functions of the library: JavaScript, steps, and rules.

use storeyline_calls::{Arg, Call, Dialect};
use storeyline_state::{Ops, Value};

use crate::draft::{Draft, Refusal};
use crate::library::function::{Executor, VarFunction};
use crate::library::steps::{AutoRule, Step};
use crate::page::PageRun;
use crate::page::claims::Called;
use crate::patch::Blocks;
use crate::run::{run, run_in};
use crate::script::{Incomplete, NOT_IN_CONTEXT, Script, Scripts, Source, Stopped};
use crate::trace::CallTrace;

/// Maximum nesting of functions that call functions by steps.
const MAX_DEPTH: usize = 8;

/// Maximum number of steps of all functions of a page together.
const MAX_STEPS: usize = 2_000;

/// The state of a page while it runs.
pub(super) struct Runner<'a> {
    pub(super) state: Value,
    pub(super) traces: Vec<CallTrace>,
    pub(super) page: &'a PageRun<'a>,
    pub(super) scripts: &'a mut dyn Scripts,
    calls: &'a [Call],
    context: Option<Value>,
    scripts_run: u64,
    steps_left: usize,
    /// Weight of the values copied so far (see `growth.rs`).
    grown: usize,
    blocks: Blocks<Value>,
}

impl<'a> Runner<'a> {
    pub(super) fn new(state: Value, calls: &'a [Call], page: &'a PageRun<'a>, scripts: &'a mut dyn Scripts) -> Self {
        let traces = Vec::with_capacity(calls.len());
        Runner {
            state,
            traces,
            page,
            scripts,
            calls,
            context: None,
            scripts_run: 0,
            steps_left: MAX_STEPS,
            grown: 0,
            blocks: Blocks::of(calls),
        }
    }

    pub(super) fn context(&mut self) -> Value {
        let (page, calls) = (self.page, self.calls);
        self.context.get_or_insert_with(|| (page.context)(calls)).clone()
    }

    /// Records a refusal for a call of a built-in that is switched off. Returns whether it is off.
    pub(super) fn refuse_if_off(&mut self, call: &Call) -> bool {
        let off = self.page.library.has_off(call, self.page.conventions.profile);
        if off {
            self.traces.push(CallTrace::call(call, Err(switched_off(call.name.written()))));
        }
        off
    }

    pub(super) fn builtin(&mut self, call: &Call) {
        if self.refuse_if_off(call) {
            return;
        }
        let before = &self.state;
        if let Some(skipped) = self.blocks.enter(call, self.traces.len(), || before.clone()) {
            self.traces.push(CallTrace::call(call, Err(skipped)));
            return;
        }
        let state = std::mem::replace(&mut self.state, Value::Null);
        let conventions = self.page.conventions;
        let draft = Draft::new(state, conventions.locks).with_time_at(conventions.time_path);
        let mut draft = draft.after_growth(self.grown);
        self.traces.push(match run_in(&mut draft, call, self.page.conventions) {
            Ok((ops, remarks)) => CallTrace::call(call, Ok(ops)).with(remarks),
            Err(refusal) => CallTrace::call(call, Err(refusal)),
        });
        self.grown = draft.grown();
        self.state = draft.finish().0;
        if let Some(before) = self.blocks.leave(&mut self.traces) {
            self.state = before;
        }
    }

    /// Runs a function that the text calls.
    pub(super) fn called(&mut self, called: Called<'_>) -> Result<(), Incomplete> {
        let result = self.commit(|runner, state| runner.execute(called.function, &called.args, state, 0))?;
        let traces = match called.call {
            Some(call) => CallTrace::call(call, result),
            None => CallTrace::matched(&called.function.name, called.span, result),
        };
        self.traces.push(traces);
        Ok(())
    }

    pub(super) fn passive_function(&mut self, function: &VarFunction) -> Result<(), Incomplete> {
        let result = self.commit(|runner, state| runner.execute(function, &[], state, 0))?;
        self.note(&function.name, result);
        Ok(())
    }

    pub(super) fn rule(&mut self, rule: &AutoRule) -> Result<(), Incomplete> {
        let result = self.commit(|runner, state| match runner.condition_holds(rule, state)? {
            true => runner.steps(&rule.actions, state, 0),
            false => Ok(Ops::new()),
        })?;
        self.note(&rule.name, result);
        Ok(())
    }

    /// Records the result of a passive function, unless it changed nothing.
    fn note(&mut self, name: &str, result: Result<Ops, Refusal>) {
        if result.as_ref().map_or(true, |ops| !ops.is_empty()) {
            self.traces.push(CallTrace::unasked(name, result));
        }
    }

    /// Commits the state and ops of `work` if it succeeds, else leaves the state unchanged.
    fn commit(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Value) -> Result<Ops, Stopped>,
    ) -> Result<Result<Ops, Refusal>, Incomplete> {
        let mut state = self.state.clone();
        match work(self, &mut state) {
            Ok(ops) => {
                self.state = state;
                Ok(Ok(ops))
            }
            Err(Stopped::Refused(refusal)) => Ok(Err(refusal)),
            Err(Stopped::Incomplete(incomplete)) => Err(incomplete),
        }
    }

    fn execute(
        &mut self,
        function: &VarFunction,
        args: &[Option<Value>],
        state: &mut Value,
        depth: usize,
    ) -> Result<Ops, Stopped> {
        if self.page.stuck.contains(&function.id) {
            return Err(Stopped::Refused(stuck(&function.name)));
        }
        match &function.executor {
            Executor::Steps(steps) => self.steps(steps, state, depth),
            Executor::Script(source) => {
                let source = if is_function(source) { Source::Function(source) } else { Source::Body(source) };
                self.script(source, args, state).map_err(|stopped| stopped.of(&function.id))
            }
        }
    }

    fn script(&mut self, source: Source<'_>, args: &[Option<Value>], state: &mut Value) -> Result<Ops, Stopped> {
        let context = self.context();
        let script = Script { source, args, context: &context, seed: self.next_seed(), time: self.page.time };
        let outcome = self.scripts.run(state, &script)?;
        *state = outcome.state;
        Ok(outcome.ops)
    }

    fn steps(&mut self, steps: &[Step], state: &mut Value, depth: usize) -> Result<Ops, Stopped> {
        if depth >= MAX_DEPTH {
            return Err(Stopped::Refused(too_deep()));
        }
        let mut ops = Ops::new();
        for step in steps {
            self.steps_left = self.steps_left.checked_sub(1).ok_or_else(|| Stopped::Refused(too_many()))?;
            ops.extend(self.step(step, state, depth)?);
        }
        Ok(ops)
    }

    /// Runs a step; it means the same as the call in a text.
    fn step(&mut self, step: &Step, state: &mut Value, depth: usize) -> Result<Ops, Stopped> {
        let library = self.page.library;
        if let Some(function) = library.named(&step.function) {
            let args: Vec<_> = step.args.iter().cloned().map(Some).collect();
            return self.execute(function, &args, state, depth + 1);
        }
        let call = as_call(step);
        if library.has_off(&call, self.page.conventions.profile) {
            return Err(Stopped::Refused(switched_off(&step.function)));
        }
        let outcome = run(state, &call, self.page.conventions).map_err(Stopped::Refused)?;
        *state = outcome.state;
        Ok(outcome.ops)
    }

    fn condition_holds(&mut self, rule: &AutoRule, state: &Value) -> Result<bool, Stopped> {
        let Some(condition) = &rule.condition else { return Ok(true) };
        let source = match is_function(condition) {
            true => {
                let seen = guarded("{ ...context, snapshot, messageId: context.floor }");
                format!("return ({condition})({seen});")
            }
            false => {
                let expression = condition.trim().trim_end_matches(';');
                format!("return ((context) => ({expression}))({});", guarded("context"))
            }
        };
        let context = self.context();
        let (seed, time) = (self.next_seed(), self.page.time);
        self.scripts.test(state, &Script { source: Source::Body(&source), args: &[], context: &context, seed, time })
    }

    /// Returns the next seed. Every script of a page has its own, whatever the ones before it did.
    fn next_seed(&mut self) -> u64 {
        self.scripts_run += 1;
        let mixed = self.page.seed ^ self.scripts_run.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 27)
    }
}

/// Wraps an object in a proxy that throws when a missing property is read. Otherwise a condition on
/// `ctx.chat` would silently never hold. `length` and `toJSON` are exempt, because lodash and
/// `JSON.stringify` read them from every object.
fn guarded(object: &str) -> String {
    format!(
        "new Proxy({object}, {{ get(has, name) {{ \
         if (typeof name === 'symbol' || name in has || name === 'length' || name === 'toJSON') return has[name]; \
         throw Object.defineProperty(new Error(name), 'name', {{ value: '{NOT_IN_CONTEXT}' }}); }} }})"
    )
}

fn as_call(step: &Step) -> Call {
    Call::new(Dialect::At, &step.function, step.args.iter().cloned().map(Arg::given).collect(), 0..0)
}

/// Distinguishes `(snapshot, path) => …`, `x => …` and `function (…) {…}` from the body of a
/// function.
fn is_function(source: &str) -> bool {
    let source = source.trim_start();
    let source = source.strip_prefix("async ").map_or(source, str::trim_start);
    if let Some(rest) = source.strip_prefix("function") {
        return rest.starts_with(|next: char| next.is_whitespace() || next == '(' || next == '*');
    }
    let after = match source.strip_prefix('(') {
        Some(inner) => after_bracket(inner),
        None => Some(source.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$')),
    };
    after.is_some_and(|rest| rest.len() < source.len() && rest.trim_start().starts_with("=>"))
}

/// Returns the text after the bracket that closes a list of parameters.
fn after_bracket(inner: &str) -> Option<&str> {
    let mut depth = 1usize;
    for (at, character) in inner.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&inner[at + character.len_utf8()..]);
        }
    }
    None
}

fn switched_off(name: &str) -> Refusal {
    Refusal::new("E-OFF", format!("{name} 已关闭，没有执行。"), format!("{name} is switched off; nothing was done."))
}

pub(crate) fn stuck(name: &str) -> Refusal {
    Refusal::new(
        "E-STUCK",
        format!("“{name}”在这一页上多次卡住，已不再执行。"),
        format!("`{name}` hung on this page several times and is not run any more."),
    )
}

fn too_deep() -> Refusal {
    Refusal::new(
        "E-STEPS-DEEP",
        format!("步骤互相调用超过 {MAX_DEPTH} 层，没有执行。"),
        format!("The steps call each other more than {MAX_DEPTH} deep; nothing was done."),
    )
}

fn too_many() -> Refusal {
    Refusal::new(
        "E-STEPS-MANY",
        format!("这一页的步骤超过 {MAX_STEPS} 个，没有执行。"),
        format!("This page has more than {MAX_STEPS} steps; nothing was done."),
    )
}

#[cfg(test)]
mod tests {
    use super::is_function;

    #[test]
    fn functions_are_told_from_bodies() {
        for source in
            ["(ctx) => ctx.a", "x=>1", "async (a, [b], {c}) => 1", "function (a) {}", "function heal(){}", "() => 1"]
        {
            assert!(is_function(source), "{source}");
        }
        for source in [
            "(snapshot.t = snapshot.t || []).push(1); return snapshot;",
            "const f = (a) => a;",
            "functional = 1",
            "return snapshot",
            "snapshot.a >= 3",
            "",
            "(",
            "=> 1",
        ] {
            assert!(!is_function(source), "{source}");
        }
    }
}
