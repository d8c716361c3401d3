//! SQLite: one file, one writer, many readers. The only folder that knows the driver and its dialect.

mod checkpoint;
pub mod foreign;
pub(crate) mod full_text;
pub(crate) mod schema;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use crate::error::{DiskTrouble, StoreError};
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

/// More idle readers than these are closed.
const READERS: usize = 4;

/// Kilobytes of pages that the writer and each reader keep. The system keeps the file in memory too, so that
/// more would save little, and a server that is always on has all of it.
const WRITER_CACHE: i64 = 8_000;
const READER_CACHE: i64 = 4_000;

/// Pages of the write-ahead log at which a commit carries it over into the file itself: 64 MB.
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
    // Closed before the writer: the last connection to go empties the log, and a reader may not.
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Writer>,
    /// Whether readers and a writer can work side by side.
    wal: bool,
    counters: Counters,
}

struct Writer {
    connection: Connection,
    durability: Durability,
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let failed = |error| explain(error, path);
        let (mut connection, wal) = open_writer(path).map_err(|error| explain_opening(error, path))?;
        schema::migrate(&mut connection, path)?;
        prepare(&connection).map_err(failed)?;
        Ok(Sqlite {
            path: Some(path.to_owned()),
            writer: Mutex::new(Writer { connection, durability: Durability::Full }),
            readers: Mutex::default(),
            wal,
            checkpoints: wal.then(|| Checkpoints::new(path.to_owned())),
            counters: Counters::default(),
        })
    }

    pub(crate) fn in_memory() -> Result<Sqlite, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        schema::migrate(&mut connection, Path::new("memory"))?;
        prepare(&connection)?;
        let writer = Mutex::new(Writer { connection, durability: Durability::Full });
        Ok(Sqlite {
            path: None,
            writer,
            readers: Mutex::default(),
            wal: false,
            checkpoints: None,
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
        let mut writer = lock(&self.writer);
        let failed = |error| E::from(self.explain(error));
        if writer.durability != durability {
            let word = if durability == Durability::Full { "FULL" } else { "NORMAL" };
            writer.connection.pragma_update(None, "synchronous", word).map_err(failed)?;
            writer.durability = durability;
        }
        let transaction = Transaction::begin(&writer.connection, "BEGIN IMMEDIATE").map_err(failed)?;
        let result = work(&self.session(&writer.connection))?;
        transaction.commit().map_err(failed)?;
        if let Some(checkpoints) = &self.checkpoints {
            checkpoints.count();
        }
        Ok(result)
    }

    /// Runs something in a write transaction and rolls it back.
    pub(crate) fn roll_back<T>(&self, work: impl FnOnce(&dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let writer = lock(&self.writer);
        let _transaction =
            Transaction::begin(&writer.connection, "BEGIN IMMEDIATE").map_err(|error| self.explain(error))?;
        work(&self.session(&writer.connection))
    }

    /// Begins to read one moment of the database; writers go on meanwhile.
    pub(crate) fn begin_read(&self) -> Result<ReadTransaction<'_>, StoreError> {
        let failed = |error| self.explain(error);
        let connection = match self.path.as_deref().filter(|_| self.wal) {
            None => ReadConnection::Shared(lock(&self.writer)),
            Some(path) => {
                let idle = lock(&self.readers).pop();
                ReadConnection::Own(Some(match idle {
                    Some(connection) => connection,
                    None => open_reader(path).map_err(failed)?,
                }))
            }
        };
        connection.get().prepare_cached("BEGIN").and_then(|mut begin| begin.execute([])).map_err(failed)?;
        Ok(ReadTransaction { database: self, connection })
    }

    /// Returns the bytes of each table and index.
    pub(crate) fn sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.maintain(|connection| {
            let mut statement = connection.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")?;
            let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64)))?;
            rows.collect()
        })
    }

    /// Returns what the database itself finds wrong with its file.
    pub(crate) fn check(&self, how: &str) -> Result<Vec<String>, StoreError> {
        self.maintain(|connection| {
            let mut statement = connection.prepare(&format!("PRAGMA {how}"))?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(lines.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// Does something that needs the whole file: no transaction is around it.
    pub(crate) fn maintain<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        lock(&self.readers).clear();
        work(&lock(&self.writer).connection).map_err(|error| self.explain(error))
    }

    fn session<'a>(&'a self, connection: &'a Connection) -> Session<'a> {
        Session { connection, path: self.path.as_deref(), counters: &self.counters }
    }

    fn explain(&self, error: rusqlite::Error) -> StoreError {
        explain(error, self.path.as_deref().unwrap_or(Path::new("memory")))
    }
}

/// A read transaction; it ends when it is dropped.
pub(crate) struct ReadTransaction<'a> {
    database: &'a Sqlite,
    connection: ReadConnection<'a>,
}

/// Without a write-ahead log readers and the writer share a connection.
enum ReadConnection<'a> {
    Shared(MutexGuard<'a, Writer>),
    Own(Option<Connection>),
}

impl ReadConnection<'_> {
    fn get(&self) -> &Connection {
        match self {
            ReadConnection::Shared(writer) => &writer.connection,
            ReadConnection::Own(connection) => connection.as_ref().expect("it is given back only at the end"),
        }
    }
}

