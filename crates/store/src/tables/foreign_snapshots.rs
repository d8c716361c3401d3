//! Snapshots of ST-VarSystem, by its own identifiers. One that was thrown away stays until it is collected,
//! and another may have its name by then.

use storeyline_history::ValueKey;
use storeyline_state::Value;

use crate::draft::Draft;
use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "foreign_snapshot",
    &["owner", "id", "name", "chat", "message", "value", "created", "trashed"],
    &["owner", "id"],
);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignSnapshot {
    /// Its number among those of the owner, from 1; for bringing it back from the trash.
    pub number: i64,
    /// Its identifier.
    pub name: String,
    /// The chat file it belongs to.
    pub chat: String,
    /// Which message of it.
    pub message: Option<String>,
    pub value: ValueKey,
    /// In milliseconds since 1970.
    pub created: i64,
    pub trashed: Option<i64>,
}

pub(crate) fn read(row: &dyn Row) -> Result<ForeignSnapshot, StoreError> {
    Ok(ForeignSnapshot {
        number: row.int(1)?,
        name: row.text(2)?,
        chat: row.text(3)?,
        message: row.maybe_text(4)?,
        value: ValueKey(row.int(5)?),
        created: row.int(6)?,
        trashed: row.maybe_int(7)?,
    })
}

pub(crate) fn put(sql: &dyn Sql, owner: OwnerKey, snapshot: &ForeignSnapshot) -> Result<(), StoreError> {
    let ForeignSnapshot { number, name, chat, message, value, created, trashed } = snapshot;
    let message = message.as_deref();
    TABLE.put(sql, params![owner, *number, name, chat, message, *value, *created, *trashed])
}

impl View<'_> {
    /// Returns a snapshot that was not thrown away; those of a draft count.
    pub fn foreign_snapshot(&self, name: &str) -> Result<Option<ForeignSnapshot>, StoreError> {
        if let Some(own) = self.rows.foreign_snapshots.iter().rev().find(|own| own.name == name) {
            return Ok(Some(own.clone()).filter(|own| own.trashed.is_none()));
        }
        let found = self.foreign_snapshots("name = $2 ORDER BY id", Param::from(name))?;
        Ok(found.into_iter().find(|snapshot| snapshot.trashed.is_none()))
    }

    /// Returns the snapshots of a chat that were not thrown away.
    pub fn foreign_snapshots_of(&self, chat: &str) -> Result<Vec<ForeignSnapshot>, StoreError> {
        let mut found = self.foreign_snapshots("chat = $2 ORDER BY id", Param::from(chat))?;
        found.retain(|snapshot| snapshot.trashed.is_none());
        Ok(found)
    }

    pub fn foreign_snapshot_by_number(&self, number: i64) -> Result<Option<ForeignSnapshot>, StoreError> {
        Ok(self.foreign_snapshots("id = $2", Param::Int(number))?.pop())
    }

    fn foreign_snapshots(&self, rest: &str, key: Param<'_>) -> Result<Vec<ForeignSnapshot>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        TABLE.many(self.sql()?, &format!("owner = $1 AND {rest}"), &[owner.into(), key], read)
    }

    /// Returns the chats that have snapshots which were not thrown away.
    pub fn foreign_snapshot_chats(&self) -> Result<Vec<String>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let sql = "SELECT DISTINCT chat FROM foreign_snapshot WHERE owner = $1 AND trashed IS NULL ORDER BY chat";
        self.sql()?.many(sql, params![owner], |row| row.text(0))
    }

    /// Returns the snapshots in the trash, what was thrown away last first.
    pub fn trashed_foreign_snapshots(&self, limit: usize) -> Result<Vec<ForeignSnapshot>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let rest = "owner = $1 AND trashed IS NOT NULL ORDER BY trashed DESC, id DESC LIMIT $2";
        TABLE.many(self.sql()?, rest, params![owner, limit], read)
    }

    fn last_foreign_snapshot(&self) -> Result<i64, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(0) };
        let sql = "SELECT coalesce(max(id), 0) FROM foreign_snapshot WHERE owner = $1";
        Ok(self.sql()?.one(sql, params![owner], |row| row.int(0))?.unwrap_or(0))
    }
}

impl Draft<'_> {
    /// Writes a snapshot in the place of the one with its name.
    pub fn put_foreign_snapshot(
        &mut self,
        name: &str,
        chat: &str,
        message: Option<&str>,
        value: &Value,
        now: i64,
    ) -> Result<ForeignSnapshot, StoreError> {
        let (value, _) = self.put_value(value)?;
        let number = match self.foreign_snapshot(name)? {
            Some(known) => known.number,
            None => self.last_foreign_snapshot()? + 1,
        };
        let (name, chat, message) = (name.to_owned(), chat.to_owned(), message.map(str::to_owned));
        let snapshot = ForeignSnapshot { number, name, chat, message, value, created: now, trashed: None };
        self.save_foreign_snapshot(snapshot.clone());
        Ok(snapshot)
    }

    pub fn save_foreign_snapshot(&mut self, snapshot: ForeignSnapshot) {
        self.view.rows.foreign_snapshots.push(snapshot);
    }
}
