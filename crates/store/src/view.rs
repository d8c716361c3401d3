//! A view: reads the rows of one owner, and cannot write.
//!
//! The read transaction begins with the first query and may be ended in between (before an evaluation that
//! takes long); rows that never change look the same in the next one. A draft is a view with rows of its
//! own on top.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use storeyline_history::node::{Node, NodeTable};
use storeyline_history::path_states::{Inputs, MemoKey, StateTable};
use storeyline_history::{NodeKey, PageKey, StateKey, Turn, TurnKey, ValueKey};
use storeyline_state::{NodeId, StateHash, Value, ValueHash};

use crate::cache::{Cache, Cached, CachedNames};
use crate::draft::{Check, DraftRows};
use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey};
use crate::sql::Sql;
use crate::sqlite::Transaction;
use crate::store::{Owner, Store};
use crate::tables::owners;
use crate::tables::stories::Story;

pub struct View<'a> {
    pub(crate) store: &'a Store,
    pub(crate) owner_name: &'a Owner,
    transaction: OnceCell<Transaction<'a>>,
    owner: OnceCell<OwnerKey>,
    /// Rows that are not committed; empty unless this is the view of a draft.
    pub(crate) rows: DraftRows,
    /// Versions of rows that were read and may change.
    checks: RefCell<Vec<Check>>,
    /// Values and stories that were read here, to read them once.
    pub(crate) seen: Seen,
    /// A cache of its own, so that every row is read from the file once.
    own_cache: Option<Cache>,
    /// Texts that were loaded together.
    pub(crate) ahead: RefCell<HashMap<TextKey, String>>,
}

/// What a view has read. Whether a story has changed meanwhile is checked at the commit.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) values: RefCell<HashMap<ValueHash, ValueKey>>,
    pub(crate) names: RefCell<Vec<(CachedNames, ValueKey)>>,
    pub(crate) stories: RefCell<Vec<Story>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(store: &'a Store, owner: &'a Owner) -> View<'a> {
        View {
            store,
            owner_name: owner,
            transaction: OnceCell::new(),
            owner: OnceCell::new(),
            rows: DraftRows::default(),
            checks: RefCell::default(),
            seen: Seen::default(),
            own_cache: None,
            ahead: RefCell::default(),
        }
    }

    /// Makes a view that finds nothing in the cache of the store: what is cached may be right and the file damaged.
    pub(crate) fn past_cache(store: &'a Store, owner: &'a Owner) -> View<'a> {
        View { own_cache: Some(Cache::new()), ..View::new(store, owner) }
    }

    fn cache_in_use(&self) -> &Cache {
        self.own_cache.as_ref().unwrap_or(&self.store.cache)
    }

    /// Returns the read transaction; begins one if none is open.
    pub(crate) fn sql(&self) -> Result<&dyn Sql, StoreError> {
        if self.transaction.get().is_none() {
            let _ = self.transaction.set(self.store.database.begin_read()?);
        }
        Ok(self.transaction.get().expect("it was begun just now"))
    }

    /// Ends the read transaction, if one is open; the next query begins another.
    pub(crate) fn end_transaction(&mut self) {
        self.transaction = OnceCell::new();
    }

    /// Returns the key of the owner; nothing if it never wrote.
    pub(crate) fn known_owner(&self) -> Result<Option<OwnerKey>, StoreError> {
        if let Some(known) = self.owner.get() {
            return Ok(Some(*known));
        }
        let mut found = self.store.ids.owner(self.owner_name);
        if found.is_none() {
            found = owners::find(self.sql()?, self.owner_name)?.map(|row| row.key);
            found.into_iter().for_each(|key| self.store.ids.add_owner(self.owner_name, key));
        }
        Ok(found.map(|key| *self.owner.get_or_init(|| key)))
    }

    /// Returns the key of an owner of whom a stored row is asked for.
    pub(crate) fn owner(&self) -> Result<OwnerKey, StoreError> {
        self.known_owner()?.ok_or_else(|| StoreError::missing("owner", self.owner_name.name()))
    }

    pub(crate) fn cached<T: Cached>(&self, id: i64) -> Result<Option<T>, StoreError> {
        Ok(self.known_owner()?.and_then(|owner| self.cache_in_use().get(owner, id)))
    }

    pub(crate) fn cache<T: Cached>(&self, id: i64, held: T) -> Result<(), StoreError> {
        if let Some(owner) = self.known_owner()? {
            self.cache_in_use().put(owner, id, held);
        }
        Ok(())
    }

    /// Notes that the result depends on a row that may change.
    pub(crate) fn check(&self, check: Check) {
        let mut checks = self.checks.borrow_mut();
        if !checks.contains(&check) {
            checks.push(check);
        }
    }

    pub(crate) fn take_checks(&self) -> Vec<Check> {
        self.checks.take()
    }
}

impl NodeTable for View<'_> {
    type Error = StoreError;

    fn node(&self, key: NodeKey) -> Result<Node, StoreError> {
        Ok(self.stored_node(key)?.node)
    }

    fn find_node(&self, id: NodeId) -> Result<Option<Node>, StoreError> {
        self.find_stored_node(id)
    }

    fn ancestor_at(&self, from: Node, depth: usize) -> Result<Node, StoreError> {
        self.node_above(from, depth)
    }

    fn path_below(&self, to: NodeKey, from: usize) -> Result<Vec<Node>, StoreError> {
        self.nodes_below(to, from)
    }

    fn turn(&self, key: TurnKey) -> Result<Turn, StoreError> {
        Ok(self.stored_turn(key)?.as_ref().clone())
    }

    fn turns(&self, keys: &[TurnKey]) -> Result<Vec<Turn>, StoreError> {
        self.load_turns(keys)?;
        keys.iter().map(|key| self.turn(*key)).collect()
    }
}

impl StateTable for View<'_> {
    fn inputs(&self, page: PageKey) -> Result<Inputs, StoreError> {
        self.inputs_of_page(page)
    }

    fn page_text(&self, page: PageKey) -> Result<String, StoreError> {
        self.text_of_page(page)
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, StoreError> {
        self.find_memo(key)
    }

    fn state_hash(&self, key: StateKey) -> Result<StateHash, StoreError> {
        self.hash_of_state(key)
    }

    fn state(&self, key: StateKey) -> Result<Value, StoreError> {
        self.stored_state(key)
    }

    fn kept_state(&self, page: PageKey) -> Result<Value, StoreError> {
        self.state(self.kept(page)?.ok_or_else(|| StoreError::missing("kept state of page", page.0))?)
    }

    fn read_ahead(&self, pages: &[PageKey]) -> Result<(), StoreError> {
        self.load_texts(pages)
    }
}

/// Gaps of so many ids are read over: rows of another branch lie between.
const MAX_GAP: i64 = 8;

/// Joins ids that lie close together to ranges `(first, last)`.
pub(crate) fn ranges(ids: impl Iterator<Item = i64>) -> Vec<(i64, i64)> {
    let mut ids: Vec<i64> = ids.collect();
    ids.sort_unstable();
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if id - *last <= MAX_GAP => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    ranges
}
