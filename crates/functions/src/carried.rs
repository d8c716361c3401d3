//! One call or function of a page, and what came of it.

use std::borrow::Cow;
use std::ops::Range;

use storeyline_calls::Call;
use storeyline_state::{Diagnostic, Ops};

use crate::draft::Refusal;

/// What was carried out, in the order in which it ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// The name with the mark of its dialect, or of the function that ran by itself.
    pub name: Cow<'static, str>,
    /// Where the call stands in the text; empty at 0 for what ran by itself.
    pub span: Range<usize>,
    /// Why, in the words of the text.
    pub reason: Option<String>,
    /// What had to be repaired to read the call.
    pub repairs: Vec<Diagnostic>,
    /// What it changed, or why it did not.
    pub result: Result<Ops, Refusal>,
}

impl Carried {
    /// Notes what came of a call.
    pub fn call(call: &Call, result: Result<Ops, Refusal>) -> Carried {
        Carried {
            name: call.name.clone().into_written(),
            span: call.span.clone(),
            reason: call.reason.clone(),
            repairs: call.repairs.clone(),
            result,
        }
    }

    /// Notes what came of a call that nobody needs any more.
    pub fn done(call: Call, result: Result<Ops, Refusal>) -> Carried {
        Carried { name: call.name.into_written(), span: call.span, reason: call.reason, repairs: call.repairs, result }
    }

    /// Adds remarks on what was put right.
    pub fn with(mut self, remarks: Vec<Diagnostic>) -> Carried {
        let span = self.span.clone();
        self.repairs.extend(remarks.into_iter().map(|remark| Diagnostic { span: span.clone(), ..remark }));
        self
    }

    /// Notes what came of a function that nobody called.
    pub fn unasked(name: &str, result: Result<Ops, Refusal>) -> Carried {
        Carried { name: name.to_owned().into(), span: 0..0, reason: None, repairs: Vec::new(), result }
    }
}
