//! Turns: one floor with its pages.

use std::sync::Arc;

use storeyline_history::{HostFields, PageKey, Turn, TurnKey, ValueKey};

use crate::codec::records::{self, TurnRecord, intact};
use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::{View, ranges};

pub(crate) static TABLE: Table = Table::new("turn", &["owner", "id", "host", "bytes"], &["id"]);

/// A turn as it lies in its row.
struct StoredTurn {
    key: TurnKey,
    host: Option<ValueKey>,
    record: TurnRecord,
}

fn read(row: &dyn Row) -> Result<StoredTurn, StoreError> {
    let id = row.int(1)?;
    let record = intact(TurnRecord::read(row.bytes(3)?), "turn", id)?;
    Ok(StoredTurn { key: TurnKey(id), host: row.maybe_int(2)?.map(ValueKey), record })
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, turns: &[(TurnKey, Arc<Turn>)]) -> Result<(), StoreError> {
    let bytes: Vec<Vec<u8>> = turns.iter().map(|(_, turn)| records::write(&TurnRecord::new(turn))).collect();
    let rows = turns.iter().zip(&bytes);
    let rows: Vec<Vec<Param<'_>>> =
        rows.map(|((key, turn), bytes)| params![owner, *key, turn.host.map(|host| host.at), bytes].to_vec()).collect();
    TABLE.insert(sql, &rows)
}

impl View<'_> {
    pub(crate) fn stored_turn(&self, key: TurnKey) -> Result<Arc<Turn>, StoreError> {
        if let Some(own) = self.rows.turn(key) {
            return Ok(own.clone());
        }
        if let Some(cached) = self.cached(key.0)? {
            return Ok(cached);
        }
        let found = TABLE.one(self.sql()?, "owner = $1 AND id = $2", params![self.owner()?, key], read)?;
        self.whole_turn(found.ok_or_else(|| StoreError::missing("turn", key.0))?)
    }

    /// Loads turns and their pages together into the cache.
    pub(crate) fn load_turns(&self, keys: &[TurnKey]) -> Result<(), StoreError> {
        let mut missing = Vec::new();
        for key in keys {
            if self.rows.turn(*key).is_none() && self.cached::<Arc<Turn>>(key.0)?.is_none() {
                missing.push(key.0);
            }
        }
        let mut found = Vec::new();
        for (first, last) in ranges(missing.into_iter()) {
            let rest = "owner = $1 AND id >= $2 AND id <= $3";
            found.extend(TABLE.many(self.sql()?, rest, params![self.owner()?, first, last], read)?);
        }
        let pages: Vec<PageKey> = found.iter().flat_map(|turn| turn.record.pages.iter().copied()).collect();
        self.load_pages(&pages)?;
        found.into_iter().try_for_each(|turn| self.whole_turn(turn).map(drop))
    }

    fn whole_turn(&self, stored: StoredTurn) -> Result<Arc<Turn>, StoreError> {
        let StoredTurn { key, host, record } = stored;
        let pages =
            record.pages.iter().map(|page| Ok(self.page_row(*page)?.page)).collect::<Result<_, StoreError>>()?;
        let host = match host {
            Some(at) => Some(HostFields { hash: self.value_hash(at)?, at }),
            None => None,
        };
        let TurnRecord { role, name, hidden, active, .. } = record;
        let turn = Arc::new(Turn { role, name, hidden, active, pages, host });
        self.cache(key.0, turn.clone())?;
        Ok(turn)
    }
}

impl Draft<'_> {
    pub(crate) fn add_turn(&mut self, turn: &Turn) -> Result<TurnKey, StoreError> {
        let key = TurnKey(self.new_id(IdKind::Other)?);
        self.view.rows.turns.push((key, Arc::new(turn.clone())));
        self.set_newest_turn(turn.active_page().at, key);
        Ok(key)
    }
}
