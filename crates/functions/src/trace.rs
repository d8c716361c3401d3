//! The record of one call or function of a page.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use storeyline_calls::Call;
use storeyline_state::{Diagnostic, Ops, Text, written};

use crate::draft::Refusal;

written! {
    /// How a call ended.
    #[derive(Serialize, Deserialize)]
    pub enum Verdict {
        /// As written.
        Done = "done",
        /// Done, after a repair.
        Repaired = "repaired",
        /// Not done.
        Failed = "failed",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallTrace {
    /// With the mark of its dialect, for example `@.ADD`; for a passive function, its own name.
    pub name: Cow<'static, str>,
    /// Bytes of the text; `0..0` for a passive function.
    pub span: Range<usize>,
    pub verdict: Verdict,
    /// The `//reason` in the text.
    pub reason: Option<Text>,
    /// Stored apart, where a state is loaded from.
    #[serde(skip)]
    pub ops: Ops,
    pub diagnostics: Vec<Diagnostic>,
}

impl CallTrace {
    pub fn call(call: &Call, result: Result<Ops, Refusal>) -> CallTrace {
        let (name, reason) = (call.name.clone().into_written().into(), call.reason.clone());
        CallTrace::new(name, call.span.clone(), reason, call.repairs.clone(), result)
    }

    /// Records a function that ran without being called.
    pub fn unasked(name: &str, result: Result<Ops, Refusal>) -> CallTrace {
        CallTrace::matched(name, 0..0, result)
    }

    /// Records a function that a pattern matched.
    pub(crate) fn matched(name: &str, span: Range<usize>, result: Result<Ops, Refusal>) -> CallTrace {
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

    /// Adds diagnostics about repairs.
    pub(crate) fn with(mut self, remarks: Vec<Diagnostic>) -> CallTrace {
        if !remarks.is_empty() {
            let span = &self.span;
            self.diagnostics.extend(remarks.into_iter().map(|remark| Diagnostic { span: span.clone(), ..remark }));
            self.verdict = Verdict::Repaired;
        }
        self
    }

    /// Marks the call as undone.
    pub(crate) fn fail(&mut self, refusal: Refusal) {
        self.ops.clear();
        self.verdict = Verdict::Failed;
        self.diagnostics.push(refusal.at(&self.span));
    }
}
