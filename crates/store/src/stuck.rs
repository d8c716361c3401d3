//! Functions that had to be killed on a page again and again.

use rusqlite::params;
use storeyline_state::PageId;

use crate::store::StoreError;
use crate::tx::{Tx, text};

impl Tx<'_> {
    /// Returns the functions that are given up on a page.
    pub fn stuck(&self, page: PageId) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT function FROM stuck WHERE owner = ?1 AND page = ?2 ORDER BY function";
        self.many(sql, params![self.owner(), page.as_bytes()], |row| text(row, 0))
    }

    /// Gives a function up on a page.
    pub fn put_stuck(&mut self, page: PageId, function: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO stuck (owner, page, function) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.run(sql, params![self.owner(), page.as_bytes(), function.as_bytes()])?;
        Ok(())
    }
}
