//! Runs a whole page: passive functions before, the calls in text order, passive functions after.
//!
//! In: a state, the parsed calls, the library. Out: the next state and what each function did. A
//! function that fails is skipped and its writes are dropped; the others continue.

mod claims;
mod custom;
mod recorded;

use std::ops::Range;

use storeyline_calls::Call;
use storeyline_state::{Diagnostic, Value};

use crate::library::Library;
use crate::library::function::{FunctionKind, Scope, Timing, VarFunction};
use crate::library::steps::{AutoRule, Trigger};
use crate::run::Conventions;
use crate::sam::{self, SamTurn};
use crate::script::{Incomplete, Scripts};
use crate::trace::CallTrace;

pub use claims::is_call;
use claims::{Claim, claim};
use custom::Runner;
pub(crate) use custom::stuck;

#[derive(Clone, Copy)]
pub struct PageRun<'a> {
    pub text: &'a str,
    /// Ranges that are not parsed.
    pub skipped: &'a [Range<usize>],
    pub parts: Parts,
    /// Rules for built-ins.
    pub conventions: Conventions<'a>,
    pub library: &'a Library,
    /// How SAM executes its calls, in its profile.
    pub sam: Option<SamTurn<'a>>,
    /// Makes the `context` of scripts; called when the first script runs.
    pub context: &'a dyn Fn(&[Call]) -> Value,
    /// Seed of random numbers.
    pub seed: u64,
    /// When the page was written, in milliseconds since 1970.
    pub time: i64,
    /// Ids of functions that were killed on this page; they are not run again.
    pub stuck: &'a [String],
}

/// Which parts of a page are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// A reply: calls, passive functions and rules.
    All,
    /// A narrator's note: its calls.
    Calls,
    /// The user's page: rules for every message, and calls if the user enabled them.
    EveryMessage { calls: bool },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PageOutcome {
    pub state: Value,
    /// What ran, in order.
    pub traces: Vec<CallTrace>,
    /// Diagnostics that belong to no call.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn run_page(
    state: &Value,
    calls: Vec<Call>,
    page: &PageRun<'_>,
    scripts: &mut dyn Scripts,
) -> Result<PageOutcome, Incomplete> {
    let calls = match page.parts {
        Parts::EveryMessage { calls: false } => Vec::new(),
        _ => calls,
    };
    scripts.begin_page();
    let mut runner = Runner::new(state.clone(), &calls, page, scripts);
    runner.passive(Timing::BeforeActive)?;
    let (claims, diagnostics) = match page.parts {
        Parts::EveryMessage { calls: false } => Default::default(),
        _ => claim(&calls, page, runner.scripts)?,
    };
    match &page.sam {
        Some(turn) => runner.sam(claims, turn)?,
        None => claims.into_iter().try_for_each(|claim| runner.active(claim))?,
    }
    runner.passive(Timing::AfterActive)?;
    let traces = recorded::bounded(state, &runner.state, runner.traces, page.text);
    Ok(PageOutcome { state: runner.state, traces, diagnostics })
}

/// A function or rule that runs without being called.
enum Passive<'a> {
    Function(&'a VarFunction),
    Rule(&'a AutoRule),
}

impl<'a> Runner<'a> {
    /// Runs the passive functions and rules of one timing: by `order`, then global before card,
    /// then list order.
    fn passive(&mut self, timing: Timing) -> Result<(), Incomplete> {
        for passive in passives(self.page.library, self.page.parts, timing) {
            match passive {
                Passive::Function(function) => self.passive_function(function)?,
                Passive::Rule(rule) => self.rule(rule)?,
            }
        }
        Ok(())
    }

    fn active(&mut self, claim: Claim<'a>) -> Result<(), Incomplete> {
        match claim {
            Claim::Builtin(call) => {
                self.builtin(call);
                Ok(())
            }
            Claim::Custom(found) => self.called(found),
        }
    }

    /// Executes SAM's calls together, in SAM's order, then the library's.
    fn sam(&mut self, claims: Vec<Claim<'a>>, turn: &SamTurn<'_>) -> Result<(), Incomplete> {
        let mut own = Vec::new();
        let mut custom = Vec::new();
        for claim in claims {
            match claim {
                Claim::Builtin(call) if self.refuse_if_off(call) => {}
                Claim::Builtin(call) => own.push(call.clone()),
                claim => custom.push(claim),
            }
        }
        let context = self.context();
        let turn = SamTurn { context: &context, ..*turn };
        let (state, traces) = sam::run_message(&self.state, &own, &turn, self.scripts)?;
        self.state = state;
        self.traces.extend(traces);
        custom.into_iter().try_for_each(|claim| self.active(claim))
    }
}

fn passives(library: &Library, parts: Parts, timing: Timing) -> Vec<Passive<'_>> {
    let functions = library.functions.iter().filter(|function| {
        function.enabled
            && parts == Parts::All
            && matches!(function.kind, FunctionKind::Passive { timing: own, .. } if own == timing)
    });
    let rules = library.rules.iter().filter(|rule| {
        let now = match rule.trigger {
            Trigger::BeforeParse => parts == Parts::All && timing == Timing::BeforeActive,
            Trigger::AfterParse => parts == Parts::All && timing == Timing::AfterActive,
            Trigger::EveryMessage => parts != Parts::Calls && timing == Timing::AfterActive,
        };
        rule.enabled && now
    });
    let functions = functions.map(|function| (function.order, function.scope, Passive::Function(function)));
    let mut all: Vec<_> = functions.chain(rules.map(|rule| (rule.order, rule.scope, Passive::Rule(rule)))).collect();
    all.sort_by_key(|(order, scope, _)| (*order, *scope == Scope::Card));
    all.into_iter().map(|(.., passive)| passive).collect()
}

#[cfg(test)]
mod tests;
