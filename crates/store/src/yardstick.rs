//! What the same database costs without us: the measure for benchmarks.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::StoreError;
use crate::sqlite::{Durability, explain};

/// Rows of a few hundred bytes, committed one by one: the least that any operation can cost.
#[derive(Debug)]
pub struct Bare {
    connection: Connection,
    path: PathBuf,
}

impl Bare {
    /// Makes a table for them in a file of its own.
    pub fn open(path: &Path, durability: Durability) -> Result<Bare, StoreError> {
        let open = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            let word = if durability == Durability::Full { "FULL" } else { "NORMAL" };
            connection.pragma_update(None, "synchronous", word)?;
            connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")?;
            Ok(connection)
        };
        let connection = open().map_err(|error| explain(error, path))?;
        Ok(Bare { connection, path: path.to_owned() })
    }

    /// Commits some, one right after the other, and returns how long each took.
    pub fn commit(&self, count: usize) -> Result<Vec<Duration>, StoreError> {
        let commit = |_| -> rusqlite::Result<Duration> {
            let start = Instant::now();
            // As the store does it: the driver's own transaction, a statement that is at hand.
            let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            self.connection.prepare_cached("INSERT INTO t (bytes) VALUES (?1)")?.execute([&[7u8; 400][..]])?;
            transaction.commit()?;
            Ok(start.elapsed())
        };
        (0..count).map(commit).collect::<Result<_, _>>().map_err(|error| explain(error, &self.path))
    }
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

/// Writes rows of some length in one transaction, each with an index, and returns how long it took: what so
/// many rows cost at least.
pub fn many_rows(path: &Path, rows: u64, length: usize) -> Result<Duration, StoreError> {
    let work = || -> rusqlite::Result<Duration> {
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
    };
    work().map_err(|error| explain(error, path))
}
