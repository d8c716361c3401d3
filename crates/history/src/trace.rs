//! The record of a page: each call with its verdict, its ops and its diagnostics.

use storeyline_state::{Diagnostic, Op, Severity};

pub use storeyline_functions::{CallTrace, Verdict};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// In the order of execution.
    pub calls: Vec<CallTrace>,
    /// Diagnostics that belong to no call.
    pub diagnostics: Vec<Diagnostic>,
}

impl Trace {
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.calls.iter().flat_map(|call| &call.diagnostics).chain(&self.diagnostics)
    }

    pub fn ops(&self) -> impl Iterator<Item = &Op> {
        self.calls.iter().flat_map(|call| &call.ops)
    }

    /// Returns the number of calls that failed or could not be parsed.
    pub fn failed(&self) -> usize {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        errors + self.calls.iter().filter(|call| call.verdict == Verdict::Failed).count()
    }
}
