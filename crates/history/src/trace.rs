//! The record of a page: each call with its verdict, its ops and its diagnostics.

use std::ops::Range;

use storeyline_state::{Diagnostic, Object, Op, Severity, Value, Words};

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

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
}

fn span_to_value(span: &Range<usize>) -> Value {
    Value::list(vec![Value::from(span.start as i64), Value::from(span.end as i64)])
}

fn span_from_value(value: &Value) -> Option<Range<usize>> {
    let [start, end] = value.as_list()? else {
        return None;
    };
    Some(start.as_number()?.as_index()?..end.as_number()?.as_index()?)
}

/// Returns a diagnostic as JSON, for storing.
pub fn diagnostic_to_value(diagnostic: &Diagnostic) -> Value {
    object([
        ("code", Value::text(&diagnostic.code)),
        ("severity", diagnostic.severity.as_str().into()),
        ("zh", Value::text(&diagnostic.message.zh)),
        ("en", Value::text(&diagnostic.message.en)),
        ("span", span_to_value(&diagnostic.span)),
    ])
}

/// Parses the output of [`diagnostic_to_value`].
pub fn diagnostic_from_value(value: &Value) -> Option<Diagnostic> {
    let text = |key| value.get(key).and_then(Value::as_text);
    Some(Diagnostic {
        code: text("code")?.to_owned(),
        severity: Severity::from_word(text("severity")?)?,
        message: Words::new(text("zh")?, text("en")?),
        span: span_from_value(value.get("span")?)?,
    })
}
