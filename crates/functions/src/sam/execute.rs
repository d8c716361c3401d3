//! Applies one chat message to a state under the conventions of SAM (Situational Awareness Manager, a SillyTavern
//! extension whose cards we run). There is a method for each step: fill in defaults, execute a call in any notation, run
//! a script of the card, apply timers that are due, drop list items that were deleted. `message.rs` calls them in
//! order.

use storeyline_calls::{Call, Dialect, Forced};
use storeyline_state::{Ops, Value};

use super::batch::{Batch, Hole};
use super::functions::{self, SamFunction};
use super::message::SamTurn;
use super::write::{guard_ops, path, write};
use super::{basic, db, defaults, rooted, timers};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal};
use crate::patch::Blocks;
use crate::profile::Profile;
use crate::run::{Conventions, Outcome, run, unknown};
use crate::script::{Incomplete, Scripts};
use crate::trace::CallTrace;

/// Maximum number of fields that all `@.DB` updates of a message may change.
const MAX_FIELDS: usize = 2_000;

/// Commands whose paths begin at the root of the state; those of all others begin at its key `static`, where SAM
/// keeps the data of the story.
const ON_STATE: [&str; 11] = [
    "TIME",
    "TIMED_SET",
    "CANCEL_SET",
    "RESPONSE_SUMMARY",
    "SUMMARY",
    "EVENT_BEGIN",
    "EVENT_END",
    "EVENT_ADD_PROC",
    "EVENT_ADD_DEFN",
    "EVENT_ADD_MEMBER",
    "EVENT_SUMMARY",
];

/// A message while it is executed.
pub(super) struct MessageRun<'a, 's> {
    /// The state with the defaults filled in, before the first call.
    begun: Value,
    pub(super) state: Value,
    pub(super) traces: Vec<CallTrace>,
    batch: Batch,
    pub(super) turn: &'a SamTurn<'a>,
    scripts: &'s mut dyn Scripts,
    /// Number of scripts that have run.
    scripts_run: u64,
    /// Number of fields that `@.DB` updates named.
    fields: usize,
    pub(super) blocks: Blocks<(Value, Vec<Hole>)>,
}

impl<'a, 's> MessageRun<'a, 's> {
    pub(super) fn begin(state: &Value, calls: &[Call], turn: &'a SamTurn<'a>, scripts: &'s mut dyn Scripts) -> Self {
        let mut draft = Draft::new(state.clone(), None);
        let filled = defaults::fill(&mut draft, turn.version).map(|()| draft.finish());
        let (state, result) = match filled {
            Ok((filled, ops)) => (filled, Ok(ops)),
            Err(refusal) => (state.clone(), Err(refusal)),
        };
        let silent = result.as_ref().is_ok_and(|ops| ops.is_empty());
        let traces = if silent { Vec::new() } else { vec![CallTrace::unasked("SAM", result)] };
        let batch = Batch::new(turn.version, turn.round, &state);
        let begun = state.clone();
        MessageRun { begun, state, traces, batch, turn, scripts, scripts_run: 0, fields: 0, blocks: Blocks::of(calls) }
    }

    /// Reads flags and short names again, because functions that ran first may have changed them.
    pub(super) fn read_flags(&mut self) {
        if self.scripts_run > 0 {
            self.batch = Batch::new(self.turn.version, self.turn.round, &self.state);
        }
    }

    /// Records the result of a call.
    fn note(&mut self, result: Result<Outcome, Refusal>, make_trace: impl FnOnce(Result<Ops, Refusal>) -> CallTrace) {
        let result = result.map(|outcome| {
            self.state = outcome.state;
            self.batch.follow(&outcome.ops);
            outcome.ops
        });
        self.traces.push(make_trace(result));
    }

    /// Executes one call, unless a test of its block has failed.
    pub(super) fn call(&mut self, call: &Call) -> Result<(), Incomplete> {
        let (state, batch) = (&self.state, &self.batch);
        if let Some(skipped) = self.blocks.enter(call, self.traces.len(), || (state.clone(), batch.holes())) {
            self.traces.push(CallTrace::call(call, Err(skipped)));
            return Ok(());
        }
        self.execute(call)?;
        if let Some((state, holes)) = self.blocks.leave(&mut self.traces) {
            self.state = state;
            self.batch.restore_holes(holes);
        }
        Ok(())
    }

    /// Executes one call in any dialect.
    fn execute(&mut self, call: &Call) -> Result<(), Incomplete> {
        if is_eval(call) {
            return self.eval(call);
        }
        let result = match sam_command(call) {
            Some(builtin) if builtin.name == db::DB.name => {
                self.update(call);
                return Ok(());
            }
            Some(builtin) if ON_STATE.iter().any(|name| name.eq_ignore_ascii_case(builtin.name)) => {
                rooted::in_state(&self.state, &self.batch, |draft| (builtin.apply)(draft, &call.args))
            }
            Some(builtin) => rooted::in_data(&self.state, &self.batch, |draft| (builtin.apply)(draft, &call.args)),
            None if call.dialect == Dialect::Patch => Err(unknown(call)),
            None => self.others(call),
        };
        self.note(result, |result| CallTrace::call(call, result));
        Ok(())
    }

