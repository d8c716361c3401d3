//! Migrations, only ever added; the database's `user_version` counts those that were applied.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::StoreError;
use crate::sqlite::explain;

const MIGRATIONS: &[(i64, &str)] = &[(OLDEST, include_str!("migrations/011_first.sql"))];

/// The layouts before were never part of a release.
const OLDEST: i64 = 11;

/// The newest layout.
pub(crate) const LAYOUT: i64 = 11;

/// Brings a database to the newest layout, or says why it cannot be used.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| explain(error, path);
    if layout(connection).map_err(failed)? == LAYOUT {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let found = layout(&tx).map_err(failed)?;
    if found > LAYOUT {
        return Err(StoreError::TooNew { path: path.to_owned(), found, known: LAYOUT });
    }
    let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
    if found < OLDEST && tables > 0 {
        return Err(StoreError::NotOurs { path: path.to_owned() });
    }
    for (version, migration) in MIGRATIONS.iter().filter(|(version, _)| *version > found) {
        tx.execute_batch(migration).map_err(failed)?;
        tx.pragma_update(None, "user_version", version).map_err(failed)?;
    }
    tx.commit().map_err(failed)?;
    Ok(())
}

pub(crate) fn layout(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_was_never_released_is_refused_and_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE owner (id INTEGER PRIMARY KEY)").unwrap();
        connection.pragma_update(None, "user_version", OLDEST - 1).unwrap();
        let refused = migrate(&mut connection, Path::new("old.db"));
        assert!(matches!(refused, Err(StoreError::NotOurs { .. })), "{refused:?}");
        assert_eq!(layout(&connection).unwrap(), OLDEST - 1);
    }

    #[test]
    fn a_new_file_gets_the_newest_layout_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, Path::new("new.db")).unwrap();
        assert_eq!(layout(&connection).unwrap(), LAYOUT);
        migrate(&mut connection, Path::new("new.db")).unwrap();
    }
}
