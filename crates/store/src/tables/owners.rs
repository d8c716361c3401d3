//! Owners and their counters: the last id that was given in each table.

use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sql::{Row, Sql, params};
use crate::store::Owner;
use crate::tables::table::Table;

static TABLE: Table = Table::new(
    "owner",
    &["id", "name", "value", "text", "page", "turn", "node", "state", "story", "ref", "client", "change_seq"],
    1,
);

/// The last id that was given in each table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) value: i64,
    pub(crate) text: i64,
    pub(crate) page: i64,
    pub(crate) turn: i64,
    pub(crate) node: i64,
    pub(crate) state: i64,
    pub(crate) story: i64,
    pub(crate) reference: i64,
    pub(crate) client: i64,
    /// The number of the last operation, over all refs.
    pub(crate) change_seq: i64,
}

fn read(row: &dyn Row) -> Result<(OwnerKey, Counters), StoreError> {
    let counters = Counters {
        value: row.int(2)?,
        text: row.int(3)?,
        page: row.int(4)?,
        turn: row.int(5)?,
        node: row.int(6)?,
        state: row.int(7)?,
        story: row.int(8)?,
        reference: row.int(9)?,
        client: row.int(10)?,
        change_seq: row.int(11)?,
    };
    Ok((OwnerKey(row.int(0)?), counters))
}

/// Finds an owner; one that never wrote has no row.
pub(crate) fn find(sql: &dyn Sql, owner: &Owner) -> Result<Option<(OwnerKey, Counters)>, StoreError> {
    TABLE.one(sql, "name = $1", params![owner.as_bytes()], read)
}

/// Finds an owner, or makes its row.
pub(crate) fn find_or_insert(sql: &dyn Sql, owner: &Owner) -> Result<(OwnerKey, Counters), StoreError> {
    if let Some(found) = find(sql, owner)? {
        return Ok(found);
    }
    let last = sql.one("SELECT coalesce(max(id), 0) FROM owner", &[], |row| row.int(0))?.unwrap_or(0);
    let (key, counters) = (OwnerKey(last + 1), Counters::default());
    put(sql, key, owner, &counters)?;
    Ok((key, counters))
}

pub(crate) fn put(sql: &dyn Sql, key: OwnerKey, owner: &Owner, counters: &Counters) -> Result<(), StoreError> {
    let Counters { value, text, page, turn, node, state, story, reference, client, change_seq } = *counters;
    let name = owner.as_bytes();
    TABLE.put(sql, params![key, name, value, text, page, turn, node, state, story, reference, client, change_seq])
}
