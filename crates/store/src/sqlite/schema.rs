//! Migrations, only ever added; the database's `user_version` is the number of the last one.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::explain;
use crate::error::StoreError;

const MIGRATIONS: &[(i64, &str)] = &[(1, include_str!("migrations/001.sql"))];

/// The newest layout.
pub(crate) const LAYOUT: i64 = 1;

/// Marks a file as ours: `Stry` as four bytes. A file without it is refused, also one that was written before the
/// first release.
const APPLICATION_ID: i64 = 0x5374_7279;

/// Brings a database to the newest layout, or says why it cannot be used.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| explain(error, path);
    if is_ours(connection).map_err(failed)? && layout(connection).map_err(failed)? == LAYOUT {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let found = layout(&tx).map_err(failed)?;
    let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
    if tables > 0 && !is_ours(&tx).map_err(failed)? {
        return Err(StoreError::NotOurs { path: path.to_owned() });
    }
    if found > LAYOUT {
        return Err(StoreError::TooNew { path: path.to_owned(), found, known: LAYOUT });
    }
    for (version, migration) in MIGRATIONS.iter().filter(|(version, _)| *version > found) {
        tx.execute_batch(migration).map_err(failed)?;
        tx.pragma_update(None, "user_version", version).map_err(failed)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    tx.commit().map_err(failed)?;
    Ok(())
}

/// Tells whether a file was made by this program.
pub(crate) fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("PRAGMA application_id", [], |row| Ok(row.get::<_, i64>(0)? == APPLICATION_ID))
}

fn layout(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::own_rows;

    #[test]
    fn a_file_without_our_mark_is_refused_and_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE owner (id INTEGER PRIMARY KEY)").unwrap();
        connection.pragma_update(None, "user_version", 11).unwrap();
        let refused = migrate(&mut connection, Path::new("old.db"));
        assert!(matches!(refused, Err(StoreError::NotOurs { .. })), "{refused:?}");
        assert_eq!(layout(&connection).unwrap(), 11);
    }

    #[test]
    fn a_newer_layout_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, Path::new("new.db")).unwrap();
        connection.pragma_update(None, "user_version", LAYOUT + 1).unwrap();
        let refused = migrate(&mut connection, Path::new("new.db"));
        assert!(matches!(refused, Err(StoreError::TooNew { .. })), "{refused:?}");
    }

    #[test]
    fn a_new_file_gets_the_newest_layout_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, Path::new("new.db")).unwrap();
        assert_eq!(layout(&connection).unwrap(), LAYOUT);
        migrate(&mut connection, Path::new("new.db")).unwrap();
    }

    #[test]
    fn lookups_use_an_index_with_all_their_columns() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, Path::new("new.db")).unwrap();
        for (query, index) in [
            ("SELECT * FROM page WHERE owner = 1 AND page = x'00'", "page_by_id (owner=? AND page=?)"),
            ("SELECT * FROM node WHERE owner = 1 AND hash = x'00'", "node_by_hash (owner=? AND hash=?)"),
            ("SELECT id FROM state WHERE owner = 1 AND memo = x'00'", "state_by_memo (owner=? AND memo=?)"),
            ("SELECT id FROM value WHERE owner = 1 AND hash = x'00'", "value_by_hash (owner=? AND hash=?)"),
            ("SELECT * FROM ref WHERE owner = 1 AND story = 1", "ref_by_story (owner=? AND story=?)"),
            ("SELECT * FROM ref WHERE owner = 1 AND chat = x'00'", "ref_by_chat (owner=? AND chat=?)"),
            (
                "SELECT * FROM operation WHERE owner = 1 AND seq > 5 ORDER BY seq",
                "operation_by_seq (owner=? AND seq>?)",
            ),
            ("SELECT * FROM node WHERE owner = 1 AND id >= 1 AND id <= 9", "PRIMARY KEY (rowid>? AND rowid<?)"),
            (concat!("SELECT * FROM turn WHERE ", own_rows!()), "PRIMARY KEY (rowid>? AND rowid<?)"),
            (concat!("SELECT id FROM state WHERE ", own_rows!()), "PRIMARY KEY (rowid>? AND rowid<?)"),
            (concat!("SELECT * FROM page WHERE ", own_rows!(), " AND story = 5"), "PRIMARY KEY (rowid>? AND rowid<?)"),
        ] {
            let query = query.replace("$1", "1");
            let plan: String =
                connection.query_row(&format!("EXPLAIN QUERY PLAN {query}"), [], |row| row.get(3)).unwrap();
            assert!(plan.contains(index), "{query}: {plan}");
        }
    }
}
