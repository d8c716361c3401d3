//! The executor interface: what JavaScript may be asked to do. Who runs it is decided elsewhere.
//!
//! Every request carries all of its inputs, the state included, so that the answer is a pure
//! function of them. That an implementation keeps the last state at hand is its own affair.

use std::ops::Range;

use storeyline_state::{PageId, Value};

use crate::draft::Refusal;
use crate::run::Outcome;

/// Someone who runs JavaScript.
pub trait Scripts {
    /// Says that a page begins: what all of its scripts may use together is counted from here.
    ///
    /// Evaluation calls it once per page, so that the count is a function of the page alone.
    fn begin_page(&mut self) {}

    /// Says that a request begins: what it may use in all is counted from here.
    fn begin_request(&mut self) {}

    /// Runs a script on a state. Its writes are kept all or not at all.
    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped>;

    /// Tells whether an expression is truthy on a state; nothing that it writes is kept.
    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped>;

    /// Finds every match of a JavaScript regular expression, in the order of the text.
    ///
    /// `/source/flags` and a bare source are both read; `g` is implied; an empty match is left out.
    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped>;
}

/// The names of what a script may find in `context`. Where a page stands (the first three) is there only for
/// scripts that speak of it.
pub const CONTEXT_NAMES: [&str; 11] =
    ["floor", "round", "pageId", "role", "speaker", "user", "char", "text", "calls", "profile", "time"];

/// The `name` of the error that a condition throws when it asks for anything else; its message is what it asked for.
pub const NOT_IN_CONTEXT: &str = "NotInContext";

/// One thing to run.
#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    /// What.
    pub source: Source<'a>,
    /// The arguments; nothing stands for `undefined`.
    pub args: &'a [Option<Value>],
    /// What the script sees as `context`: an object, the same for all scripts of a page.
    pub context: &'a Value,
    /// Where `Math.random` starts.
    pub seed: u64,
    /// Where `Date` stands, in milliseconds since 1970.
    pub time: i64,
}

/// JavaScript, and how it is called.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// The body of a function that sees `snapshot`, `args`, `context` and `_`. Returning nothing
    /// keeps the changes to `snapshot`, an object replaces it.
    Body(&'a str),
    /// A function text, `(snapshot, ...args) => …`, as seed 001 writes it; same rules.
    Function(&'a str),
    /// SAM's: sees `state`, `_` and its own parameters (the last may be `...rest`); what it
    /// returns is ignored.
    Sam {
        /// The names of the parameters.
        parameters: &'a [String],
        /// The body.
        body: &'a str,
    },
}

/// One match of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternMatch {
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// The capture groups; a group that took no part is nothing.
    pub groups: Vec<Option<String>>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// The script failed or broke a counted limit: the same on every machine.
    Refused(Refusal),
    /// The machine failed, not the script: nothing may be stored, and it is tried again.
    Incomplete(Incomplete),
}

/// An evaluation that could not be ended here and now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation could not be ended: {why}")]
pub struct Incomplete {
    /// What happened.
    pub why: String,
    /// Whether a script had to be killed because it no longer counted.
    pub hung: bool,
    /// Whose script it was.
    pub function: Option<String>,
    /// On which page.
    pub page: Option<PageId>,
}

impl Incomplete {
    /// The machine failed.
    pub fn new(why: impl Into<String>) -> Incomplete {
        Incomplete { why: why.into(), hung: false, function: None, page: None }
    }

    /// A script had to be killed.
    pub fn hung(why: impl Into<String>) -> Incomplete {
        Incomplete { hung: true, ..Incomplete::new(why) }
    }
}

impl Stopped {
    /// Notes whose script it was.
    pub(crate) fn of(self, function: &str) -> Stopped {
        match self {
            Stopped::Incomplete(incomplete) => {
                Stopped::Incomplete(Incomplete { function: Some(function.to_owned()), ..incomplete })
            }
            refused => refused,
        }
    }
}

/// Runs nothing: for places without a JavaScript engine.
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
