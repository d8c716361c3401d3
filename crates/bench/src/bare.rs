//! What SQLite and zstd cost without the engine: the measure for `bench store`.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Result, Transaction, TransactionBehavior};
use storeyline_engine::Durability;

use crate::measure::time_into;

/// Rows of a few hundred bytes, committed one by one: the least that any operation can cost.
pub(crate) struct Bare(Connection);

impl Bare {
    /// Creates a table for the rows in a file of its own.
    pub(crate) fn open(path: &Path, durability: Durability) -> Result<Bare> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let synchronous = if durability == Durability::Full { "FULL" } else { "NORMAL" };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")?;
        Ok(Bare(connection))
    }

    /// Commits rows one right after the other and adds how long each took.
    pub(crate) fn commit(&self, count: usize, times: &mut Vec<Duration>) -> Result<()> {
        (0..count).try_for_each(|_| time_into(times, || self.commit_one()))
    }

    fn commit_one(&self) -> Result<()> {
        let transaction = Transaction::new_unchecked(&self.0, TransactionBehavior::Immediate)?;
        self.0.prepare_cached("INSERT INTO t (bytes) VALUES (?1)")?.execute([&[7u8; 400][..]])?;
        transaction.commit()
    }
}

/// Writes a whole state for each floor, as other tools do, and returns the bytes per floor.
pub(crate) fn whole_states(path: &Path, state: &[u8], floors: usize) -> Result<f64> {
    let connection = Connection::open(path)?;
    connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL); BEGIN")?;
    for _ in 0..floors {
        connection.execute("INSERT INTO t (bytes) VALUES (?1)", [state])?;
    }
    connection.execute_batch("COMMIT")?;
    let bytes: i64 = connection.query_row("SELECT sum(pgsize) FROM dbstat", [], |row| row.get(0))?;
    Ok(bytes as f64 / floors as f64)
}

/// Writes rows of some length in one transaction, each with an index, and returns how long it took: what so
/// many rows cost at least.
pub(crate) fn many_rows(path: &Path, rows: u64, length: usize) -> Result<Duration> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.execute_batch(
        "CREATE TABLE r (id INTEGER PRIMARY KEY, hash BIGINT NOT NULL, bytes BLOB NOT NULL); CREATE INDEX r_by_hash ON r (hash)",
    )?;
    let mut insert = connection.prepare("INSERT INTO r (hash, bytes) VALUES (?1, ?2)")?;
    let bytes = vec![7u8; length];
    let start = Instant::now();
    connection.execute_batch("BEGIN IMMEDIATE")?;
    for row in 0..rows as i64 {
        insert.execute(rusqlite::params![row.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64), &bytes])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(start.elapsed())
}

/// Returns the size of some bytes with zstd at level 3, or as they are if that is less.
pub(crate) fn packed(bytes: &[u8]) -> usize {
    zstd::bulk::compress(bytes, 3).map_or(bytes.len(), |packed| packed.len().min(bytes.len()))
}
