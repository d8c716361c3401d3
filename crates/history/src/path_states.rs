//! The states along a path: only what the memo cannot answer is evaluated.

use storeyline_functions::{Incomplete, Scripts};
use storeyline_state::{NodeId, StateHash, Value, ValueHash};

use crate::body::Body;
use crate::evaluate::{Page, Place, evaluate};
use crate::node::{Node, NodeTable, path_below};
use crate::rules::Rules;
use crate::trace::Trace;
use crate::turn::Turn;

/// Names exactly the arguments of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoKey([u8; 32]);

impl MemoKey {
    /// Makes the key of a page under a state.
    pub fn new(parent: StateHash, body: ValueHash) -> Self {
        MemoKey(*Self::hasher(parent, body).finalize().as_bytes())
    }

    /// Makes the key of a page under a state, where the result may depend on where it stands.
    pub fn placed(parent: StateHash, body: ValueHash, place: Place) -> Self {
        let mut hasher = Self::hasher(parent, body);
        hasher.update(&place.round.to_le_bytes());
        if let Some(page) = place.page {
            hasher.update(page.as_bytes());
        }
        MemoKey(*hasher.finalize().as_bytes())
    }

    fn hasher(parent: StateHash, body: ValueHash) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"storeyline memo").update(parent.as_bytes()).update(body.as_bytes());
        hasher
    }

    /// Returns the bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Where turns, bodies, states and memos are kept.
pub trait StateTable: NodeTable {
    /// Returns a turn.
    fn turn(&self, hash: ValueHash) -> Result<Turn, Self::Error>;
    /// Returns a body with its text and rules.
    fn body(&self, hash: ValueHash) -> Result<(Body, String, Rules), Self::Error>;
    /// Returns the state that was written for a node.
    fn state_of(&self, node: NodeId) -> Result<Option<StateHash>, Self::Error>;
    /// Writes the state of a node, once.
    fn set_state_of(&mut self, node: NodeId, state: StateHash) -> Result<(), Self::Error>;
    /// Returns the answer to an evaluation that was done before.
    fn memo(&self, key: MemoKey) -> Result<Option<StateHash>, Self::Error>;
    /// Remembers an evaluation.
    fn put_memo(&mut self, key: MemoKey, state: StateHash, trace: &Trace) -> Result<(), Self::Error>;
    /// Returns a state.
    fn state(&self, hash: StateHash) -> Result<Value, Self::Error>;
    /// Keeps a state that follows from another one.
    fn put_state(&mut self, state: &Value, base: StateHash, trace: &Trace) -> Result<(), Self::Error>;
}

/// What a walk along a path did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// Nodes that had no state before, top first.
    pub filled: Vec<NodeId>,
    /// Those of them that were really evaluated; the others came from the memo.
    pub evaluated: Vec<NodeId>,
}

/// Makes sure that every node on the way to `head` has its state.
pub fn fill_states<T: StateTable<Error: From<Incomplete>>>(
    table: &mut T,
    head: NodeId,
    scripts: &mut dyn Scripts,
) -> Result<Walked, T::Error> {
    let mut walked = Walked::default();
    let missing = nodes_without_state(table, head)?;
    for node in missing {
        let parent = table.state_of(node.parent)?.expect("the root and every node above have one");
        let turn = table.turn(node.turn.expect("only the root has no turn"))?;
        let active = turn.active_page();
        let place = Place { round: node.depth as i64 - 1, page: Some(active.page) };
        let (state, fresh) = state_of_page(table, parent, active.body, place, scripts)?;
        table.set_state_of(node.id, state)?;
        walked.filled.push(node.id);
        if fresh {
            walked.evaluated.push(node.id);
        }
    }
    Ok(walked)
}

/// Returns the state of a page under a parent's state, and whether it had to be evaluated.
pub fn state_of_page<T: StateTable<Error: From<Incomplete>>>(
    table: &mut T,
    parent: StateHash,
    body: ValueHash,
    place: Place,
    scripts: &mut dyn Scripts,
) -> Result<(StateHash, bool), T::Error> {
    // Most rules do not care where a page stands, and only loading them would tell.
    if let Some(state) = table.memo(MemoKey::new(parent, body))? {
        return Ok((state, false));
    }
    let (inputs, text, rules) = table.body(body)?;
    let key = match rules.use_place() {
        true => MemoKey::placed(parent, body, place),
        false => MemoKey::new(parent, body),
    };
    if let Some(state) = table.memo(key)? {
        return Ok((state, false));
    }
    let before = table.state(parent)?;
    let page = Page { body: &inputs, text: &text, rules: &rules, place };
    let evaluation = evaluate(&before, &page, scripts)?;
    let hash = evaluation.state.hash();
    if hash != parent {
        table.put_state(&evaluation.state, parent, &evaluation.trace)?;
    }
    table.put_memo(key, hash, &evaluation.trace)?;
    Ok((hash, true))
}

/// States are filled from the top, so the first one that is found ends the search.
fn nodes_without_state<T: StateTable>(table: &T, head: NodeId) -> Result<Vec<Node>, T::Error> {
    let mut node = table.node(head)?;
    let mut depth = node.depth;
    while table.state_of(node.id)?.is_none() {
        node = table.node(node.parent)?;
        depth = node.depth;
    }
    path_below(table, head, depth)
}
