//! The state for a client that may have another one: nothing, a few ops, or the whole.

use storeyline_history::path_states::StateTable;
use storeyline_history::{NodeKey, NodeTable, StateKey};
use storeyline_state::{Change, Op, StateHash, Step, Value, diff};
use storeyline_store::View;

use super::{StateAnswer, StateContent};
use crate::branch::state_above;
use crate::error::EngineError;

/// The state at a node and the one before it, for a client that may have one of them.
pub(super) fn states_at(
    tx: &View<'_>,
    node: NodeKey,
    base: Option<NodeKey>,
    have: Option<StateHash>,
) -> Result<(StateAnswer, StateAnswer), EngineError> {
    let node = tx.node(node)?;
    let (state, parent) = (filled(node.state), state_above(tx, &node)?);
    let (hash, parent_hash) = (tx.state_hash(state)?, tx.state_hash(parent)?);
    let known = Some(parent_hash) == have || parent_hash == hash;
    let content = if known { None } else { Some(StateContent::Whole(tx.state(parent)?)) };
    let from = match base {
        Some(base) => tx.node(base)?.state,
        None => None,
    };
    let mine = [from, Some(parent)].into_iter().flatten();
    let from = have.and_then(|have| mine.into_iter().find(|key| tx.state_hash(*key).is_ok_and(|hash| hash == have)));
    let whole = if have == Some(hash) { None } else { Some(way(tx, state, from)?) };
    Ok((StateAnswer { hash, content: whole }, StateAnswer { hash: parent_hash, content }))
}

fn filled(state: Option<StateKey>) -> StateKey {
    state.expect("states are filled from the top")
}

/// The way from a state that the client has if it is short, else the whole.
fn way(tx: &View<'_>, state: StateKey, from: Option<StateKey>) -> Result<StateContent, EngineError> {
    let state = tx.state(state)?;
    if let Some(from) = from {
        let from = tx.state(from)?;
        let ops = diff::diff(&from, &state);
        if ops.len() <= MAX_OPS && by_key(from, &ops).as_ref() == Some(&state) {
            return Ok(StateContent::Ops(ops));
        }
    }
    Ok(StateContent::Whole(state))
}

/// More ops than these are not worth it.
const MAX_OPS: usize = 64;

/// Applies ops as a client does, who knows keys but not places among siblings: nothing if an op
/// cannot be said that way.
fn by_key(mut state: Value, ops: &[Op]) -> Option<Value> {
    for op in ops {
        let mut op = op.clone();
        if let (Change::Insert { at, .. }, Some(Step::Key(key))) = (&mut op.change, op.path.last()) {
            let parent = state.at(&op.path[..op.path.len() - 1])?.as_object()?;
            *at = parent.position_of_new(key);
        }
        if let (Change::Insert { .. }, Some(Step::Index(index))) = (&op.change, op.path.last()) {
            let parent = state.at(&op.path[..op.path.len() - 1])?.as_list()?;
            (parent.len() == *index).then_some(())?;
        }
        (!op.path.is_empty()).then_some(())?;
        op.apply(&mut state).ok()?;
    }
    Some(state)
}
