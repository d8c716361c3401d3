//! A whole page: passive functions before, the calls in text order, passive functions after.
//!
//! In: a state, the calls that were read, the library. Out: the next state and what each function
//! did. One that fails is skipped, its writes are dropped, the others go on.

mod claims;
mod custom;

use std::ops::Range;

use storeyline_calls::Call;
use storeyline_state::{Diagnostic, Value};

use crate::draft::Draft;
use crate::library::Library;
use crate::library::function::{FunctionKind, Scope, Timing, VarFunction};
use crate::library::steps::{AutoRule, Trigger};
use crate::patch::Blocks;
use crate::run::{Conventions, run_in};
use crate::sam::{self, SamTurn};
use crate::script::{Incomplete, Scripts};
use crate::trace::CallTrace;

pub use claims::is_meant;
use claims::{Claim, claim};
use custom::Runner;
pub(crate) use custom::stuck;

/// What a page is run with.
#[derive(Clone, Copy)]
pub struct PageRun<'a> {
    /// The text.
    pub text: &'a str,
    /// Where it is not read.
    pub skipped: &'a [Range<usize>],
    /// What of it counts.
    pub parts: Parts,
    /// Whose conventions count for built-ins.
    pub conventions: Conventions<'a>,
    /// The functions of users and cards.
    pub library: &'a Library,
    /// How SAM carries out its calls, in its profile.
    pub sam: Option<SamTurn<'a>>,
    /// What scripts see as `context`, made when the first one runs.
    pub context: &'a dyn Fn(&[Call]) -> Value,
    /// Where random numbers start.
    pub seed: u64,
    /// When the page was written, in milliseconds since 1970.
    pub time: i64,
    /// Functions that had to be killed on this page; they are not run again.
    pub stuck: &'a [String],
}

/// What of a page counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// A reply: calls, passive functions and rules.
    All,
    /// A narrator's note: its calls.
    Calls,
    /// The user's page: rules for every message, and calls if the user wants.
    EveryMessage {
        /// Whether calls count.
        calls: bool,
    },
}

/// What came of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageOutcome {
    /// The next state.
    pub state: Value,
    /// What ran, in order.
    pub carried: Vec<CallTrace>,
    /// Remarks that belong to no call.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a page.
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
    if page.library.is_empty() && page.sam.is_none() {
        return Ok(run_builtins(state, calls, page.conventions));
    }
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
    Ok(PageOutcome { state: runner.state, carried: runner.carried, diagnostics })
}

/// The usual page: nothing but calls of built-ins.
fn run_builtins(state: &Value, calls: Vec<Call>, conventions: Conventions<'_>) -> PageOutcome {
    let mut draft = Draft::new(state.clone(), conventions.locks).with_time_at(conventions.time_path);
    let mut blocks = Blocks::of(&calls);
    let mut carried = Vec::with_capacity(calls.len());
    for call in calls {
        if let Some(skipped) = blocks.enter(&call, carried.len(), || draft.state().clone()) {
            carried.push(CallTrace::done(call, Err(skipped)));
            continue;
        }
        carried.push(match run_in(&mut draft, &call, conventions) {
            Ok((ops, remarks)) => CallTrace::done(call, Ok(ops)).with(remarks),
            Err(refusal) => CallTrace::done(call, Err(refusal)),
        });
        if let Some(before) = blocks.leave(&mut carried) {
            draft.restore(before);
        }
    }
    PageOutcome { state: draft.finish().0, carried, diagnostics: Vec::new() }
}

/// Something that runs by itself.
enum Passive<'a> {
    Function(&'a VarFunction),
    Rule(&'a AutoRule),
}

impl<'a> Runner<'a> {
    /// Runs what runs by itself at a moment, in order: `order`, then global before card, then the list.
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

    /// SAM's calls are carried out together, in its own order; the library's follow.
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
        let (state, carried) = sam::run_message(&self.state, &own, &turn, self.scripts)?;
        self.state = state;
        self.carried.extend(carried);
        custom.into_iter().try_for_each(|claim| self.active(claim))
    }
}

fn passives(library: &Library, parts: Parts, timing: Timing) -> Vec<Passive<'_>> {
    let functions = library.functions.iter().filter(|function| {
        function.enabled
            && parts == Parts::All
            && matches!(function.kind, FunctionKind::Passive { timing: own } if own == timing)
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
