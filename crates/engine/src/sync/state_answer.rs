//! The state for a client that may have another one: nothing, a few ops, or the whole.

use storeyline_history::NodeTable;
use storeyline_history::path_states::StateTable;
use storeyline_state::{Change, NodeId, Op, StateHash, Step, Value, diff};
use storeyline_store::Tx;

use super::{StateAnswer, StateContent};
use crate::error::EngineError;

/// The state at a node and the one before it, for a client that may have one of them.
pub(super) fn states_at(
    tx: &Tx<'_>,
    node: NodeId,
    have: Option<StateHash>,
) -> Result<(StateAnswer, StateAnswer), EngineError> {
    let hash = tx.state_of(node)?.expect("it was filled");
    let parent = tx.state_of(tx.node(node)?.parent)?.expect("states are filled from the top");
    let known = Some(parent) == have || parent == hash;
    let content = if known { None } else { Some(StateContent::Whole(tx.state(parent)?)) };
    Ok((state_answer(tx, hash, have)?, StateAnswer { hash: parent, content }))
}

/// The way from the client's state if it is known and short, else the whole.
fn state_answer(tx: &Tx<'_>, hash: StateHash, have: Option<StateHash>) -> Result<StateAnswer, EngineError> {
    if have == Some(hash) {
        return Ok(StateAnswer { hash, content: None });
    }
    let state = tx.state(hash)?;
    if let Some(have) = have.filter(|have| tx.has_state(*have).unwrap_or(false)) {
        let from = tx.state(have)?;
        let ops = diff::diff(&from, &state);
        if ops.len() <= MAX_OPS && by_key(from, &ops).as_ref() == Some(&state) {
            return Ok(StateAnswer { hash, content: Some(StateContent::Ops(ops)) });
        }
    }
    Ok(StateAnswer { hash, content: Some(StateContent::Whole(state)) })
}

/// More ops than these are not worth it.
const MAX_OPS: usize = 64;

/// Applies ops as a client does, who knows keys but not places among siblings: nothing if an op
/// cannot be said that way.
fn by_key(mut state: Value, ops: &[Op]) -> Option<Value> {
    for op in ops {
        let mut op = op.clone();
        if let (Change::Insert { at, .. }, Some(Step::Key(key))) = (&mut op.change, op.path.last()) {
            let parent = get(&state, &op.path[..op.path.len() - 1])?.as_object()?;
            *at = parent.place_of_new(key);
        }
        if let (Change::Insert { .. }, Some(Step::Index(index))) = (&op.change, op.path.last()) {
            let parent = get(&state, &op.path[..op.path.len() - 1])?.as_list()?;
            (parent.len() == *index).then_some(())?;
        }
        (!op.path.is_empty()).then_some(())?;
        op.apply(&mut state).ok()?;
    }
    Some(state)
}

fn get<'a>(state: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(state, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}