impl Sql for ReadTransaction<'_> {
    fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError> {
        self.database.session(self.connection.get()).run(sql, params)
    }

    fn visit(&self, sql: &str, params: &[Param<'_>], visit: Visit<'_>) -> Result<(), StoreError> {
        self.database.session(self.connection.get()).visit(sql, params, visit)
    }
}

impl Drop for ReadTransaction<'_> {
    fn drop(&mut self) {
        // If that fails too, the connection says so at the next statement.
        let ended = self.connection.get().prepare_cached("ROLLBACK").and_then(|mut end| end.execute([]));
        if let ReadConnection::Own(connection) = &mut self.connection
            && ended.is_ok()
        {
            let mut readers = lock(&self.database.readers);
            if readers.len() < READERS {
                readers.extend(connection.take());
            }
        }
    }
}

/// A write transaction, rolled back when it is dropped. The driver's own prepares its statements each time.
struct Transaction<'a>(&'a Connection);

impl<'a> Transaction<'a> {
    fn begin(connection: &'a Connection, how: &str) -> rusqlite::Result<Self> {
        connection.prepare_cached(how)?.execute([])?;
        Ok(Transaction(connection))
    }

    fn commit(self) -> rusqlite::Result<()> {
        self.0.prepare_cached("COMMIT")?.execute([]).map(drop)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.0.is_autocommit() {
            // If that fails too, the connection says so at the next statement.
            let _ = self.0.prepare_cached("ROLLBACK").and_then(|mut rollback| rollback.execute([]));
        }
    }
}

/// A panic while holding a lock rolled its transaction back, so what is inside is sound.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Opens the connection that writes, and tells whether the write-ahead log is on. Network drives and the
/// shared storage of phones have no shared memory: there the old journal works.
fn open_writer(path: &Path) -> rusqlite::Result<(Connection, bool)> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
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

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    tune(connection, WRITER_CACHE)
}

fn tune(connection: &Connection, kilobytes: i64) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", -kilobytes)?;
    connection.set_prepared_statement_cache_capacity(128);
    // Else a statement is planned anew whenever other numbers are bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    // One thread at a time has it, as the type says, so it needs no lock of its own.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    tune(&connection, READER_CACHE)?;
    Ok(connection)
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

/// A connection within a transaction.
struct Session<'a> {
    connection: &'a Connection,
    path: Option<&'a Path>,
    counters: &'a Counters,
}

impl Session<'_> {
    fn explain(&self, error: rusqlite::Error) -> StoreError {
        explain(error, self.path.unwrap_or(Path::new("memory")))
    }
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

impl Sql for Session<'_> {
    fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError> {
        let run = || self.connection.prepare_cached(sql)?.execute(rusqlite::params_from_iter(params));
        let rows = run().map_err(|error| self.explain(error))?;
        self.counters.written.fetch_add(rows as u64, Ordering::Relaxed);
        Ok(rows)
    }

    fn visit(&self, sql: &str, params: &[Param<'_>], visit: Visit<'_>) -> Result<(), StoreError> {
        let failed = |error| self.explain(error);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(rusqlite::params_from_iter(params)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            self.counters.read.fetch_add(1, Ordering::Relaxed);
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
