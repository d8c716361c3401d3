//! A trace as it lies in a row. An empty trace takes no bytes.
//!
//! Reading borrows names and values from the row, so that carrying out the ops skips what it does not
//! need.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use storeyline_history::{CallTrace, Trace, Verdict};
use storeyline_state::{Change, Diagnostic, Op, Severity, Step, Value, Words, json};

use super::records;

/// The root of a state that an op changes. Tables will be 1.
const VARIABLES: u8 = 0;

#[derive(Serialize, Deserialize)]
struct TraceRecord<'a> {
    #[serde(borrow)]
    calls: Vec<CallRecord<'a>>,
    #[serde(borrow)]
    diagnostics: Vec<DiagnosticRecord<'a>>,
}

#[derive(Serialize, Deserialize)]
struct CallRecord<'a> {
    name: &'a str,
    start: usize,
    length: usize,
    verdict: u8,
    reason: Option<&'a str>,
    #[serde(borrow)]
    ops: Vec<OpRecord<'a>>,
    #[serde(borrow)]
    diagnostics: Vec<DiagnosticRecord<'a>>,
}

#[derive(Serialize, Deserialize)]
struct OpRecord<'a> {
    root: u8,
    #[serde(borrow)]
    path: Vec<StepRecord<'a>>,
    #[serde(borrow)]
    change: ChangeRecord<'a>,
}

#[derive(Serialize, Deserialize)]
enum StepRecord<'a> {
    Key(&'a str),
    Index(usize),
}

/// Values are JSON text.
#[derive(Serialize, Deserialize)]
enum ChangeRecord<'a> {
    Set {
        #[serde(borrow)]
        old: Cow<'a, str>,
        #[serde(borrow)]
        new: Cow<'a, str>,
    },
    Insert {
        #[serde(borrow)]
        new: Cow<'a, str>,
        at: usize,
    },
    Remove {
        #[serde(borrow)]
        old: Cow<'a, str>,
        at: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct DiagnosticRecord<'a> {
    code: &'a str,
    severity: u8,
    zh: &'a str,
    en: &'a str,
    start: usize,
    length: usize,
}

const VERDICTS: [Verdict; 3] = [Verdict::Done, Verdict::Repaired, Verdict::Failed];
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

pub(crate) fn write(trace: &Trace) -> Vec<u8> {
    if trace.calls.is_empty() && trace.diagnostics.is_empty() {
        return Vec::new();
    }
    records::write(&TraceRecord {
        calls: trace.calls.iter().map(call_record).collect(),
        diagnostics: trace.diagnostics.iter().map(diagnostic_record).collect(),
    })
}

pub(crate) fn read(bytes: &[u8]) -> Option<Trace> {
    if bytes.is_empty() {
        return Some(Trace::default());
    }
    let TraceRecord { calls, diagnostics } = records::read(bytes)?;
    Some(Trace {
        calls: calls.into_iter().map(call).collect::<Option<_>>()?,
        diagnostics: diagnostics.into_iter().map(diagnostic).collect::<Option<_>>()?,
    })
}

/// Applies the ops of a trace to a state; nothing if they do not fit.
pub(crate) fn apply_ops(bytes: &[u8], state: &mut Value) -> Option<()> {
    if bytes.is_empty() {
        return Some(());
    }
    let TraceRecord { calls, .. } = records::read(bytes)?;
    for record in calls.into_iter().flat_map(|call| call.ops) {
        op(record, |_| Some(Value::Null))?.apply(state).ok()?;
    }
    Some(())
}

fn call_record(call: &CallTrace) -> CallRecord<'_> {
    CallRecord {
        name: &call.name,
        start: call.span.start,
        length: call.span.len(),
        verdict: VERDICTS.iter().position(|own| *own == call.verdict).expect("all verdicts are listed") as u8,
        reason: call.reason.as_deref(),
        ops: call.ops.iter().map(op_record).collect(),
        diagnostics: call.diagnostics.iter().map(diagnostic_record).collect(),
    }
}

fn call(record: CallRecord<'_>) -> Option<CallTrace> {
    Some(CallTrace {
        name: record.name.to_owned().into(),
        span: record.start..record.start.checked_add(record.length)?,
        verdict: *VERDICTS.get(usize::from(record.verdict))?,
        reason: record.reason.map(Into::into),
        ops: record.ops.into_iter().map(|record| op(record, value)).collect::<Option<_>>()?,
        diagnostics: record.diagnostics.into_iter().map(diagnostic).collect::<Option<_>>()?,
    })
}

