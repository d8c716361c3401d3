//! A trace as it lies in a row. An empty trace takes no bytes. The ops come first: loading a state reads no more.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use storeyline_history::{CallTrace, Trace};
use storeyline_state::{Change, Diagnostic, Op, Step, Value};

use super::records;

/// The root of a state that an op changes. Tables will be 1.
const VARIABLES: u8 = 0;

#[derive(Serialize, Deserialize)]
struct TraceRecord<'a> {
    /// With their roots.
    ops: Vec<(u8, Cow<'a, Op>)>,
    /// With the number of their ops.
    calls: Vec<(usize, Cow<'a, CallTrace>)>,
    diagnostics: Cow<'a, [Diagnostic]>,
}

/// An op as [`TraceRecord`] has it, without reading the value before the change.
#[derive(Deserialize)]
struct OpToApply<'a> {
    path: Vec<Step>,
    #[serde(borrow)]
    change: ChangeToApply<'a>,
}

#[derive(Deserialize)]
enum ChangeToApply<'a> {
    Set { _old: &'a str, new: Value },
    Insert { new: Value, at: usize },
    Remove { _old: &'a str, at: usize },
}

pub(crate) fn write(trace: &Trace) -> Vec<u8> {
    if trace.calls.is_empty() && trace.diagnostics.is_empty() {
        return Vec::new();
    }
    records::write(&TraceRecord {
        ops: trace.ops().map(|op| (VARIABLES, Cow::Borrowed(op))).collect(),
        calls: trace.calls.iter().map(|call| (call.ops.len(), Cow::Borrowed(call))).collect(),
        diagnostics: Cow::Borrowed(&trace.diagnostics),
    })
}

pub(crate) fn read(bytes: &[u8]) -> Option<Trace> {
    if bytes.is_empty() {
        return Some(Trace::default());
    }
    let TraceRecord { ops, calls, diagnostics } = records::read(bytes)?;
    let mut ops = ops.into_iter().map(|(root, op)| (root == VARIABLES).then(|| op.into_owned()));
    let mut call = |(count, call): (usize, Cow<'_, CallTrace>)| {
        let own = ops.by_ref().take(count).collect::<Option<_>>()?;
        Some(CallTrace { ops: own, ..call.into_owned() }).filter(|call| call.ops.len() == count)
    };
    let calls = calls.into_iter().map(&mut call).collect::<Option<_>>()?;
    ops.next().is_none().then(|| Trace { calls, diagnostics: diagnostics.into_owned() })
}

/// Applies the ops of a trace to a state; nothing if they do not fit.
pub(crate) fn apply_ops(bytes: &[u8], state: &mut Value) -> Option<()> {
    if bytes.is_empty() {
        return Some(());
    }
    let (ops, _) = postcard::take_from_bytes::<Vec<(u8, OpToApply<'_>)>>(bytes).ok()?;
    for (root, OpToApply { path, change }) in ops {
        let old = Value::Null;
        let change = match change {
            ChangeToApply::Set { new, .. } => Change::Set { old, new },
            ChangeToApply::Insert { new, at } => Change::Insert { new, at },
            ChangeToApply::Remove { at, .. } => Change::Remove { old, at },
        };
        (root == VARIABLES).then_some(())?;
        Op { path, change }.apply(state).ok()?;
    }
    Some(())
}

/// Does the same, and fails too if a value before a change is not the one that the op names.
pub(crate) fn apply_exactly(bytes: &[u8], state: &mut Value) -> Option<()> {
    for op in read(bytes)?.ops() {
        if let Change::Set { old, .. } | Change::Remove { old, .. } = &op.change {
            (state.at(&op.path) == Some(old)).then_some(())?;
        }
        op.apply(state).ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use storeyline_history::Verdict;

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
        let mut other = storeyline_state::json::read(r#"{"角色":{"阿丽娅":{"hp":7}},"包":[1,2],"旧":{}}"#).unwrap();
        assert!(apply_ops(&bytes, &mut other.clone()).is_some(), "it leads to the same state");
        assert!(apply_exactly(&bytes, &mut other).is_none(), "but not from this one");
        for length in 1..bytes.len() {
            assert_ne!(read(&bytes[..length]), Some(trace()), "cut at {length}");
        }
    }
}
