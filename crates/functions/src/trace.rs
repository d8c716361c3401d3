//! One call or function of a page, and what came of it.

use std::borrow::Cow;
use std::ops::Range;

use storeyline_calls::Call;
use storeyline_state::{Diagnostic, Ops, Text};

use crate::draft::Refusal;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As written.
    Done,
    /// Done, after something was put right.
    Repaired,
    /// Not done.
    Failed,
}

impl Verdict {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Done => "done",
            Verdict::Repaired => "repaired",
            Verdict::Failed => "failed",
        }
    }

    /// Reads the word used in JSON.
    pub fn from_word(word: &str) -> Option<Verdict> {
        [Verdict::Done, Verdict::Repaired, Verdict::Failed].into_iter().find(|verdict| verdict.as_str() == word)
    }
}

/// One call and what it did.
#[derive(Debug, Clone, PartialEq)]
pub struct CallTrace {
    /// The name with the mark of its dialect, for example `@.ADD`, or of the function that ran by itself.
    pub name: Cow<'static, str>,
    /// Where it stands in the text, in bytes; empty at 0 for what ran by itself.
    pub span: Range<usize>,
    /// How it ended.
    pub verdict: Verdict,
    /// Why, in the words of the text.
    pub reason: Option<Text>,
    /// What it changed.
    pub ops: Ops,
    /// What there is to say about it.
    pub diagnostics: Vec<Diagnostic>,
}

impl CallTrace {
    /// Notes what came of a call.
    pub fn call(call: &Call, result: Result<Ops, Refusal>) -> CallTrace {
        let trace = CallTrace {
            name: call.name.clone().into_written(),
            span: call.span.clone(),
            verdict: Verdict::Done,
            reason: call.reason.clone(),
            ops: Ops::new(),
            diagnostics: call.repairs.clone(),
        };
        trace.ended(result)
    }

    /// Notes what came of a call that nobody needs any more.
    pub(crate) fn done(call: Call, result: Result<Ops, Refusal>) -> CallTrace {
        let trace = CallTrace {
            name: call.name.into_written(),
            span: call.span,
            verdict: Verdict::Done,
            reason: call.reason,
            ops: Ops::new(),
            diagnostics: call.repairs,
        };
        trace.ended(result)
    }

    /// Notes what came of a function that nobody called.
    pub fn unasked(name: &str, result: Result<Ops, Refusal>) -> CallTrace {
        CallTrace::found(name, 0..0, result)
    }

    /// Notes what came of a function that was found at a place of the text.
    pub(crate) fn found(name: &str, span: Range<usize>, result: Result<Ops, Refusal>) -> CallTrace {
        let (name, ops) = (name.to_owned().into(), Ops::new());
        let trace = CallTrace { name, span, verdict: Verdict::Done, reason: None, ops, diagnostics: Vec::new() };
        trace.ended(result)
    }

    fn ended(mut self, result: Result<Ops, Refusal>) -> CallTrace {
        match result {
            Ok(ops) => {
                self.ops = ops;
                self.with(Vec::new())
            }
            Err(refusal) => {
                self.fail(refusal);
                self
            }
        }
    }

    /// Adds remarks on what was put right.
    pub(crate) fn with(mut self, remarks: Vec<Diagnostic>) -> CallTrace {
        let span = &self.span;
        self.diagnostics.extend(remarks.into_iter().map(|remark| Diagnostic { span: span.clone(), ..remark }));
        if !self.diagnostics.is_empty() {
            self.verdict = Verdict::Repaired;
        }
        self
    }

    /// Notes that it was not done, or undone.
    pub(crate) fn fail(&mut self, refusal: Refusal) {
        let words = refusal.message;
        self.ops.clear();
        self.verdict = Verdict::Failed;
        self.diagnostics.push(Diagnostic::error(refusal.code, self.span.clone(), words.zh, words.en));
    }
}
