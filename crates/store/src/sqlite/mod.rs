//! SQLite: one file, one writer at a time, many readers. The only folder that knows the driver and its dialect.
//!
//! All connections are alike. The one that was used last is used next, because its pages are in memory: a change
//! reads with the connection that committed the change before it.

mod checkpoint;
pub mod foreign;
pub(crate) mod full_text;
pub(crate) mod schema;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use crate::error::{DiskTrouble, StoreError};
use crate::private;
use crate::sql::{Next, Param, Row, Sql, Visit};
use checkpoint::Checkpoints;

/// How safe a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Survives a crash of the program; the last moments before a power cut may be lost. For what a host
    /// file holds too.
    Normal,
    /// Survives a power cut. For what only we hold.
    Full,
}

/// How long one program waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// More idle connections than these are closed.
const IDLE: usize = 4;

/// Kilobytes of pages that each connection keeps. The system keeps the file in memory too, so that more would
/// save little, and a server that is always on has all of it.
const CACHE: i64 = 6_000;

/// Bytes of a page of the file. A floor changes a few bytes in each of some ten pages, and each is written whole.
const PAGE: i64 = 2_048;

/// Pages of the write-ahead log at which a commit carries it over into the file itself: 32 MB.
const LOG_PAGES: i64 = 16_000;

/// How much was read and written, in rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Rows that were looked at.
    pub read: u64,
    /// Rows that were written, changed or taken away.
    pub written: u64,
}

#[derive(Default)]
struct Counters {
    read: AtomicU64,
    written: AtomicU64,
}

/// An open database.
pub(crate) struct Sqlite {
    // Dropped first: its thread has a connection of its own.
    checkpoints: Option<Checkpoints>,
    path: Option<PathBuf>,
    /// Whether readers and a writer can work side by side. If not, there is one connection for all.
    wal: bool,
    idle: Mutex<Vec<Handle>>,
    /// Signals that the only connection is idle again.
    returned: Condvar,
    /// Held while writing: threads wait here for each other and not inside SQLite, which would sleep.
    writing: Mutex<()>,
    counters: Counters,
}

