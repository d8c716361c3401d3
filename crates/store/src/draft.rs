//! A draft: rows that a change adds, in memory until they are committed.
//!
//! A change reads, evaluates and adds to a draft without a lock or a write transaction. What was read and may
//! change meanwhile is checked at the commit.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use storeyline_history::node::{NewNode, Node, NodeTable, NodeWriter};
use storeyline_history::path_states::{Inputs, MemoKey, StateTable, StateWriter};
use storeyline_history::{Evaluation, Incomplete, NodeKey, Page, PageKey, StateKey, Turn, TurnKey, ValueKey};
use storeyline_state::{ChatId, NodeId, PageId, StateHash, Value, ValueHash};

use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{RefKey, StoryKey, TextKey};
use crate::new_states::NewStates;
use crate::tables::assets::Asset;
use crate::tables::clients::RequestSeq;
use crate::tables::foreign_snapshots::ForeignSnapshot;
use crate::tables::nodes::StoredNode;
use crate::tables::operations::Operation;
use crate::tables::pages::PageRow;
use crate::tables::refs::Ref;
use crate::tables::stories::Story;
use crate::tables::values::NewValue;
use crate::view::View;

/// Evaluates pages for a draft. No transaction is open meanwhile.
pub trait Evaluator {
    fn evaluate(&mut self, key: MemoKey, before: &Value, page: &Page<'_>) -> Result<Evaluation, Incomplete>;
}

/// For tests that evaluate nothing.
#[cfg(test)]
pub(crate) struct Never;

#[cfg(test)]
impl Evaluator for Never {
    fn evaluate(&mut self, _: MemoKey, _: &Value, _: &Page<'_>) -> Result<Evaluation, Incomplete> {
        unreachable!("nothing is evaluated")
    }
}

pub struct Draft<'a> {
    pub(crate) view: View<'a>,
    evaluator: &'a mut dyn Evaluator,
    /// Whether it will not be written, and therefore reserves no ids.
    pub(crate) is_trial: bool,
}

/// The next id of a draft that will not be written. No stored row has one as large, and none is given twice, since
/// rows are cached by their ids.
static NEXT_TRIAL: AtomicI64 = AtomicI64::new(1 << 62);

/// Reading a draft reads its own rows first.
impl<'a> Deref for Draft<'a> {
    type Target = View<'a>;

    fn deref(&self) -> &View<'a> {
        &self.view
    }
}

/// A row that was read and may have changed by the time of the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Check {
    /// A story and its version.
    Story(StoryKey, i64),
    /// A ref, its version, and the chat it is bound to.
    Ref(RefKey, i64, Option<ChatId>),
    /// The last request number of a client.
    Seq { chat: ChatId, client: String, last: Option<i64> },
}

/// The rows of a draft. New ones stand in lists, by ascending ids.
#[derive(Default)]
pub(crate) struct DraftRows {
    pub(crate) values: Vec<NewValue>,
    pub(crate) value_keys: HashMap<ValueHash, ValueKey>,
    pub(crate) texts: Vec<(TextKey, String)>,
    pub(crate) pages: Vec<Arc<PageRow>>,
    pub(crate) page_keys: HashMap<PageId, Vec<PageKey>>,
    /// The newest turn of versions of pages, new and stored ones.
    pub(crate) page_turns: HashMap<PageKey, TurnKey>,
    pub(crate) turns: Vec<(TurnKey, Arc<Turn>)>,
    pub(crate) nodes: Vec<StoredNode>,
    pub(crate) node_keys: HashMap<NodeId, NodeKey>,
    /// States of stored nodes that had none.
    pub(crate) node_states: HashMap<NodeKey, StateKey>,
    pub(crate) states: NewStates,
    pub(crate) stories: HashMap<StoryKey, Story>,
    pub(crate) new_stories: Vec<StoryKey>,
    pub(crate) refs: HashMap<RefKey, Ref>,
    /// With the keys of their clients.
    pub(crate) operations: Vec<(Operation, Option<i64>)>,
    pub(crate) clients: HashMap<String, i64>,
    pub(crate) cursors: HashMap<(RefKey, PageId), NodeKey>,
    pub(crate) seq: Option<RequestSeq>,
    pub(crate) assets: Vec<Asset>,
    pub(crate) foreign_snapshots: Vec<ForeignSnapshot>,
}

fn find<T, K: Ord>(rows: &[T], key: K, key_of: impl Fn(&T) -> K) -> Option<&T> {
    rows.binary_search_by_key(&key, key_of).ok().map(|index| &rows[index])
}

impl DraftRows {
    /// Tells whether the row of a check is replaced, which compares its version too.
    pub(crate) fn replaces(&self, check: &Check) -> bool {
        match check {
            Check::Story(key, version) => self.stories.get(key).is_some_and(|saved| saved.version == version + 1),
            Check::Ref(key, version, _) => self.refs.get(key).is_some_and(|saved| saved.version == version + 1),
            Check::Seq { .. } => false,
        }
    }

    pub(crate) fn value(&self, key: ValueKey) -> Option<&NewValue> {
        find(&self.values, key, |own| own.key)
    }

    pub(crate) fn text(&self, key: TextKey) -> Option<&String> {
        find(&self.texts, key, |own| own.0).map(|own| &own.1)
    }

