//! Where reading went on below a page, and which functions were given up there.

use storeyline_history::NodeKey;
use storeyline_state::PageId;

use crate::draft::Draft;
use crate::error::StoreError;
use crate::keys::{OwnerKey, RefKey};
use crate::sql::{Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static CURSORS: Table = Table::new("cursor", &["owner", "ref", "page", "node"], &["owner", "ref", "page"]);

pub(crate) static GIVEN_UP: Table =
    Table::new("given_up", &["owner", "page", "function"], &["owner", "page", "function"]);

pub(crate) fn put(sql: &dyn Sql, owner: OwnerKey, of: RefKey, page: PageId, node: NodeKey) -> Result<(), StoreError> {
    CURSORS.put(sql, params![owner, of, page.as_bytes(), node])
}

/// Notes that a function is given up on a page; twice is once.
pub(crate) fn give_up(sql: &dyn Sql, owner: OwnerKey, page: PageId, function: &str) -> Result<(), StoreError> {
    GIVEN_UP.put(sql, params![owner, page.as_bytes(), function])
}

impl View<'_> {
    /// Returns the leaf that was last read below a page.
    pub fn cursor(&self, of: RefKey, page: PageId) -> Result<Option<NodeKey>, StoreError> {
        if let Some(own) = self.rows.cursors.get(&(of, page)) {
            return Ok(Some(*own));
        }
        let rest = "owner = $1 AND ref = $2 AND page = $3";
        let keys = params![self.owner()?, of, page.as_bytes()];
        Ok(CURSORS.one(self.sql()?, rest, keys, |row| row.int(3))?.map(NodeKey))
    }

    /// Returns the leaves that were last read below the pages of a ref, by page.
    pub fn cursors(&self, of: RefKey) -> Result<Vec<(PageId, NodeKey)>, StoreError> {
        let rest = "owner = $1 AND ref = $2 ORDER BY page";
        CURSORS.many(self.sql()?, rest, params![self.owner()?, of], |row| {
            let page = PageId::from_slice(row.bytes(2)?).map_err(|_| StoreError::damaged("cursor", of.0))?;
            Ok((page, NodeKey(row.int(3)?)))
        })
    }

    /// Returns the functions that were given up on a page.
    pub fn given_up(&self, page: PageId) -> Result<Vec<String>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let rest = "owner = $1 AND page = $2 ORDER BY function";
        GIVEN_UP.many(self.sql()?, rest, params![owner, page.as_bytes()], |row| row.text(2))
    }
}

impl Draft<'_> {
    /// Notes the leaf that was last read below a page.
    pub fn put_cursor(&mut self, of: RefKey, page: PageId, node: NodeKey) {
        self.view.rows.cursors.insert((of, page), node);
    }
}
