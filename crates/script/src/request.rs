//! Requests to a sandbox and its responses, independent of the transport.

use serde::{Deserialize, Deserializer, Serialize, de};
use storeyline_functions::script::{PatternMatch, Script, Source};
use storeyline_state::{Op, Value};

use crate::refuse;

/// A request, and whether it is the first of a page: then it finds nothing of those before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) begins_page: bool,
    pub(crate) request: Request,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run a script; the answer is its ops.
    Run(Update, Job),
    /// Test a condition; the answer is a boolean.
    Test(Update, Job),
    /// Find the matches of a pattern.
    Find {
        /// As the author wrote it.
        pattern: String,
        text: String,
        /// Tick limit.
        ticks: u64,
    },
    /// Try to open a file: tests the system call filter of a worker.
    Probe,
}

/// How the state of a request is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Update {
    Whole(Value),
    /// Changes since the last request.
    Ops(Vec<Op>),
}

/// A script with its inputs, owned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) code: Code,
    pub(crate) args: Vec<Option<Value>>,
    pub(crate) context: Value,
    pub(crate) seed: u64,
    pub(crate) time: i64,
    pub(crate) ticks: u64,
    /// Whether the answer has what `console` printed.
    pub(crate) listens: bool,
}

/// [`Source`], owned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Code {
    Body(String),
    Function(String),
    Sam { parameters: Vec<String>, body: String },
}

impl Job {
    pub(crate) fn new(script: &Script<'_>, ticks: u64, listens: bool) -> Job {
        let code = match script.source {
            Source::Body(text) => Code::Body(text.to_owned()),
            Source::Function(text) => Code::Function(text.to_owned()),
            Source::Sam { parameters, body } => Code::Sam { parameters: parameters.to_vec(), body: body.to_owned() },
        };
        let Script { args, context, seed, time, .. } = *script;
        Job { code, args: args.to_vec(), context: context.clone(), seed, time, ticks, listens }
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Response {
    /// Ticks used.
    pub(crate) ticks: u64,
    pub(crate) answer: Answer,
    /// What `console` printed, if it was asked for.
    pub(crate) printed: Vec<String>,
}

impl Response {
    pub(crate) fn new(ticks: u64, answer: Answer) -> Response {
        Response { ticks, answer, printed: Vec::new() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Changed(Vec<Op>),
    Truth(bool),
    Matches(Vec<PatternMatch>),
    Refused(Refused),
    /// The machine failed, with a description.
    Failed(String),
}

/// A refusal before its code is looked up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refused {
    #[serde(deserialize_with = "known_code")]
    pub(crate) code: RefusalCode,
    pub(crate) zh: String,
    pub(crate) en: String,
}

/// An alias, because serde would borrow a plain reference from the frame.
pub(crate) type RefusalCode = &'static str;

fn known_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RefusalCode, D::Error> {
    refuse::code(&String::deserialize(deserializer)?).ok_or_else(|| de::Error::custom("an unknown code"))
}
