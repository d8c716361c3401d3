//! Migrations, only ever added; the database's `user_version` counts those that were applied.

use rusqlite::Connection;

const MIGRATIONS: &[&str] = &[include_str!("migrations/001_first.sql"), include_str!("migrations/002_stuck.sql")];

/// Brings a database to the newest layout. Returns false if it was written by a newer program.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<bool> {
    let tx = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    if version > MIGRATIONS.len() {
        return Ok(false);
    }
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        tx.execute_batch(migration)?;
        tx.pragma_update(None, "user_version", index as i64 + 1)?;
    }
    tx.commit()?;
    Ok(true)
}