fn op_record(op: &Op) -> OpRecord<'_> {
    let text = |value: &Value| Cow::Owned(json::write(value));
    let change = match &op.change {
        Change::Set { old, new } => ChangeRecord::Set { old: text(old), new: text(new) },
        Change::Insert { new, at } => ChangeRecord::Insert { new: text(new), at: *at },
        Change::Remove { old, at } => ChangeRecord::Remove { old: text(old), at: *at },
    };
    OpRecord { root: VARIABLES, path: op.path.iter().map(step_record).collect(), change }
}

fn step_record(step: &Step) -> StepRecord<'_> {
    match step {
        Step::Key(key) => StepRecord::Key(key.as_str()),
        Step::Index(index) => StepRecord::Index(*index),
    }
}

/// `old` reads the value before the change, which only undoing and showing need.
fn op(record: OpRecord<'_>, old: impl Fn(&str) -> Option<Value>) -> Option<Op> {
    (record.root == VARIABLES).then_some(())?;
    let step = |step| match step {
        StepRecord::Key(key) => Step::Key(key.into()),
        StepRecord::Index(index) => Step::Index(index),
    };
    let change = match record.change {
        ChangeRecord::Set { old: before, new } => Change::Set { old: old(&before)?, new: value(&new)? },
        ChangeRecord::Insert { new, at } => Change::Insert { new: value(&new)?, at },
        ChangeRecord::Remove { old: before, at } => Change::Remove { old: old(&before)?, at },
    };
    Some(Op { path: record.path.into_iter().map(step).collect(), change })
}

fn value(text: &str) -> Option<Value> {
    json::read_stored(text).ok()
}

fn diagnostic_record(diagnostic: &Diagnostic) -> DiagnosticRecord<'_> {
    let severity = SEVERITIES.iter().position(|own| *own == diagnostic.severity);
    DiagnosticRecord {
        code: &diagnostic.code,
        severity: severity.expect("all severities are listed") as u8,
        zh: &diagnostic.message.zh,
        en: &diagnostic.message.en,
        start: diagnostic.span.start,
        length: diagnostic.span.len(),
    }
}

fn diagnostic(record: DiagnosticRecord<'_>) -> Option<Diagnostic> {
    Some(Diagnostic {
        code: record.code.to_owned(),
        severity: *SEVERITIES.get(usize::from(record.severity))?,
        message: Words::new(record.zh, record.en),
        span: record.start..record.start.checked_add(record.length)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(path: &[&str], change: Change) -> Op {
        let step = |step: &&str| match step.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key((*step).into()),
        };
        Op { path: path.iter().map(step).collect(), change }
    }

    fn trace() -> Trace {
        let set = Change::Set { old: Value::Null, new: Value::text("雨") };
        let remark = Diagnostic::warning("W-X", 3..5, "怪", "odd");
        let call = CallTrace {
            name: "@.SET".into(),
            span: 10..40,
            verdict: Verdict::Repaired,
            reason: Some("因为".into()),
            ops: vec![
                op(&["角色", "阿丽娅", "hp"], set),
                op(&["包", "2"], Change::Insert { new: Value::from(5), at: 2 }),
                op(&["旧"], Change::Remove { old: Value::empty_object(), at: 1 }),
            ]
            .into(),
            diagnostics: vec![remark.clone()],
        };
        Trace { calls: vec![call], diagnostics: vec![remark] }
    }

    #[test]
    fn a_trace_survives() {
        assert_eq!(read(&write(&trace())), Some(trace()));
        assert_eq!(read(&write(&Trace::default())), Some(Trace::default()));
        let bytes = write(&trace());
        let mut state = storeyline_state::json::read(r#"{"角色":{"阿丽娅":{"hp":null}},"包":[1,2],"旧":{}}"#).unwrap();
        apply_ops(&bytes, &mut state).unwrap();
        let wanted = r#"{"角色":{"阿丽娅":{"hp":"雨"}},"包":[1,2,5]}"#;
        assert_eq!(storeyline_state::json::write(&state), wanted);
        for length in 1..bytes.len() {
            assert_ne!(read(&bytes[..length]), Some(trace()), "cut at {length}");
        }
    }
}
