//! The log of operations: every move of a ref, in order.

use rusqlite::params;
use storeyline_state::{NodeId, RefId};

use crate::store::StoreError;
use crate::tx::Tx;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// A host showed its chat.
    Sync,
    /// A chat file was read.
    Import,
    /// Another page is read.
    Select,
    /// A page has another text.
    Edit,
}

impl OperationKind {
    /// Returns the word used in JSON and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            OperationKind::Sync => "sync",
            OperationKind::Import => "import",
            OperationKind::Select => "select",
            OperationKind::Edit => "edit",
        }
    }
}

/// One move of a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation<'a> {
    /// Which ref.
    pub of: RefId,
    /// Where it stood.
    pub before: Option<NodeId>,
    /// Where it stands.
    pub after: Option<NodeId>,
    /// What was done.
    pub kind: OperationKind,
    /// Who did it.
    pub client: &'a str,
    /// When, in milliseconds since 1970.
    pub time: i64,
}

impl Tx<'_> {
    /// Writes an operation down and returns its number.
    pub fn log(&mut self, operation: &Operation<'_>) -> Result<i64, StoreError> {
        let node = |node: Option<NodeId>| node.map(|node| node.as_bytes().to_vec());
        let sql =
            "INSERT INTO operation (owner, ref, before, after, kind, client, time) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                   RETURNING operation";
        let number = self.one(
            sql,
            params![
                self.owner(),
                operation.of.as_bytes(),
                node(operation.before),
                node(operation.after),
                operation.kind.as_str().as_bytes(),
                operation.client.as_bytes(),
                operation.time,
            ],
            |row| row.get(0),
        )?;
        Ok(number.unwrap_or(0))
    }

    /// Returns the number of the last operation, 0 if there was none.
    pub fn last_operation(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(operation), 0) FROM operation WHERE owner = ?1";
        Ok(self.one(sql, params![self.owner()], |row| row.get(0))?.unwrap_or(0))
    }
}
