//! Snapshots of ST-VarSystem, by its own identifiers. One that is thrown away stays, and another may
//! have its name by then.

use storeyline_history::ValueKey;
use storeyline_state::Value;

use crate::error::StoreError;
use crate::sql::{Row, params};
use crate::tx::Tx;

/// A snapshot of ST-VarSystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignSnapshot {
    /// Its number in the store.
    pub key: i64,
    /// Its identifier.
    pub name: String,
    /// The chat file it belongs to.
    pub chat: String,
    /// Which message of it.
    pub message: Option<String>,
    /// What it holds.
    pub value: ValueKey,
    /// When it was written, in milliseconds since 1970.
    pub created: i64,
    /// When it was thrown away.
    pub trashed: Option<i64>,
}

const ALL: &str = "SELECT id, name, chat, message, value, created, trashed FROM foreign_snapshot WHERE owner = $1 AND ";

fn read(row: &dyn Row) -> Result<ForeignSnapshot, StoreError> {
    Ok(ForeignSnapshot {
        key: row.int(0)?,
        name: row.text(1)?,
        chat: row.text(2)?,
        message: row.maybe_bytes(3)?.is_some().then(|| row.text(3)).transpose()?,
        value: ValueKey(row.int(4)?),
        created: row.int(5)?,
        trashed: row.maybe_int(6)?,
    })
}

impl Tx<'_> {
    /// Returns a snapshot that was not thrown away.
    pub fn foreign_snapshot(&self, name: &str) -> Result<Option<ForeignSnapshot>, StoreError> {
        self.one(&format!("{ALL}name = $2 AND trashed IS NULL"), params![self.owner, name], read)
    }

    /// Writes a snapshot in the place of the one with its name, and returns its number.
    pub fn put_foreign_snapshot(
        &mut self,
        name: &str,
        chat: &str,
        message: Option<&str>,
        value: &Value,
        now: i64,
    ) -> Result<i64, StoreError> {
        let (value, _) = self.put_value(value)?;
        if let Some(found) = self.foreign_snapshot(name)? {
            let sql = "UPDATE foreign_snapshot SET chat = $1, message = $2, value = $3, created = $4
                       WHERE id = $5 AND owner = $6";
            self.run(sql, params![chat, message, value.0, now, found.key, self.owner])?;
            return Ok(found.key);
        }
        let sql = "INSERT INTO foreign_snapshot (owner, name, chat, message, value, created)
                   VALUES ($1, $2, $3, $4, $5, $6)";
        self.insert(sql, params![self.owner, name, chat, message, value.0, now])
    }

    /// Throws one snapshot away; returns how many that were.
    pub fn trash_foreign_snapshot(&mut self, name: &str, now: i64) -> Result<usize, StoreError> {
        let sql = "UPDATE foreign_snapshot SET trashed = $1 WHERE owner = $2 AND name = $3 AND trashed IS NULL";
        self.run(sql, params![now, self.owner, name])
    }

    /// Throws the snapshots of a chat away; returns how many.
    pub fn trash_foreign_snapshots_of(&mut self, chat: &str, now: i64) -> Result<usize, StoreError> {
        let sql = "UPDATE foreign_snapshot SET trashed = $1 WHERE owner = $2 AND chat = $3 AND trashed IS NULL";
        self.run(sql, params![now, self.owner, chat])
    }

    /// Returns the chats that have snapshots which were not thrown away.
    pub fn foreign_snapshot_chats(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT DISTINCT chat FROM foreign_snapshot WHERE owner = $1 AND trashed IS NULL ORDER BY chat";
        self.many(sql, params![self.owner], |row| row.text(0))
    }

    /// Returns what lies in the trash, what was thrown away last first.
    pub fn trashed_foreign_snapshots(&self, limit: usize) -> Result<Vec<ForeignSnapshot>, StoreError> {
        let sql = format!("{ALL}trashed IS NOT NULL ORDER BY trashed DESC, id DESC LIMIT $2");
        self.many(&sql, params![self.owner, limit], read)
    }

    /// Brings a snapshot back from the trash, if no other has its name by now.
    pub fn restore_foreign_snapshot(&mut self, key: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE foreign_snapshot SET trashed = NULL WHERE owner = $1 AND id = $2 AND NOT EXISTS (
                       SELECT 1 FROM foreign_snapshot other
                       WHERE other.owner = $1 AND other.name = foreign_snapshot.name AND other.trashed IS NULL)";
        Ok(self.run(sql, params![self.owner, key])? > 0)
    }
}
