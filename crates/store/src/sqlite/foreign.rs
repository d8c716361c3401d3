//! The database of ST-VarSystem's plugin, opened to be read and never written.
//!
//! In: a path. Out: rows as they stand there, bytes and numbers; what they mean is known elsewhere.
//! The file belongs to another program, which may be running, and nobody vouches for it: only
//! plain tables of the known names are read, rows of odd types are passed over, and every answer
//! is bounded.
//!
//! A snapshot row names a structure; a structure names rows of the value pool. Nothing but the
//! `identifier` ties a snapshot to a page: `chat_file` and `message_id` are what the chat was
//! called and where the message stood when it was saved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use storeyline_state::{Explain, Explanation};

/// How many rows of a table are read; each is one reply of one chat.
pub const MAX_ROWS: usize = 1_000_000;

/// How many bytes a cell may have; the plugin refuses states above 2 MB.
pub const MAX_CELL: usize = 64_000_000;

/// Why a foreign database could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// It could not be opened.
    #[error("`{}` cannot be opened: {source}", path.display())]
    Open {
        /// Where it was looked for.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// Not a database, or one of another program.
    #[error("`{}` is not a database of ST-VarSystem: {missing}", path.display())]
    NotVarSystem {
        /// Where it is.
        path: PathBuf,
        /// What it lacks.
        missing: String,
    },
    /// More rows than anyone plays.
    #[error("table `{table}` has more than {MAX_ROWS} rows")]
    TooMany {
        /// Which table.
        table: &'static str,
    },
    /// A cell that no one wrote by playing.
    #[error("row {row} of table `{table}` is larger than {} MB", MAX_CELL / 1_000_000)]
    TooLarge {
        /// Which table.
        table: &'static str,
        /// Which row.
        row: i64,
    },
    /// Reading failed.
    #[error("the database of ST-VarSystem could not be read: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

impl Explain for ForeignError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            ForeignError::Open { path, source } => format!("`{}` 打不开：{source}", path.display()),
            ForeignError::NotVarSystem { path, missing } => {
                format!("`{}` 不是 ST-VarSystem 的数据库：{missing}", path.display())
            }
            ForeignError::TooMany { table } => format!("表 `{table}` 超过 {MAX_ROWS} 行"),
            ForeignError::TooLarge { table, row } => {
                format!("表 `{table}` 的第 {row} 行超过 {} MB", MAX_CELL / 1_000_000)
            }
            ForeignError::Sqlite(error) => format!("ST-VarSystem 的数据库无法读取：{error}"),
        };
        let hint = (
            "请给出插件的 SQLite 文件（`--varsystem-db`）；没有写入任何东西。",
            "Give the plugin's SQLite file (`--varsystem-db`); nothing was written.",
        );
        self.explained("bad_request", zh, hint)
    }
}

/// A row of `message_variables`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    /// What a message carries to name it.
    pub identifier: Vec<u8>,
    /// The chat's file name when it was saved, without ending.
    pub chat_file: Vec<u8>,
    /// The floor when it was saved, as text.
    pub message_id: Option<Vec<u8>>,
    /// Its row in `variable_structures`.
    pub structure: i64,
    /// When it was saved, in milliseconds since 1970.
    pub created: i64,
}

/// A row of `global_snapshots`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalSnapshotRow {
    /// Its id.
    pub identifier: Vec<u8>,
    /// Its name.
    pub name: Vec<u8>,
    /// What the user wrote about it.
    pub description: Option<Vec<u8>>,
    /// A JSON list of texts.
    pub tags: Option<Vec<u8>>,
    /// Its row in `variable_structures`.
    pub structure: i64,
    /// When it was made.
    pub created: i64,
}

/// A row of `variable_templates`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateRow {
    /// The character's name.
    pub character: Vec<u8>,
    /// The initial state as JSON.
    pub template: Vec<u8>,
}

