//! The states along a path: only what the memo cannot answer is evaluated.

use std::sync::Arc;

use storeyline_state::diff::diff;
use storeyline_state::{Diagnostic, StateHash, Value, ValueHash};

use crate::body::Body;
use crate::evaluate::{Evaluation, Page, PagePosition, counts};
use crate::keys::{NodeKey, PageKey, StateKey, TurnKey};
use crate::node::{Node, NodeTable, NodeWriter};
use crate::rules::Rules;
use crate::trace::{CallTrace, Trace, Verdict};
use crate::turn::TurnPage;

/// Names exactly the arguments of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoKey([u8; 32]);

impl MemoKey {
    /// Makes the key of a page under a state.
    pub fn new(parent: StateHash, body: ValueHash) -> Self {
        MemoKey(*Self::hasher(parent, body).finalize().as_bytes())
    }

    /// Makes the key of a page under a state, where the result may depend on where it stands.
    pub fn placed(parent: StateHash, body: ValueHash, position: PagePosition) -> Self {
        let mut hasher = Self::hasher(parent, body);
        hasher.update(&position.round.to_le_bytes());
        if let Some(page) = position.page {
            hasher.update(page.as_bytes());
        }
        MemoKey(*hasher.finalize().as_bytes())
    }

    /// Makes the key of the first state of rules.
    pub fn first_state(rules: ValueHash) -> Self {
        let mut hasher = blake3::Hasher::new();
        MemoKey(*hasher.update(b"storeyline first state").update(rules.as_bytes()).finalize().as_bytes())
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

/// What a page is evaluated with, as it is stored.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// All inputs but the text.
    pub body: Body,
    /// The rules that the body names.
    pub rules: Arc<Rules>,
}

/// Looks up pages, states and memos.
pub trait StateTable: NodeTable {
    fn inputs(&self, page: PageKey) -> Result<Inputs, Self::Error>;
    fn page_text(&self, page: PageKey) -> Result<String, Self::Error>;
    /// Returns the state that an earlier evaluation with the same arguments led to.
    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, Self::Error>;
    fn state_hash(&self, key: StateKey) -> Result<StateHash, Self::Error>;
    fn state(&self, key: StateKey) -> Result<Value, Self::Error>;
    /// Returns the state that a page keeps under the edit policy `manual`.
    fn kept_state(&self, page: PageKey) -> Result<Value, Self::Error>;
    /// Loads pages together that are about to be asked for one by one.
    fn read_ahead(&self, pages: &[PageKey]) -> Result<(), Self::Error> {
        let _ = pages;
        Ok(())
    }
}

/// Evaluates pages and adds the results.
pub trait StateWriter: StateTable + NodeWriter {
    /// Evaluates a page. May take long: an implementation holds no transaction meanwhile.
    fn evaluate(&mut self, key: MemoKey, before: &Value, page: &Page<'_>) -> Result<Evaluation, Self::Error>;
    fn put_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, Self::Error>;
    fn put_evaluation(&mut self, key: MemoKey, base: StateKey, evaluation: Evaluation)
    -> Result<StateKey, Self::Error>;
    /// Writes the state of a node, once.
    fn set_state_of(&mut self, node: NodeKey, state: StateKey) -> Result<(), Self::Error>;
}

/// What a walk along a path did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// Nodes that had no state before, top first.
    pub filled: Vec<NodeKey>,
    /// Those of them that were really evaluated; the others came from the memo.
    pub evaluated: Vec<NodeKey>,
}

/// How many pages are loaded together.
const AHEAD: usize = 256;

/// Makes sure that every node on the way to `head` has its state.
pub fn fill_states<T: StateWriter>(table: &mut T, head: NodeKey) -> Result<Walked, T::Error> {
    let mut walked = Walked::default();
    let (mut above, missing) = nodes_without_state(table, head)?;
    for nodes in missing.chunks(AHEAD) {
        let keys: Vec<TurnKey> = nodes.iter().map(|node| node.turn.expect("only the root has no turn")).collect();
        let turns = table.turns(&keys)?;
        let pages: Vec<PageKey> = turns.iter().map(|turn| turn.active_page().at).collect();
        table.read_ahead(&pages)?;
        for (node, turn) in nodes.iter().zip(&turns) {
            let page = turn.active_page();
            let under = above.map_or_else(|| first_state(table, page), Ok)?;
            let (next, evaluated) = state_of_page(table, under, page, node.depth - 1)?;
            table.set_state_of(node.key, next)?;
            walked.filled.push(node.key);
            if evaluated {
                walked.evaluated.push(node.key);
            }
            above = Some(next);
        }
    }
    Ok(walked)
}

/// Returns the state that a page stands under: that of the node before it, on floor 0 the first state
/// of the page's rules.
pub fn state_above<T: StateWriter>(table: &mut T, parent: &Node, page: &TurnPage) -> Result<StateKey, T::Error> {
    parent.state.map_or_else(|| first_state(table, page), Ok)
}

/// Returns what [`state_above`] returns, where that is stored: always for a page that has its state.
pub fn stored_state_above<T: StateTable>(
    table: &T,
    parent: &Node,
    page: &TurnPage,
) -> Result<Option<StateKey>, T::Error> {
    match parent.state {
        Some(state) => Ok(Some(state)),
        None => table.memo(MemoKey::first_state(table.inputs(page.at)?.body.rules)),
    }
}

/// Returns the first state of a page's rules; it is kept once for all pages under these rules.
pub fn first_state<T: StateWriter>(table: &mut T, page: &TurnPage) -> Result<StateKey, T::Error> {
    let Inputs { body, rules } = table.inputs(page.at)?;
    let key = MemoKey::first_state(body.rules);
    match table.memo(key)? {
        Some(known) => Ok(known),
        None => table.put_first_state(key, &rules.first_state),
    }
}

/// Returns the state of a page under a parent's state, and whether it had to be evaluated.
///
/// A page that cannot change the state has its parent's.
pub fn state_of_page<T: StateWriter>(
    table: &mut T,
    parent: StateKey,
    page: &TurnPage,
    floor: usize,
) -> Result<(StateKey, bool), T::Error> {
    let Inputs { body, rules } = table.inputs(page.at)?;
    if !counts(&body, &rules) {
        return Ok((parent, false));
    }
    let position = PagePosition { round: floor as i64, page: Some(page.page) };
    let under = table.state_hash(parent)?;
    let key = match rules.use_position() {
        true => MemoKey::placed(under, page.body, position),
        false => MemoKey::new(under, page.body),
    };
    if let Some(state) = table.memo(key)? {
        return Ok((state, false));
    }
    let before = table.state(parent)?;
    let evaluation = match body.kept {
        Some(_) => keep(&before, table.kept_state(page.at)?),
        None => {
            let text = table.page_text(page.at)?;
            table.evaluate(key, &before, &Page { body: &body, text: &text, rules: &rules, position })?
        }
    };
    Ok((table.put_evaluation(key, parent, evaluation)?, true))
}

/// How a page that keeps its state is called in a trace.
pub const KEPT: &str = "kept";

/// A page that keeps its state whatever is above it.
pub fn keep(before: &Value, state: Value) -> Evaluation {
    let stale = Diagnostic::info(
        "I-STALE",
        0..0,
        "这一层保留了修改前的状态；“重新处理变量”会重新计算。",
        "This floor keeps the state from before the change; re-process computes it again.",
    );
    let call = CallTrace {
        name: KEPT.into(),
        span: 0..0,
        verdict: Verdict::Done,
        reason: None,
        ops: diff(before, &state).into(),
        diagnostics: vec![stale],
    };
    Evaluation { state, trace: Trace { calls: vec![call], diagnostics: Vec::new() } }
}

/// The nodes that have no state yet, and the state above them; nothing if the first of them is on floor 0.
/// States are filled from the top, so the search ends at the first node that has one.
fn nodes_without_state<T: StateTable>(table: &T, head: NodeKey) -> Result<(Option<StateKey>, Vec<Node>), T::Error> {
    let mut missing = Vec::new();
    let mut node = table.node(head)?;
    while node.state.is_none() && node.depth > 0 {
        // Asked for by its depth: a table refuses a parent that is not one higher.
        let parent = table.ancestor_at(node.clone(), node.depth - 1)?;
        missing.push(node);
        node = parent;
    }
    missing.reverse();
    Ok((node.state, missing))
}
