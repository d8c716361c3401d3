//! Owners, and the last ids that were reserved for them.

use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sql::{Row, Sql, params};
use crate::store::Owner;
use crate::tables::operations::ChangeSeq;
use crate::tables::table::Table;

pub(crate) static TABLE: Table =
    Table::new("owner", &["id", "name", "node", "state", "other", "change_seq"], &["id"]).with_fixed(&["name"]);

pub(crate) struct OwnerRow {
    pub(crate) key: OwnerKey,
    /// The last id that was reserved, by kind.
    pub(crate) last: [i64; 3],
    /// No operation that comes later has a smaller position.
    pub(crate) change_seq: ChangeSeq,
}

fn read(row: &dyn Row) -> Result<OwnerRow, StoreError> {
    let last = [row.int(2)?, row.int(3)?, row.int(4)?];
    Ok(OwnerRow { key: OwnerKey(row.int(0)?), last, change_seq: ChangeSeq(row.int(5)?) })
}

/// Finds an owner; one that never wrote has no row.
pub(crate) fn find(sql: &dyn Sql, owner: &Owner) -> Result<Option<OwnerRow>, StoreError> {
    TABLE.one(sql, "name = $1", params![owner.as_bytes()], read)
}

/// Finds an owner, or returns the row that a new one will have.
pub(crate) fn find_or_new(sql: &dyn Sql, owner: &Owner) -> Result<OwnerRow, StoreError> {
    if let Some(found) = find(sql, owner)? {
        return Ok(found);
    }
    let last = sql.one("SELECT coalesce(max(id), 0) FROM owner", &[], |row| row.int(0))?.unwrap_or(0);
    Ok(OwnerRow { key: OwnerKey(last + 1), last: [0; 3], change_seq: ChangeSeq(0) })
}

pub(crate) fn put(sql: &dyn Sql, owner: &Owner, row: &OwnerRow) -> Result<(), StoreError> {
    let [node, state, other] = row.last;
    TABLE.put(sql, params![row.key, owner.as_bytes(), node, state, other, row.change_seq.0])
}

/// Returns the position of the last operation, even if that one was deleted meanwhile.
pub(crate) fn last_change(sql: &dyn Sql, owner: OwnerKey) -> Result<ChangeSeq, StoreError> {
    let query = "SELECT change_seq FROM owner WHERE id = $1
                 UNION ALL SELECT * FROM (SELECT seq FROM operation WHERE owner = $1 ORDER BY seq DESC LIMIT 1) AS last";
    Ok(ChangeSeq(sql.many(query, params![owner], |row| row.int(0))?.into_iter().max().unwrap_or(0)))
}