/// An open database of ST-VarSystem.
pub struct VarSystemFile {
    connection: Connection,
    /// The first versions had no global snapshots.
    has_global: bool,
}

impl VarSystemFile {
    /// Opens a file. Its folder must be writable if the other program left it in WAL mode, because
    /// SQLite keeps a small file beside it while reading.
    pub fn open(path: &Path) -> Result<VarSystemFile, ForeignError> {
        let open = |source| ForeignError::Open { path: path.to_owned(), source };
        let not_ours = |missing: String| ForeignError::NotVarSystem { path: path.to_owned(), missing };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(open)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(open)?;
        connection.pragma_update(None, "trusted_schema", false).map_err(open)?;
        let has_table = |table: &str| match is_plain_table(&connection, table) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                Err(not_ours("it is no database".into()))
            }
            answer => answer.map_err(open),
        };
        for table in ["message_variables", "variable_structures", "value_pool"] {
            if !has_table(table)? {
                return Err(not_ours(format!("it has no table `{table}`")));
            }
        }
        let has_global = has_table("global_snapshots")?;
        Ok(VarSystemFile { connection, has_global })
    }

    /// Returns the snapshots of all chats, oldest row first.
    pub fn snapshots(&self) -> Result<Vec<SnapshotRow>, ForeignError> {
        let columns = "identifier, chat_file, message_id, structure_id, created_at";
        self.rows("message_variables", columns, |row| {
            Some(SnapshotRow {
                identifier: bytes(row, 1)?,
                chat_file: bytes(row, 2)?,
                message_id: bytes(row, 3),
                structure: number(row, 4)?,
                created: number(row, 5).unwrap_or(0),
            })
        })
    }

    /// Returns the global snapshots, oldest row first.
    pub fn global_snapshots(&self) -> Result<Vec<GlobalSnapshotRow>, ForeignError> {
        if !self.has_global {
            return Ok(Vec::new());
        }
        let columns = "snapshot_id, name, description, tags, structure_id, created_at";
        self.rows("global_snapshots", columns, |row| {
            Some(GlobalSnapshotRow {
                identifier: bytes(row, 1)?,
                name: bytes(row, 2)?,
                description: bytes(row, 3),
                tags: bytes(row, 4),
                structure: number(row, 5)?,
                created: number(row, 6).unwrap_or(0),
            })
        })
    }

    /// Returns the templates that the plugin keeps, oldest row first.
    pub fn templates(&self) -> Result<Vec<TemplateRow>, ForeignError> {
        if !is_plain_table(&self.connection, "variable_templates")? {
            return Ok(Vec::new());
        }
        self.rows("variable_templates", "character_name, template_content", |row| {
            Some(TemplateRow { character: bytes(row, 1)?, template: bytes(row, 2)? })
        })
    }

    /// Returns a structure: the JSON of a state in which long texts are references.
    pub fn structure(&self, id: i64) -> Result<Option<Vec<u8>>, ForeignError> {
        self.cell("variable_structures", "structure", id)
    }

    /// Returns a row of the value pool: the JSON of a text.
    pub fn value(&self, id: i64) -> Result<Option<Vec<u8>>, ForeignError> {
        self.cell("value_pool", "value_data", id)
    }

    fn rows<T>(
        &self,
        table: &'static str,
        columns: &str,
        read: impl Fn(&Row<'_>) -> Option<T>,
    ) -> Result<Vec<T>, ForeignError> {
        let sql = format!("SELECT id, {columns} FROM {table} ORDER BY id LIMIT {}", MAX_ROWS + 1);
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let (mut found, mut seen) = (Vec::new(), 0);
        while let Some(row) = rows.next()? {
            seen += 1;
            if seen > MAX_ROWS {
                return Err(ForeignError::TooMany { table });
            }
            if (0..row.as_ref().column_count()).any(|column| size(row, column) > MAX_CELL) {
                return Err(ForeignError::TooLarge { table, row: number(row, 0).unwrap_or(0) });
            }
            found.extend(read(row));
        }
        Ok(found)
    }

    fn cell(&self, table: &'static str, column: &str, id: i64) -> Result<Option<Vec<u8>>, ForeignError> {
        let sql = format!("SELECT {column} FROM {table} WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found =
            statement.query_row(params![id], |row| Ok((size(row, 0) <= MAX_CELL).then(|| bytes(row, 0)))).optional()?;
        match found {
            Some(None) => Err(ForeignError::TooLarge { table, row: id }),
            Some(Some(bytes)) => Ok(bytes),
            None => Ok(None),
        }
    }
}

/// Views, virtual tables and computed columns would run someone else's SQL.
fn is_plain_table(connection: &Connection, table: &str) -> Result<bool, rusqlite::Error> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql LIKE 'CREATE TABLE%'";
    let tables: i64 = connection.query_row(sql, params![table], |row| row.get(0))?;
    let sql = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0";
    let computed: i64 = connection.query_row(sql, params![table], |row| row.get(0))?;
    Ok(tables == 1 && computed == 0)
}

