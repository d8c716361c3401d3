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
        let (name, reason) = (call.name.clone().into_written().into(), call.reason.clone());
        CallTrace::new(name, call.span.clone(), reason, call.repairs.clone(), result)
    }

    /// Notes what came of a call that nobody needs any more.
    pub(crate) fn done(call: Call, result: Result<Ops, Refusal>) -> CallTrace {
        CallTrace::new(call.name.into_written().into(), call.span, call.reason, call.repairs, result)
    }

    /// Notes what came of a function that nobody called.
    pub fn unasked(name: &str, result: Result<Ops, Refusal>) -> CallTrace {
        CallTrace::found(name, 0..0, result)
    }

    /// Notes what came of a function that was found at a place of the text.
    pub(crate) fn found(name: &str, span: Range<usize>, result: Result<Ops, Refusal>) -> CallTrace {
        CallTrace::new(name.to_owned().into(), span, None, Vec::new(), result)
    }

    fn new(
        name: Cow<'static, str>,
        span: Range<usize>,
        reason: Option<Text>,
        mut diagnostics: Vec<Diagnostic>,
        result: Result<Ops, Refusal>,
    ) -> CallTrace {
        let repaired = if diagnostics.is_empty() { Verdict::Done } else { Verdict::Repaired };
        let (verdict, ops) = match result {
            Ok(ops) => (repaired, ops),
            Err(refusal) => {
                diagnostics.push(refusal.at(&span));
                (Verdict::Failed, Ops::new())
            }
        };
        CallTrace { name, span, verdict, reason, ops, diagnostics }
    }

    /// Adds remarks on what was put right.
    pub(crate) fn with(mut self, remarks: Vec<Diagnostic>) -> CallTrace {
        if !remarks.is_empty() {
            let span = &self.span;
            self.diagnostics.extend(remarks.into_iter().map(|remark| Diagnostic { span: span.clone(), ..remark }));
            self.verdict = Verdict::Repaired;
        }
        self
    }

    /// Notes that it was undone.
    pub(crate) fn fail(&mut self, refusal: Refusal) {
        self.ops.clear();
        self.verdict = Verdict::Failed;
        self.diagnostics.push(refusal.at(&self.span));
    }
}