    /// Executes native functions and other peers' calls, which see the story's data as the whole
    /// state.
    fn others(&self, call: &Call) -> Result<Outcome, Refusal> {
        let conventions = Conventions::of(Profile::Native);
        let inner = run(rooted::data(&self.state)?, call, conventions)?;
        guard_ops(&self.batch, &inner.ops)?;
        rooted::lift(&self.state, inner)
    }

    /// Executes each field of an update on its own.
    fn update(&mut self, call: &Call) {
        let entries = match db::entries(&call.args) {
            Ok(entries) => entries,
            Err(refusal) => {
                self.traces.push(CallTrace::call(call, Err(refusal)));
                return;
            }
        };
        for entry in entries {
            let named =
                |result| CallTrace { name: format!("@.DB {}", entry.operator).into(), ..CallTrace::call(call, result) };
            self.fields += 1;
            if self.fields > MAX_FIELDS {
                self.traces.push(named(Err(too_many_fields())));
                return;
            }
            let result = rooted::in_data(&self.state, &self.batch, |draft| db::apply(draft, &entry));
            self.note(result, named);
        }
    }

    pub(super) fn eval(&mut self, call: &Call) -> Result<(), Incomplete> {
        let asked = functions::request(call)
            .and_then(|request| functions::find(self.turn, &request.name, &self.state).map(|found| (found, request)));
        let result = match asked {
            Ok((function, request)) => self.run_function(function, &request.args)?,
            Err(refusal) => Err(refusal),
        };
        self.note(result, |result| CallTrace::call(call, result));
        Ok(())
    }

    pub(super) fn run_periodic(&mut self, function: &SamFunction) -> Result<(), Incomplete> {
        let result = self.run_function(function, &[])?;
        self.note(result, |result| CallTrace::unasked(function.name(), result));
        Ok(())
    }

    fn run_function(
        &mut self,
        function: &SamFunction,
        args: &[Option<Value>],
    ) -> Result<Result<Outcome, Refusal>, Incomplete> {
        let nth = self.scripts_run;
        self.scripts_run += 1;
        functions::run(&self.state, function, args, self.turn, nth, self.scripts)
    }

    /// Executes due timers. A due timer is removed, whether it succeeds or not.
    pub(super) fn fire_timers(&mut self) {
        let due = timers::due(&self.state, timers::timers_of(&self.begun), self.turn.round, self.turn.time);
        for (gone, due) in due.into_iter().enumerate() {
            let taken = rooted::in_state(&self.state, &self.batch, |draft| timers::take_off(draft, due.at - gone));
            self.note(taken, |result| CallTrace {
                reason: Some(due.reason.clone().into()),
                ..CallTrace::unasked("@.TIMED_SET", result)
            });
            let set = rooted::in_data(&self.state, &self.batch, |draft| {
                let path = path(draft, &due.path)?;
                write(draft, &path, due.value)
            });
            self.note(set, |result| CallTrace {
                reason: Some(due.reason.into()),
                ..CallTrace::unasked("@.SET", result)
            });
        }
    }

    pub(super) fn close_lists(&mut self) {
        let holes = self.batch.take_holes();
        if !holes.is_empty() {
            let result = rooted::in_data(&self.state, &self.batch, |draft| basic::close_up(draft, holes));
            self.note(result, |result| CallTrace::unasked("@.DEL", result));
        }
    }
}

/// Tells whether a call asks for a function of the card.
pub(super) fn is_eval(call: &Call) -> bool {
    match call.dialect {
        Dialect::At => call.forced != Some(Forced::Native) && call.name.eq_ignore_ascii_case("EVAL"),
        Dialect::Patch => call.name.eq_ignore_ascii_case("func"),
        _ => false,
    }
}

/// Returns the SAM command that a call names.
fn sam_command(call: &Call) -> Option<&'static Builtin> {
    let own = match call.dialect {
        Dialect::At if call.forced != Some(Forced::Native) => super::COMMANDS,
        Dialect::Patch => super::PATCH,
        _ => return None,
    };
    own.iter().copied().find(|builtin| builtin.name.eq_ignore_ascii_case(&call.name))
}

fn too_many_fields() -> Refusal {
    Refusal::new(
        "E-DB-MANY",
        format!("一条消息最多改 {MAX_FIELDS} 个字段，其余没有执行。"),
        format!("A message may change {MAX_FIELDS} fields; the rest was not done."),
    )
}