fn size(row: &Row<'_>, column: usize) -> usize {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => bytes.len(),
        _ => 0,
    }
}

fn bytes(row: &Row<'_>, column: usize) -> Option<Vec<u8>> {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => Some(bytes.to_vec()),
        _ => None,
    }
}

fn number(row: &Row<'_>, column: usize) -> Option<i64> {
    match row.get_ref(column) {
        Ok(ValueRef::Integer(number)) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of plugin version bf728c3, as far as they are read.
    const SCHEMA: &str = "
        CREATE TABLE value_pool (id INTEGER PRIMARY KEY AUTOINCREMENT, value_hash TEXT UNIQUE NOT NULL,
            value_type TEXT NOT NULL, value_data TEXT NOT NULL, ref_count INTEGER DEFAULT 0, created_at INTEGER NOT NULL);
        CREATE TABLE variable_structures (id INTEGER PRIMARY KEY AUTOINCREMENT, structure_hash TEXT UNIQUE NOT NULL,
            structure TEXT NOT NULL, created_at INTEGER NOT NULL);
        CREATE TABLE message_variables (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, chat_file TEXT NOT NULL,
            structure_id INTEGER NOT NULL, identifier TEXT NOT NULL, created_at INTEGER NOT NULL);
        CREATE TABLE variable_templates (id INTEGER PRIMARY KEY AUTOINCREMENT, character_name TEXT UNIQUE,
            template_content TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);";
    const GLOBAL: &str = "
        CREATE TABLE global_snapshots (id INTEGER PRIMARY KEY AUTOINCREMENT, snapshot_id TEXT UNIQUE NOT NULL,
            name TEXT NOT NULL, description TEXT, structure_id INTEGER NOT NULL, tags TEXT,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);";

    /// A database file in a folder of its own, removed at the end.
    struct File {
        folder: PathBuf,
    }

    impl File {
        fn new(name: &str, sql: &str) -> File {
            let folder = std::env::temp_dir().join(format!("storeyline-foreign-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let file = File { folder };
            let connection = Connection::open(file.path()).unwrap();
            connection.pragma_update(None, "journal_mode", "WAL").unwrap();
            connection.execute_batch(sql).unwrap();
            file
        }

        fn path(&self) -> PathBuf {
            self.folder.join("var-manager.db")
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.folder).ok();
        }
    }

    #[test]
    fn rows_are_read_as_they_stand() {
        let file = File::new(
            "rows",
            &format!(
                "{SCHEMA}{GLOBAL}
                INSERT INTO value_pool VALUES (7, 'h', 'string', '\"长\"', 1, 5);
                INSERT INTO variable_structures VALUES (3, 'h', '{{\"a\":{{\"__vmRef\":7}}}}', 5);
                INSERT INTO message_variables VALUES (1, '4', 'Aria - 1', 3, 'id-1', 5);
                INSERT INTO message_variables VALUES (2, NULL, 'Aria - 1', 'odd', 'id-2', 5);
                INSERT INTO variable_templates VALUES (1, 'Aria', '{{}}', 1, 1);
                INSERT INTO variable_templates VALUES (2, NULL, '{{}}', 1, 1);
                INSERT INTO global_snapshots VALUES (1, 'g', '名', NULL, 3, '[\"t\"]', 8, 9);"
            ),
        );
        let found = VarSystemFile::open(&file.path()).unwrap();
        let snapshots = found.snapshots().unwrap();
        let wanted = SnapshotRow {
            identifier: b"id-1".to_vec(),
            chat_file: b"Aria - 1".to_vec(),
            message_id: Some(b"4".to_vec()),
            structure: 3,
            created: 5,
        };
        assert_eq!(snapshots, [wanted], "a row of odd types is passed over");
        assert_eq!(found.structure(3).unwrap().unwrap(), br#"{"a":{"__vmRef":7}}"#);
        assert_eq!(found.value(7).unwrap().unwrap(), "\"长\"".as_bytes());
        assert_eq!((found.value(8).unwrap(), found.structure(-1).unwrap()), (None, None));
        assert_eq!(found.templates().unwrap(), [TemplateRow { character: b"Aria".to_vec(), template: b"{}".to_vec() }]);
        let global = &found.global_snapshots().unwrap()[0];
        assert_eq!((global.name.as_slice(), global.description.as_ref(), global.structure), ("名".as_bytes(), None, 3));
        assert!(found.connection.execute("DELETE FROM value_pool", []).is_err(), "nothing can be written");
    }

    #[test]
    fn the_first_versions_had_no_global_snapshots() {
        let file = File::new("old", SCHEMA);
        let found = VarSystemFile::open(&file.path()).unwrap();
        assert_eq!((found.global_snapshots().unwrap(), found.snapshots().unwrap()), (vec![], vec![]));
    }

    #[test]
    fn another_file_is_refused_with_words() {
        let refused = |name: &str, sql: &str| {
            let file = File::new(name, sql);
            VarSystemFile::open(&file.path()).err().unwrap().to_string()
        };
        assert!(refused("other", "CREATE TABLE t (x);").ends_with("it has no table `message_variables`"));
        let view = SCHEMA
            .replace("CREATE TABLE value_pool (", "CREATE VIEW value_pool AS SELECT 1 AS id; CREATE TABLE other (");
        assert!(refused("view", &view).ends_with("it has no table `value_pool`"));
        let computed =
            SCHEMA.replace("value_data TEXT NOT NULL", "value_data TEXT AS (printf('%.*c', 900000000, 'x'))");
        assert!(refused("computed", &computed).ends_with("it has no table `value_pool`"));
        let file = File::new("text", "");
        std::fs::write(file.path(), "no database at all, but long enough to look at it".repeat(9)).unwrap();
        assert!(matches!(VarSystemFile::open(&file.path()), Err(ForeignError::NotVarSystem { .. })));
        assert!(matches!(VarSystemFile::open(&file.folder.join("none.db")), Err(ForeignError::Open { .. })));
        assert!(!file.folder.join("none.db").exists(), "nothing is made");
    }

    #[test]
    fn a_cell_beyond_all_bounds_is_refused() {
        let file = File::new(
            "large",
            &format!(
                "{SCHEMA} INSERT INTO value_pool VALUES (1, 'h', 'string', zeroblob({}), 1, 5);
                INSERT INTO message_variables VALUES (1, '4', zeroblob({0}), 3, 'id-1', 5);",
                MAX_CELL + 1
            ),
        );
        let found = VarSystemFile::open(&file.path()).unwrap();
        assert!(matches!(found.value(1), Err(ForeignError::TooLarge { row: 1, .. })));
        assert!(matches!(found.snapshots(), Err(ForeignError::TooLarge { table: "message_variables", row: 1 })));
    }
}