/// A connection and what was set on it.
struct Handle {
    connection: Connection,
    durability: Durability,
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        private::create_missing(path);
        let (connection, wal) = open_first(path).map_err(|error| explain_opening(error, path))?;
        Sqlite::new(connection, Some(path), wal)
    }

    pub(crate) fn in_memory() -> Result<Sqlite, StoreError> {
        Sqlite::new(Connection::open_in_memory()?, None, false)
    }

    fn new(mut connection: Connection, path: Option<&Path>, wal: bool) -> Result<Sqlite, StoreError> {
        let shown = path.unwrap_or(Path::new("memory"));
        schema::migrate(&mut connection, shown)?;
        let first = Handle::new(connection).map_err(|error| explain(error, shown))?;
        Ok(Sqlite {
            checkpoints: path.filter(|_| wal).map(|path| Checkpoints::new(path.to_owned())),
            path: path.map(Path::to_owned),
            wal,
            idle: Mutex::new(vec![first]),
            returned: Condvar::new(),
            writing: Mutex::new(()),
            counters: Counters::default(),
        })
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(crate) fn work(&self) -> Work {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Work { read: count(&self.counters.read), written: count(&self.counters.written) }
    }

    /// Tells whether the write-ahead log could be switched on.
    pub(crate) fn has_wal(&self) -> bool {
        self.wal
    }

    pub(crate) fn write<T, E: From<StoreError>>(
        &self,
        durability: Durability,
        work: impl FnOnce(&dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        let _writing = lock(&self.writing);
        let mut lease = self.lease()?;
        lease.set_durability(durability).map_err(|error| self.explain(error))?;
        let transaction = Transaction::begin(self, lease, "BEGIN IMMEDIATE")?;
        let result = work(&transaction)?;
        transaction.commit()?;
        if let Some(checkpoints) = &self.checkpoints {
            checkpoints.count();
        }
        Ok(result)
    }

    /// Begins to read one moment of the database; writers go on meanwhile.
    pub(crate) fn begin_read(&self) -> Result<Transaction<'_>, StoreError> {
        Transaction::begin(self, self.lease()?, "BEGIN")
    }

    /// Takes an idle connection, or opens one. Without a write-ahead log it waits for the only one.
    fn lease(&self) -> Result<Lease<'_>, StoreError> {
        let mut idle = lock(&self.idle);
        loop {
            if let Some(handle) = idle.pop() {
                return Ok(Lease { database: self, handle: Some(handle) });
            }
            if let Some(path) = self.path.as_deref().filter(|_| self.wal) {
                drop(idle);
                let handle = open_another(path).map_err(|error| self.explain(error))?;
                return Ok(Lease { database: self, handle: Some(handle) });
            }
            idle = self.returned.wait(idle).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Returns the bytes of each table and index.
    pub(crate) fn sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.inspect(|connection| {
            let mut statement = connection.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")?;
            let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64)))?;
            rows.collect()
        })
    }

    /// Returns what the database itself finds wrong with its file.
    pub(crate) fn check(&self, how: &str) -> Result<Vec<String>, StoreError> {
        self.inspect(|connection| {
            let mut statement = connection.prepare(&format!("PRAGMA {how}"))?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(lines.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// Reads the whole file in one statement, while others write.
    pub(crate) fn inspect<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(self.lease()?.connection()).map_err(|error| self.explain(error))
    }

    /// Does something that needs the whole file: no transaction is around it.
    pub(crate) fn maintain<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let _writing = lock(&self.writing);
        let lease = self.lease()?;
        lock(&self.idle).clear();
        work(lease.connection()).map_err(|error| self.explain(error))
    }

    fn explain(&self, error: rusqlite::Error) -> StoreError {
        explain(error, self.path.as_deref().unwrap_or(Path::new("memory")))
    }
}

impl Handle {
    fn new(connection: Connection) -> rusqlite::Result<Handle> {
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "cache_size", -CACHE)?;
        // What a statement needs to take itself back is not worth a file.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.set_prepared_statement_cache_capacity(128);
        // Else a statement is planned anew whenever other numbers are bound to it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(Handle { connection, durability: Durability::Full })
    }
}

/// A connection in use; it is idle again when this is dropped.
struct Lease<'a> {
    database: &'a Sqlite,
    handle: Option<Handle>,
}

impl Lease<'_> {
    fn connection(&self) -> &Connection {
        &self.handle.as_ref().expect("it is given back only at the end").connection
    }

    /// Begins or ends a transaction.
    fn run(&self, how: &str) -> Result<(), StoreError> {
        let run = || self.connection().prepare_cached(how)?.execute([]);
        run().map(drop).map_err(|error| self.database.explain(error))
    }

    fn set_durability(&mut self, durability: Durability) -> rusqlite::Result<()> {
        let handle = self.handle.as_mut().expect("it is given back only at the end");
        if handle.durability != durability {
            let word = if durability == Durability::Full { "FULL" } else { "NORMAL" };
            handle.connection.pragma_update(None, "synchronous", word)?;
            handle.durability = durability;
        }
        Ok(())
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut idle = lock(&self.database.idle);
        // One that could not end its transaction is closed, unless it is the only one.
        let sound = self.connection().is_autocommit() || !self.database.wal;
        if sound && idle.len() < IDLE {
            idle.extend(self.handle.take());
            self.database.returned.notify_one();
        }
    }
}

/// A transaction, rolled back when it is dropped. The driver's own prepares its statements each time.
pub(crate) struct Transaction<'a> {
    database: &'a Sqlite,
    lease: Lease<'a>,
}

impl<'a> Transaction<'a> {
    fn begin(database: &'a Sqlite, lease: Lease<'a>, how: &str) -> Result<Self, StoreError> {
        lease.run(how)?;
        Ok(Transaction { database, lease })
    }

    fn commit(self) -> Result<(), StoreError> {
        self.lease.run("COMMIT")
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.lease.connection().is_autocommit() {
            // If that fails too, the connection says so at the next statement.
            let _ = self.lease.run("ROLLBACK");
        }
    }
}

