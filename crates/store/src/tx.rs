//! One transaction of one owner.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use storeyline_history::PageKey;

use crate::error::StoreError;
use crate::fresh::{Batch, Numbers};
use crate::memos::Memos;
use crate::recent::Recent;
use crate::refs::Ref;
use crate::runs::Runs;
use crate::search::Indexing;
use crate::sql::{Next, Param, Row, Sql};
use crate::states::LastState;
use crate::store::Owner;

/// A transaction; the tables are in the other files of this crate.
pub struct Tx<'a> {
    pub(crate) sql: &'a dyn Sql,
    pub(crate) owner: i64,
    pub(crate) recent: &'a Recent,
    /// Whether texts are indexed for searching.
    pub(crate) search: Indexing,
    /// The last transaction that added rows to a tree, and the last one whose rows are in their tables.
    pub(crate) written: i64,
    pub(crate) spread: i64,
    /// What lies in `fresh`, the oldest first.
    pub(crate) fresh: RefCell<Vec<Arc<Batch>>>,
    /// What this transaction added and did not write yet.
    pub(crate) pending: RefCell<Batch>,
    pub(crate) numbers: Cell<Option<Numbers>>,
    /// How often stories and refs were written, as long as what is remembered of them counts here.
    pub(crate) named: Cell<Option<i64>>,
    pub(crate) has_written_named: Cell<bool>,
    /// Refs that were read here, as they are now.
    pub(crate) refs: RefCell<Vec<Ref>>,
    /// A page whose id was made here, as long as it stands in no turn, and as long as it was not evaluated.
    pub(crate) unplaced: Cell<Option<PageKey>>,
    pub(crate) unevaluated: Cell<Option<PageKey>>,
    pub(crate) last_state: RefCell<Option<LastState>>,
    pub(crate) memos: RefCell<Memos>,
    /// Whether rows were spread into their tables here.
    pub(crate) has_spread: Cell<bool>,
    pub(crate) runs: Runs,
}

impl<'a> Tx<'a> {
    /// Begins to speak for an owner; one who is not known yet has nothing.
    pub(crate) fn begin(
        sql: &'a dyn Sql,
        owner: &Owner,
        recent: &'a Recent,
        writing: bool,
    ) -> Result<Self, StoreError> {
        let mut tx = Tx {
            sql,
            owner: -1,
            recent,
            search: Indexing::Off,
            written: 0,
            spread: 0,
            fresh: RefCell::default(),
            pending: RefCell::default(),
            numbers: Cell::default(),
            named: Cell::default(),
            has_written_named: Cell::default(),
            refs: RefCell::default(),
            unplaced: Cell::default(),
            unevaluated: Cell::default(),
            last_state: RefCell::default(),
            memos: RefCell::default(),
            has_spread: Cell::default(),
            runs: Runs::default(),
        };
        let generation = tx.look_up_generation()?;
        recent.see_generation(generation);
        tx.find_fresh()?;
        if let Some(known) = recent.owner(owner) {
            tx.owner = known;
            return Ok(tx);
        }
        let name = owner.as_bytes();
        let known = tx.one("SELECT id FROM owner WHERE name = $1", &[Param::Bytes(name)], |row| row.int(0))?;
        tx.owner = match known {
            Some(known) => {
                recent.remember_owner(owner, known);
                known
            }
            None if writing => sql.insert("INSERT INTO owner (name) VALUES ($1)", &[Param::Bytes(name)])?,
            None => -1,
        };
        Ok(tx)
    }

    pub(crate) fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError> {
        self.sql.run(sql, params)
    }

    pub(crate) fn insert(&self, sql: &str, params: &[Param<'_>]) -> Result<i64, StoreError> {
        self.sql.insert(sql, params)
    }

    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnOnce(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut read = Some(read);
        let mut found = None;
        self.sql.visit(sql, params, &mut |row| {
            if let Some(read) = read.take() {
                found = Some(read(row)?);
            }
            Ok(Next::Stop)
        })?;
        Ok(found)
    }

    pub(crate) fn many<T>(
        &self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.sql.visit(sql, params, &mut |row| {
            found.push(read(row)?);
            Ok(Next::Row)
        })?;
        Ok(found)
    }
}
