//! Small things that are remembered about pages: where reading went on, what got stuck.

use storeyline_history::NodeKey;
use storeyline_state::PageId;

use crate::error::StoreError;
use crate::sql::params;
use crate::tx::Tx;

impl Tx<'_> {
    /// Returns the leaf that was last read below a page.
    pub fn cursor(&self, of: i64, page: PageId) -> Result<Option<NodeKey>, StoreError> {
        let sql = "SELECT node FROM cursor WHERE owner = $1 AND ref = $2 AND page = $3";
        Ok(self.one(sql, params![self.owner, of, page.as_bytes()], |row| row.int(0))?.map(NodeKey))
    }

    /// Returns the leaves that were last read below the pages of a ref, by page.
    pub fn cursors(&self, of: i64) -> Result<Vec<(PageId, NodeKey)>, StoreError> {
        let sql = "SELECT page, node FROM cursor WHERE owner = $1 AND ref = $2 ORDER BY page";
        self.many(sql, params![self.owner, of], |row| {
            let page = PageId::from_slice(row.bytes(0)?).map_err(|_| StoreError::damaged("cursor", of))?;
            Ok((page, NodeKey(row.int(1)?)))
        })
    }

    /// Notes the leaf that was last read below a page.
    pub fn put_cursor(&mut self, of: i64, page: PageId, node: NodeKey) -> Result<(), StoreError> {
        let sql = "INSERT INTO cursor (owner, ref, page, node) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (owner, ref, page) DO UPDATE SET node = excluded.node";
        self.run(sql, params![self.owner, of, page.as_bytes(), node.0])?;
        Ok(())
    }

    /// Returns the functions that are given up on a page.
    pub fn stuck(&self, page: PageId) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT function FROM stuck WHERE owner = $1 AND page = $2 ORDER BY function";
        self.many(sql, params![self.owner, page.as_bytes()], |row| row.text(0))
    }

    /// Gives a function up on a page.
    pub fn put_stuck(&mut self, page: PageId, function: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO stuck (owner, page, function) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.run(sql, params![self.owner, page.as_bytes(), function])?;
        Ok(())
    }
}
