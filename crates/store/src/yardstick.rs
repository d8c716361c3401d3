//! What the same database costs without us: the measure for benchmarks.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::error::StoreError;
use crate::sqlite::{Durability, explain};

/// Commits rows of a few hundred bytes one by one and returns how long each took: the least that any
/// operation can cost.
pub fn bare_commits(path: &Path, durability: Durability, count: usize) -> Result<Vec<Duration>, StoreError> {
    let work = || -> rusqlite::Result<Vec<Duration>> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let word = if durability == Durability::Full { "FULL" } else { "NORMAL" };
        connection.pragma_update(None, "synchronous", word)?;
        connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")?;
        let mut begin = connection.prepare("BEGIN IMMEDIATE")?;
        let mut insert = connection.prepare("INSERT INTO t (bytes) VALUES (?1)")?;
        let mut commit = connection.prepare("COMMIT")?;
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let start = Instant::now();
            begin.execute([])?;
            insert.execute([&[7u8; 400][..]])?;
            commit.execute([])?;
            times.push(start.elapsed());
        }
        Ok(times)
    };
    work().map_err(|error| explain(error, path))
}

/// Writes a whole state for each floor, as other tools do, and returns the bytes per floor.
pub fn whole_states(path: &Path, state: &[u8], floors: usize) -> Result<f64, StoreError> {
    let work = || -> rusqlite::Result<i64> {
        let connection = Connection::open(path)?;
        connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL); BEGIN")?;
        for _ in 0..floors {
            connection.execute("INSERT INTO t (bytes) VALUES (?1)", [state])?;
        }
        connection.execute_batch("COMMIT")?;
        connection.query_row("SELECT sum(pgsize) FROM dbstat", [], |row| row.get(0))
    };
    Ok(work().map_err(|error| explain(error, path))? as f64 / floors as f64)
}

/// Returns how many bytes something takes when it is packed as texts are.
pub fn packed(bytes: &[u8]) -> usize {
    crate::pack::pack(bytes).len() - 1
}