/// A panic while holding a lock rolled its transaction back, so what is inside is sound.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Opens the first connection, and tells whether the write-ahead log is on. Network drives and the
/// shared storage of phones have no shared memory: there the old journal works.
fn open_first(path: &Path) -> rusqlite::Result<(Connection, bool)> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // Of a file that has tables already it changes nothing.
    connection.pragma_update(None, "page_size", PAGE)?;
    match switch_to_wal(&connection) {
        Ok(wal) => Ok((connection, wal)),
        Err(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen)) => {
            drop(connection);
            Ok((without_wal(path)?, false))
        }
        Err(error) => Err(error),
    }
}

fn switch_to_wal(connection: &Connection) -> rusqlite::Result<bool> {
    let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    // The shared memory is not asked for before the first look.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(mode.eq_ignore_ascii_case("wal"))
}

/// By now the file says that it has a log, and nobody can read it as long as it does: whoever has it for
/// itself needs no shared memory, and can take that back.
fn without_wal(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    for (pragma, word) in [("locking_mode", "EXCLUSIVE"), ("journal_mode", "DELETE"), ("locking_mode", "NORMAL")] {
        connection.pragma_update_and_check(None, pragma, word, |_| Ok(()))?;
    }
    // What it has for itself it gives back at the next look.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

fn open_another(path: &Path) -> rusqlite::Result<Handle> {
    // One thread at a time has it, as the type says, so it needs no lock of its own.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Handle::new(connection)
}

/// The same for a file that does not open: on a disk that cannot be written a lock or the log fails first,
/// and what SQLite says is about those.
fn explain_opening(error: rusqlite::Error, path: &Path) -> StoreError {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};

    let written = std::fs::OpenOptions::new().append(true).open(path);
    let refused = written.is_err_and(|error| matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem));
    match explain(error, path) {
        StoreError::Disk { path, reason: DiskTrouble::Refused | DiskTrouble::CannotOpen } if refused => {
            StoreError::Disk { path, reason: DiskTrouble::ReadOnly }
        }
        other => other,
    }
}

/// Says what is wrong in words that lead somewhere.
pub(crate) fn explain(error: rusqlite::Error, path: &Path) -> StoreError {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => DiskTrouble::Full,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => DiskTrouble::ReadOnly,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DiskTrouble::Busy,
        Some(ErrorCode::CannotOpen) => DiskTrouble::CannotOpen,
        Some(ErrorCode::SystemIoFailure) => DiskTrouble::Refused,
        Some(ErrorCode::DatabaseCorrupt) => DiskTrouble::Damaged,
        Some(ErrorCode::NotADatabase) => return StoreError::NotOurs { path: path.to_owned() },
        _ => return StoreError::Sqlite(error),
    };
    StoreError::Disk { path: path.to_owned(), reason }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Null => ValueRef::Null,
            Param::Int(number) => ValueRef::Integer(*number),
            Param::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl Sql for Transaction<'_> {
    fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError> {
        let run = || self.lease.connection().prepare_cached(sql)?.execute(rusqlite::params_from_iter(params));
        let rows = run().map_err(|error| self.database.explain(error))?;
        self.database.counters.written.fetch_add(rows as u64, Ordering::Relaxed);
        Ok(rows)
    }

    fn visit(&self, sql: &str, params: &[Param<'_>], visit: Visit<'_>) -> Result<(), StoreError> {
        let failed = |error| self.database.explain(error);
        let mut statement = self.lease.connection().prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(rusqlite::params_from_iter(params)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            self.database.counters.read.fetch_add(1, Ordering::Relaxed);
            if let Next::Stop = visit(&Found(row))? {
                break;
            }
        }
        Ok(())
    }
}

struct Found<'a>(&'a rusqlite::Row<'a>);

impl Row for Found<'_> {
    fn value(&self, column: usize) -> Result<Param<'_>, StoreError> {
        Ok(match self.0.get_ref(column)? {
            ValueRef::Null => Param::Null,
            ValueRef::Integer(number) => Param::Int(number),
            ValueRef::Blob(bytes) | ValueRef::Text(bytes) => Param::Bytes(bytes),
            ValueRef::Real(_) => return Err(StoreError::damaged("row", format!("column {column} is a fraction"))),
        })
    }
}
