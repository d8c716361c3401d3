//! Migrations, only ever added; the database's `user_version` counts those that were applied.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::StoreError;
use crate::sqlite::explain;

/// Layouts 1 and 2 were never part of a release.
const MIGRATIONS: &[(i64, &str)] = &[
    (3, include_str!("migrations/003_first.sql")),
    (4, include_str!("migrations/004_search.sql")),
    (5, include_str!("migrations/005_story_trash.sql")),
    (6, include_str!("migrations/006_foreign_snapshots.sql")),
];

/// The newest layout.
pub(crate) const LAYOUT: i64 = 6;

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
    if found < 3 && tables > 0 {
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
    fn a_database_of_an_older_layout_is_brought_up_to_date_and_keeps_what_it_holds() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0].1).unwrap();
        connection.execute("INSERT INTO owner (name) VALUES (x'61')", []).unwrap();
        connection.pragma_update(None, "user_version", 3).unwrap();
        migrate(&mut connection, Path::new("old.db")).unwrap();
        assert_eq!(layout(&connection).unwrap(), LAYOUT);
        let kept = "SELECT (SELECT count(*) FROM owner), number, search FROM generation";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
        assert_eq!(connection.query_row(kept, [], row).unwrap(), (1, 1, 0));
        migrate(&mut connection, Path::new("old.db")).unwrap();
    }
}
