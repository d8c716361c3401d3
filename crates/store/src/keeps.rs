//! What a user keeps beside stories: templates, libraries, global snapshots. Every version stays.

use storeyline_history::ValueKey;
use storeyline_state::Value;

use crate::error::StoreError;
use crate::sql::{Row, params};
use crate::tx::Tx;

/// What kind of thing is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepKind {
    /// The initial state of a card, by the card.
    Template,
    /// Functions, by scope: empty for all cards, else the card.
    Library,
    /// A labelled state outside any chat, by its id.
    Snapshot,
}

impl KeepKind {
    fn number(self) -> i64 {
        match self {
            KeepKind::Template => 1,
            KeepKind::Library => 2,
            KeepKind::Snapshot => 3,
        }
    }
}

/// One version of something that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keepsake {
    /// Its number; it rises.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// What it is; nothing if it was thrown away.
    pub value: Option<ValueKey>,
    /// Since when, in milliseconds since 1970.
    pub time: i64,
}

fn read(row: &dyn Row) -> Result<Keepsake, StoreError> {
    Ok(Keepsake { version: row.int(0)?, name: row.text(1)?, value: row.maybe_int(2)?.map(ValueKey), time: row.int(3)? })
}

impl Tx<'_> {
    /// Keeps a new version; nothing throws the thing away.
    pub fn put_keepsake(
        &mut self,
        kind: KeepKind,
        name: &str,
        value: Option<&Value>,
        now: i64,
    ) -> Result<i64, StoreError> {
        let value = match value {
            Some(value) => Some(self.put_value(value)?.0.0),
            None => None,
        };
        let sql = "INSERT INTO keep (owner, kind, name, value, time) VALUES ($1, $2, $3, $4, $5)";
        self.insert(sql, params![self.owner, kind.number(), name, value, now])
    }

    /// Returns the versions of a thing, the newest first.
    pub fn keepsake_versions(&self, kind: KeepKind, name: &str) -> Result<Vec<Keepsake>, StoreError> {
        let sql =
            "SELECT id, name, value, time FROM keep WHERE owner = $1 AND kind = $2 AND name = $3 ORDER BY id DESC";
        self.many(sql, params![self.owner, kind.number(), name], read)
    }

    /// Returns the newest version of each thing of a kind that was not thrown away.
    pub fn keepsakes(&self, kind: KeepKind) -> Result<Vec<Keepsake>, StoreError> {
        let sql = "SELECT k.id, k.name, k.value, k.time FROM keep k
                   JOIN (SELECT max(id) AS id FROM keep WHERE owner = $1 AND kind = $2 GROUP BY name) newest ON newest.id = k.id
                   WHERE k.value IS NOT NULL ORDER BY k.id DESC";
        self.many(sql, params![self.owner, kind.number()], read)
    }
}