    pub(crate) fn page(&self, key: PageKey) -> Option<&Arc<PageRow>> {
        find(&self.pages, key, |own| own.page.at)
    }

    pub(crate) fn turn(&self, key: TurnKey) -> Option<&Arc<Turn>> {
        find(&self.turns, key, |own| own.0).map(|own| &own.1)
    }

    pub(crate) fn node(&self, key: NodeKey) -> Option<&StoredNode> {
        find(&self.nodes, key, |own| own.node.key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
            && self.texts.is_empty()
            && self.pages.is_empty()
            && self.page_turns.is_empty()
            && self.turns.is_empty()
            && self.nodes.is_empty()
            && self.node_states.is_empty()
            && self.states.is_empty()
            && self.stories.is_empty()
            && self.refs.is_empty()
            && self.operations.is_empty()
            && self.cursors.is_empty()
            && self.seq.is_none()
            && self.assets.is_empty()
            && self.foreign_snapshots.is_empty()
    }

    /// Takes back what moves refs and stories: what is left has no effect until something points to it.
    pub(crate) fn keep_content_only(&mut self) {
        self.page_turns.clear();
        self.stories.clear();
        self.refs.clear();
        self.operations.clear();
        self.clients.clear();
        self.cursors.clear();
        self.seq = None;
        self.assets.clear();
        self.foreign_snapshots.clear();
    }
}

impl<'a> Draft<'a> {
    pub(crate) fn new(view: View<'a>, evaluator: &'a mut dyn Evaluator) -> Draft<'a> {
        Draft { view, evaluator, is_trial: false }
    }

    pub(crate) fn new_trial(view: View<'a>, evaluator: &'a mut dyn Evaluator) -> Draft<'a> {
        Draft { view, evaluator, is_trial: true }
    }

    /// Returns the id of a new row.
    pub(crate) fn new_id(&mut self, kind: IdKind) -> Result<i64, StoreError> {
        if self.is_trial {
            return Ok(NEXT_TRIAL.fetch_add(1, Ordering::Relaxed));
        }
        let (store, owner) = (self.view.store, self.view.owner_name);
        loop {
            if let Some(id) = store.ids.take(owner, kind) {
                return Ok(id);
            }
            self.view.end_transaction();
            store.reserve_ids(owner, kind)?;
        }
    }

    /// Tells whether anything would be written.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl NodeTable for Draft<'_> {
    type Error = StoreError;

    fn node(&self, key: NodeKey) -> Result<Node, StoreError> {
        self.view.node(key)
    }

    fn find_node(&self, id: NodeId) -> Result<Option<Node>, StoreError> {
        self.view.find_node(id)
    }

    fn ancestor_at(&self, from: Node, depth: usize) -> Result<Node, StoreError> {
        self.view.ancestor_at(from, depth)
    }

    fn path_below(&self, to: NodeKey, from: usize) -> Result<Vec<Node>, StoreError> {
        self.view.path_below(to, from)
    }

    fn turn(&self, key: TurnKey) -> Result<Turn, StoreError> {
        self.view.turn(key)
    }

    fn turns(&self, keys: &[TurnKey]) -> Result<Vec<Turn>, StoreError> {
        self.view.turns(keys)
    }
}

impl NodeWriter for Draft<'_> {
    fn insert_node(&mut self, node: &NewNode) -> Result<NodeKey, StoreError> {
        self.add_node(node)
    }

    fn put_turn(&mut self, turn: &Turn) -> Result<TurnKey, StoreError> {
        self.add_turn(turn)
    }
}

impl StateTable for Draft<'_> {
    fn inputs(&self, page: PageKey) -> Result<Inputs, StoreError> {
        self.view.inputs(page)
    }

    fn page_text(&self, page: PageKey) -> Result<String, StoreError> {
        self.view.page_text(page)
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        self.view.memo(key)
    }

    fn state_hash(&self, key: StateKey) -> Result<StateHash, StoreError> {
        self.view.state_hash(key)
    }

    fn state(&self, key: StateKey) -> Result<Value, StoreError> {
        self.view.state(key)
    }

    fn kept_state(&self, page: PageKey) -> Result<Value, StoreError> {
        self.view.kept_state(page)
    }

    fn read_ahead(&self, pages: &[PageKey]) -> Result<(), StoreError> {
        self.view.read_ahead(pages)
    }
}

impl StateWriter for Draft<'_> {
    fn evaluate(&mut self, key: MemoKey, before: &Value, page: &Page<'_>) -> Result<Evaluation, StoreError> {
        if page.rules.may_run_scripts() {
            self.view.end_transaction();
        }
        Ok(self.evaluator.evaluate(key, before, page)?)
    }

    fn put_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, StoreError> {
        self.add_first_state(key, state)
    }

    fn put_evaluation(&mut self, key: MemoKey, base: StateKey, evaluation: Evaluation) -> Result<StateKey, StoreError> {
        self.add_evaluation(key, base, evaluation)
    }

    fn set_state_of(&mut self, node: NodeKey, state: StateKey) -> Result<(), StoreError> {
        self.set_node_state(node, state);
        Ok(())
    }
}
