//! The states in a sync answer: nothing if the client has the state, a few ops from one that it has, or
//! the whole state.

use storeyline_history::path_states::StateTable;
use storeyline_history::{NodeKey, NodeTable, StateKey};
use storeyline_state::{Change, Op, StateHash, Step, Value, diff};
use storeyline_store::View;
use storeyline_wire::sync::{SyncState, SyncStateOp};

use crate::branch::state_above;
use crate::error::Result;
use crate::view::filled;

/// Returns the state at a node and the state before it, for a client that has the state `have`.
pub(super) fn states_at(
    tx: &View<'_>,
    node: NodeKey,
    base: Option<NodeKey>,
    have: Option<StateHash>,
) -> Result<(SyncState, SyncState)> {
    let node = tx.node(node)?;
    let (state, parent) = (filled(&node)?, state_above(tx, &node)?);
    let (hash, parent_hash) = (tx.state_hash(state)?, tx.state_hash(parent)?);
    let known = Some(parent_hash) == have || parent_hash == hash;
    let above = match known {
        true => unsent(parent_hash),
        false => SyncState { value: Some(tx.state(parent)?.into()), ..unsent(parent_hash) },
    };
    let from = base.map(|base| tx.node(base)).transpose()?.and_then(|base| base.state);
    let mine = [from, Some(parent)].into_iter().flatten();
    let from = have.and_then(|have| mine.into_iter().find(|key| tx.state_hash(*key).is_ok_and(|hash| hash == have)));
    let own = if have == Some(hash) { unsent(hash) } else { state_from(tx, state, hash, from)? };
    Ok((own, above))
}

/// A state that the client has.
fn unsent(hash: StateHash) -> SyncState {
    SyncState { hash, value: None, ops: None }
}

/// Ops from a state that the client has, if they are few, else the whole state.
fn state_from(tx: &View<'_>, state: StateKey, hash: StateHash, from: Option<StateKey>) -> Result<SyncState> {
    let state = tx.state(state)?;
    if let Some(from) = from {
        let from = tx.state(from)?;
        let ops = diff::diff(&from, &state);
        if ops.len() <= MAX_OPS && apply_by_key(from, &ops).as_ref() == Some(&state) {
            let ops = ops.iter().map(SyncStateOp::from).collect();
            return Ok(SyncState { ops: Some(ops), ..unsent(hash) });
        }
    }
    Ok(SyncState { value: Some(state.into()), ..unsent(hash) })
}

/// With more ops the whole state is sent.
const MAX_OPS: usize = 64;

/// Applies ops as a client does, which knows keys but not positions among siblings; `None` if an op
/// cannot be expressed that way.
fn apply_by_key(mut state: Value, ops: &[Op]) -> Option<Value> {
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
