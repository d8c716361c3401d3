//! What the front asks of a sandbox and what it answers, whoever carries it.

use storeyline_functions::script::{PatternMatch, Script, Source};
use storeyline_state::{Op, Value};

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// Run a script; the answer is its ops.
    Run(Update, Job),
    /// Test a condition; the answer is a truth.
    Test(Update, Job),
    /// Find the matches of a pattern.
    Find {
        /// As the author wrote it.
        pattern: String,
        /// Where to look.
        text: String,
        /// The most ticks.
        ticks: u64,
    },
    /// Try to open a file: shows that the filter of a worker stands.
    Probe,
}

/// How the state of a request is told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Update {
    /// All of it.
    Whole(Value),
    /// What changed since the last request.
    Ops(Vec<Op>),
}

/// A script with its inputs, owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Job {
    pub(crate) code: Code,
    pub(crate) args: Vec<Option<Value>>,
    pub(crate) context: Value,
    pub(crate) seed: u64,
    pub(crate) time: i64,
    pub(crate) ticks: u64,
}

/// [`Source`], owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Code {
    Body(String),
    Function(String),
    Sam { parameters: Vec<String>, body: String },
}

impl Job {
    /// Takes a script with the most ticks that it may use.
    pub(crate) fn new(script: &Script<'_>, ticks: u64) -> Job {
        let code = match script.source {
            Source::Body(text) => Code::Body(text.to_owned()),
            Source::Function(text) => Code::Function(text.to_owned()),
            Source::Sam { parameters, body } => Code::Sam { parameters: parameters.to_vec(), body: body.to_owned() },
        };
        let Script { args, context, seed, time, .. } = *script;
        Job { code, args: args.to_vec(), context: context.clone(), seed, time, ticks }
    }
}

impl Code {
    /// Returns the author's text.
    pub(crate) fn text(&self) -> &str {
        match self {
            Code::Body(text) | Code::Function(text) | Code::Sam { body: text, .. } => text,
        }
    }
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Response {
    /// What it used.
    pub(crate) ticks: u64,
    pub(crate) answer: Answer,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Changed(Vec<Op>),
    Truth(bool),
    Matches(Vec<PatternMatch>),
    Refused(Refused),
    /// The machine failed; says how.
    Failed(String),
}

/// A refusal before its code is looked up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    pub(crate) zh: String,
    pub(crate) en: String,
}
