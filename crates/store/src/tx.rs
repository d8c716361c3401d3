//! One transaction of one owner.

use std::cell::RefCell;

use crate::error::StoreError;
use crate::recent::Recent;
use crate::runs::Runs;
use crate::search::Indexing;
use crate::sql::{Next, Param, Row, Sql};
use crate::store::Owner;
use crate::unwritten::Unwritten;

/// A transaction; the tables are in the other files of this crate.
pub struct Tx<'a> {
    pub(crate) sql: &'a dyn Sql,
    pub(crate) owner: i64,
    pub(crate) recent: &'a Recent,
    /// Whether texts are indexed for searching.
    pub(crate) search: Indexing,
    pub(crate) unwritten: RefCell<Unwritten>,
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
        let mut tx =
            Tx { sql, owner: -1, recent, search: Indexing::Off, unwritten: RefCell::default(), runs: Runs::default() };
        let row = tx.one("SELECT number, search FROM generation", &[], |row| Ok((row.int(0)?, row.int(1)?)))?;
        let (generation, search) = row.unwrap_or_default();
        recent.see_generation(generation);
        tx.search = Indexing::from_number(search);
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
