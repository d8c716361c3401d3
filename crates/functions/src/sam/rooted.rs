//! Calls on the story's data: they see `static` as the whole state, and their ops are converted to
//! ops of the whole state.

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::value::edit;
use storeyline_state::{Change, Op, Step, Value};

use super::batch::Batch;
use crate::draft::{Draft, Refusal};
use crate::run::Outcome;

/// Returns the story's data, or refuses if a script removed it.
pub(super) fn data(state: &Value) -> Result<&Value, Refusal> {
    state.get("static").filter(|data| data.as_object().is_some()).ok_or_else(no_data)
}

/// Runs a change on the story's data.
pub(super) fn in_data(
    state: &Value,
    batch: &Batch,
    apply: impl FnOnce(&mut Draft<'_>) -> Result<(), Refusal>,
) -> Result<Outcome, Refusal> {
    let mut draft = Draft::for_sam(data(state)?.clone(), batch);
    apply(&mut draft)?;
    let (inner, ops) = draft.finish();
    lift(state, Outcome { state: inner, ops })
}

/// Runs a change on the whole state.
pub(super) fn in_state(
    state: &Value,
    batch: &Batch,
    apply: impl FnOnce(&mut Draft<'_>) -> Result<(), Refusal>,
) -> Result<Outcome, Refusal> {
    let mut draft = Draft::for_sam(state.clone(), batch);
    apply(&mut draft)?;
    let (state, ops) = draft.finish();
    Ok(Outcome { state, ops })
}

/// Converts a change of the story's data to a change of the state.
pub(super) fn lift(state: &Value, inner: Outcome) -> Result<Outcome, Refusal> {
    if inner.state.as_object().is_none() {
        return Err(no_data());
    }
    let mut whole = state.clone();
    let Value::Object(root) = &mut whole else { return Err(no_data()) };
    if inner.ops.is_empty() {
        return Ok(Outcome { state: whole, ops: inner.ops });
    }
    edit(root).insert("static".into(), inner.state);
    let ops = inner.ops.into_iter().map(lifted).collect::<Result<_, _>>()?;
    Ok(Outcome { state: whole, ops })
}

fn lifted(mut op: Op) -> Result<Op, Refusal> {
    op.path.insert(0, Step::Key("static".into()));
    let depth = match &op.change {
        Change::Set { new, .. } | Change::Insert { new, .. } => new.depth(),
        Change::Remove { .. } => 0,
    };
    if op.path.len() + depth > MAX_DEPTH {
        return Err(Refusal::new(
            "E-DEEP",
            "嵌套过深，没有写入。",
            "The value is nested too deeply; nothing was written.",
        ));
    }
    Ok(op)
}

fn no_data() -> Refusal {
    Refusal::new("E-SAM-STATIC", "static 不是对象，没有执行。", "`static` is not an object; nothing was done.")
}
