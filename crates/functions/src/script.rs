//! The interface to JavaScript executors. The implementation is elsewhere.
//!
//! Every request carries all of its inputs, the state included, so that the result is a pure
//! function of them. An implementation may cache the last state.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use storeyline_state::{Explain, Explanation, PageId, Value};

use crate::draft::Refusal;
use crate::run::Outcome;

pub trait Scripts {
    /// Starts a page: the limits shared by its scripts are counted from here.
    ///
    /// Evaluation calls it once per page, so that the count is a function of the page alone.
    fn begin_page(&mut self) {}

    /// Starts a request of which earlier pages have used so much.
    fn begin_request(&mut self, used: Used) {
        let _ = used;
    }

    /// Returns what the request has used.
    fn used(&self) -> Used {
        Used::default()
    }

    /// Collects what `console` prints from now on. In evaluation nobody listens, and it does nothing.
    fn listen(&mut self) {}

    /// Takes what `console` printed, and stops collecting.
    fn printed(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Runs a script on a state. Its writes are all or nothing.
    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped>;

    /// Tells whether an expression is truthy on a state; its writes are dropped.
    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped>;

    /// Returns every match of a JavaScript regular expression, in text order.
    ///
    /// Accepts `/source/flags` and a bare source; `g` is implied; empty matches are left out.
    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped>;
}

/// What scripts have used of their limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    pub ticks: u64,
    pub time: Duration,
}

impl Used {
    pub fn add(&mut self, more: Used) {
        self.ticks = self.ticks.saturating_add(more.ticks);
        self.time = self.time.saturating_add(more.time);
    }
}

/// The names that `context` may contain. The position of the page (the first three) is there only
/// for scripts that mention it.
pub const CONTEXT_NAMES: [&str; 11] =
    ["floor", "round", "pageId", "role", "speaker", "user", "char", "text", "calls", "profile", "time"];

/// The `name` of the error that a condition throws when it reads anything else; its message is the
/// name that was read.
pub const NOT_IN_CONTEXT: &str = "NotInContext";

#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    pub source: Source<'a>,
    /// `None` stands for `undefined`.
    pub args: &'a [Option<Value>],
    /// What the script sees as `context`: an object, the same for all scripts of a page.
    pub context: &'a Value,
    /// Seed of `Math.random`.
    pub seed: u64,
    /// Time of `Date`, in milliseconds since 1970.
    pub time: i64,
}

/// JavaScript, and how it is called.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// The body of a function that sees `snapshot`, `args`, `context` and `_`. Without a return
    /// value the changes to `snapshot` are kept; a returned object replaces it.
    Body(&'a str),
    /// A function text, `(snapshot, ...args) => …`, as in seed 001; same rules.
    Function(&'a str),
    /// A SAM function: sees `state`, `_` and its own parameters (the last may be `...rest`); its
    /// return value is ignored.
    Sam { parameters: &'a [String], body: &'a str },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatternMatch {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The capture groups; `None` for a group that did not take part.
    pub groups: Vec<Option<String>>,
}

/// Why a script has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// The script failed or exceeded a counted limit: the same on every machine.
    Refused(Refusal),
    /// The machine failed, not the script: nothing may be stored, and it is tried again.
    Incomplete(Incomplete),
}

/// An evaluation that could not be completed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the page could not be evaluated to the end and has no state yet: {why}")]
pub struct Incomplete {
    pub why: String,
    /// Whether a script was ended by the clock: it stopped counting its limits, or its page took too long.
    pub hung: bool,
    /// Whether the time of the whole page was used up. Then functions after this one have no time either.
    pub out_of_time: bool,
    /// Id of the function.
    pub function: Option<String>,
    pub page: Option<PageId>,
}

impl Incomplete {
    /// The machine failed.
    pub fn new(why: impl Into<String>) -> Incomplete {
        Incomplete { why: why.into(), hung: false, out_of_time: false, function: None, page: None }
    }

    /// A script was killed.
    pub fn hung(why: impl Into<String>) -> Incomplete {
        Incomplete { hung: true, ..Incomplete::new(why) }
    }

    /// The scripts of a page took too long together.
    pub fn out_of_time(why: impl Into<String>) -> Incomplete {
        Incomplete { out_of_time: true, ..Incomplete::hung(why) }
    }
}

impl Explain for Incomplete {
    fn explain(&self) -> Explanation {
        let hint = (
            "没有写入任何东西。请重试；如果总是这样，请停用该函数。",
            "Nothing was written. Try again; if it always happens, switch that function off.",
        );
        self.explained("incomplete", format!("这一页没有算完，还没有状态：{}", self.why), hint)
    }
}

impl Stopped {
    /// Adds the id of the function.
    pub(crate) fn of(self, function: &str) -> Stopped {
        match self {
            Stopped::Incomplete(incomplete) => {
                Stopped::Incomplete(Incomplete { function: Some(function.to_owned()), ..incomplete })
            }
            refused => refused,
        }
    }
}

/// Runs nothing; used where there is no JavaScript engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoScripts;

impl Scripts for NoScripts {
    fn run(&mut self, _: &Value, _: &Script<'_>) -> Result<Outcome, Stopped> {
        Err(none())
    }

    fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
        Err(none())
    }

    fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
        Err(none())
    }
}

fn none() -> Stopped {
    Stopped::Incomplete(Incomplete::new("there is no JavaScript engine here".to_owned()))
}
