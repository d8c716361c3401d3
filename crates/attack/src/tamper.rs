//! Sets columns of a database to wrong values, with a fitting checksum or without, and tells what becomes of them.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use twox_hash::XxHash3_64;

/// What goes wrong is told to a person.
pub(crate) type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Columns of a table, and why they are on a list.
type Reason = (&'static str, &'static [&'static str], &'static str);

/// Columns that follow from nothing else: a wrong value of the right type, under a fitting checksum, may pass.
#[rustfmt::skip]
pub(crate) const FREE: &[Reason] = &[
    ("owner", &["name"], "another name is another owner"),
    ("owner", &["node", "state", "other", "change_seq"], "counters: any number above the last that was given is as good"),
    ("story", &["version"], "counts changes, and only whether it changes is asked"),
    ("story", &["title", "card_rules", "choices", "settings"], "chosen by the user; compared with the log while that is whole"),
    ("story", &["card", "created", "trashed"], "said once, by the host, the clock or the user"),
    ("story", &["rules"], "composed by the version of the program that wrote it"),
    ("story", &["current"], "any branch of the story may be the one that is read"),
    ("ref", &["ref", "chat", "file", "file_owner", "header"], "said once, by the engine or the host"),
    ("ref", &["kind", "name", "note", "colour"], "chosen by the user; compared with the log while that is whole"),
    ("ref", &["origin", "host_node"], "any ref or node of the story is possible"),
    ("ref", &["version", "updated", "trashed"], "counts changes; times"),
    ("operation", &["seq", "number"], "any position that keeps the order is possible where others were collected"),
    ("operation", &["kind", "undoes", "detail"], "compared with each other and with what follows; beyond that nothing tells"),
    ("operation", &["client", "time"], "who asked, and when"),
    ("client", &["name"], "said once, by the client"),
    ("request_seq", &["chat", "client", "seq", "time"], "what a client said last; asked for again"),
    ("given_up", &["page", "function"], "what was killed; found out again"),
    ("asset", &["kind", "name", "version", "value", "time"], "chosen by the user: another name, order or value is as possible"),
    ("foreign_snapshot", &["id", "name", "chat", "message", "value", "created", "trashed"], "said once, by another tool"),
    ("page", &["used"], "any position in the feed is possible"),
    ("page", &["turn", "turn NULL"], "any turn in which the page is active is possible"),
    ("cursor", &["node", "page"], "any leaf below the page is possible"),
    ("node", &["state NULL"], "a node on no branch may have none; it is evaluated when it is read"),
];

/// Columns whose content is stored once and cannot be computed: they are named, and lost.
#[rustfmt::skip]
pub(crate) const LEFT: &[Reason] = &[
    ("text", &["bytes"], "the words of a page"),
    ("value", &["bytes"], "rules, names and host fields; their hash only tells that they are wrong"),
    ("turn", &["bytes"], "the pages of a floor and their order; that of a single page is found"),
    ("page", &["page"], "the id that the host knows; found only if the page has another version"),
    ("page", &["inputs"], "speaker, time and corrections by hand"),
];

pub(crate) fn is_in(list: &[Reason], table: &str, column: &str) -> bool {
    list.iter().any(|(own, columns, _)| *own == table && columns.contains(&column))
}

/// How often a check that took too long is measured again.
const RETRIES: usize = 4;

/// A database that may be damaged, and what the program says about it.
pub(crate) trait Program {
    /// Puts the whole database back.
    fn reset(&mut self) -> Done;

    fn folder(&self) -> &Path;

    /// Checks it, or repairs it.
    fn verify(&mut self, repair: bool) -> Done<Told>;

    /// Returns what is read of each floor that can be read.
    fn floors(&mut self) -> Done<BTreeSet<String>>;
}

/// What `verify` said.
pub(crate) struct Told {
    /// What is wrong, and whether it was repaired.
    pub(crate) problems: Vec<(String, bool)>,
    pub(crate) time: Duration,
}

/// How a database is when nothing is wrong.
pub(crate) struct Whole {
    pub(crate) floors: BTreeSet<String>,
    /// How long `verify` may take; nothing: as long as it wants.
    pub(crate) time: Option<Duration>,
}

/// A column that is set to a wrong value.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) row: Row,
    pub(crate) column: usize,
    pub(crate) value: Sql,
    /// Whether the checksum is that of the wrong row.
    pub(crate) fitting: bool,
}

/// What became of a wrong value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The table did not take it.
    Refused,
    /// It was found, and nothing is wrong after a repair.
    Repaired,
    /// It was found, cannot be repaired, and is named by every run.
    Lost,
    /// It is as good as the right one.
    Free,
    Wrong(String),
}

impl Case {
    /// All wrong values of some rows of each table: those at these parts of its length.
    pub(crate) fn all(database: &Connection, parts: &[f64]) -> rusqlite::Result<Vec<Case>> {
        let mut cases = Vec::new();
        for table in tables(database)? {
            let mut rows: Vec<Row> = Vec::new();
            for part in parts {
                let row = row_at(database, &table, *part)?;
                rows.extend(row.filter(|row| rows.iter().all(|known| known.values != row.values)));
            }
            for (row, column) in rows.iter().flat_map(|row| (0..row.columns.len()).map(move |column| (row, column))) {
                for value in wrong_values(database, row, column) {
                    let case = |fitting| Case { row: row.clone(), column, value: value.clone(), fitting };
                    cases.extend([case(false), case(true)]);
                }
            }
        }
        Ok(cases)
    }

    pub(crate) fn table(&self) -> &str {
        &self.row.table
    }

    pub(crate) fn column(&self) -> &str {
        &self.row.columns[self.column]
    }

    /// Damages the database, verifies and repairs it, and tells what became of the value.
    pub(crate) fn judge(&self, program: &mut dyn Program, whole: &Whole) -> Done<Verdict> {
        program.reset()?;
        if !set(program.folder(), &self.row, self.column, &self.value, self.fitting)? {
            return Ok(Verdict::Refused);
        }
        let found = program.verify(false)?;
        let (mut time, most) = (found.time, whole.time.unwrap_or(Duration::MAX));
        for _ in 0..RETRIES {
            // Another program may have had the machine.
            if time > most {
                time = time.min(program.verify(false)?.time);
            }
        }
        if time > most {
            return Ok(self.wrong(&format!("verify took {time:?}")));
        }
        let first = program.verify(true)?;
        let left = program.verify(false)?;
        let floors = program.floors()?;
        let (table, column) = (self.table(), self.column());
        if found.problems.is_empty() {
            let is_free =
                is_in(FREE, table, column) || self.value == Sql::Null && is_in(FREE, table, &format!("{column} NULL"));
            let may_pass = self.fitting && is_free && self.row.takes(self.column, &self.value);
            return Ok(if may_pass { Verdict::Free } else { self.wrong("not found") });
        }
        if !self.is_named(&found) {
            return Ok(self.wrong(&format!("not named: {:?}", found.problems)));
        }
        if left.problems.is_empty() {
            let is_same = floors == whole.floors;
            return Ok(if is_same { Verdict::Repaired } else { self.wrong(&format!("changed: {:?}", first.problems)) });
        }
        if !self.fitting && !is_in(LEFT, table, column) {
            return Ok(self.wrong(&format!("left: {:?}\n    after {:?}", left.problems, first.problems)));
        }
        let second = program.verify(true)?;
        let last = program.verify(false)?;
        if second.problems.iter().any(|(_, repaired)| *repaired) || last.problems != left.problems {
            return Ok(self.wrong(&format!("no end: {:?}\n    then {:?}", left.problems, last.problems)));
        }
        // Who can write a fitting checksum is found out, but until then his text is shown.
        if !self.fitting && !floors.is_subset(&whole.floors) {
            return Ok(self.wrong(&format!("floors are others: {:?}", left.problems)));
        }
        Ok(Verdict::Lost)
    }

    /// Tells whether the row is named. Under a fitting checksum it may be the other of two that do not agree.
    fn is_named(&self, found: &Told) -> bool {
        let mut values = self.row.values.clone();
        values[self.column] = self.value.clone();
        let name = format!("{} {}:", self.row.table, self.row.name(&values));
        found.problems.iter().any(|(what, _)| what.starts_with(&name)) || self.fitting
    }

    fn wrong(&self, what: &str) -> Verdict {
        let Case { row, column, value, fitting } = self;
        let (old, sum) = (&row.values[*column], if *fitting { "fits" } else { "does not fit" });
        Verdict::Wrong(format!("{}.{} = {value:?} (was {old:?}), the checksum {sum}: {what}", row.table, self.column()))
    }
}

/// Returns the checksum that a row with these values should have.
pub(crate) fn checksum(row: &[Sql]) -> i64 {
    let mut content = Vec::new();
    for value in row {
        match value {
            Sql::Null => content.push(0),
            Sql::Integer(number) => {
                content.push(1);
                content.extend_from_slice(&number.to_le_bytes());
            }
            Sql::Blob(bytes) => {
                content.push(2);
                content.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                content.extend_from_slice(bytes);
            }
            Sql::Text(text) => {
                content.push(2);
                content.extend_from_slice(&(text.len() as u64).to_le_bytes());
                content.extend_from_slice(text.as_bytes());
            }
            Sql::Real(_) => content.push(3),
        }
    }
    i64::from(XxHash3_64::oneshot(&content) as u32)
}

/// A table, its columns without the checksum, and one of its rows.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) table: String,
    pub(crate) columns: Vec<String>,
    /// As they are declared: what they take.
    types: Vec<String>,
    keys: Vec<String>,
    pub(crate) values: Vec<Sql>,
}

impl Row {
    /// Tells whether a value is of the type of a column.
    fn takes(&self, column: usize, value: &Sql) -> bool {
        match value {
            Sql::Null => true,
            Sql::Blob(_) => self.types[column] == "BLOB",
            _ => self.types[column] != "BLOB",
        }
    }

    /// Returns the key that a row with these values has, in the words of `verify`.
    fn name(&self, values: &[Sql]) -> String {
        let columns = self.columns.iter().zip(values);
        let key =
            columns.filter(|(column, _)| self.keys.contains(column) && (*column != "owner" || self.keys.len() == 1));
        let key = key.map(|(_, value)| match value {
            Sql::Integer(number) => number.to_string(),
            Sql::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            _ => "null".to_owned(),
        });
        key.collect::<Vec<_>>().join(" ")
    }

    fn is_key(&self) -> String {
        let terms: Vec<String> = self.keys.iter().map(|key| format!("{key} IS ?")).collect();
        terms.join(" AND ")
    }

    fn key(&self) -> Vec<Sql> {
        let columns = self.columns.iter().zip(&self.values);
        let key = |key: &String| columns.clone().find(|(column, _)| *column == key).map(|(_, value)| value.clone());
        self.keys.iter().filter_map(key).collect()
    }
}

pub(crate) fn tables(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'setting'";
    database.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// Reads a row of a table: the one at this part of its length.
pub(crate) fn row_at(database: &Connection, table: &str, part: f64) -> rusqlite::Result<Option<Row>> {
    let mut info = database.prepare(&format!("PRAGMA table_info({table})"))?;
    let mut all: Vec<(String, String, i64)> =
        info.query_map([], |row| Ok((row.get(1)?, row.get(2)?, row.get(5)?)))?.collect::<rusqlite::Result<_>>()?;
    all.retain(|(name, ..)| name != "sum");
    let columns: Vec<String> = all.iter().map(|(name, ..)| name.clone()).collect();
    let types = all.iter().map(|(_, kind, _)| kind.clone()).collect();
    let keys: Vec<String> = all.iter().filter(|(.., key)| *key > 0).map(|(name, ..)| name.clone()).collect();
    let count: i64 = database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    if count == 0 {
        return Ok(None);
    }
    let place = ((count as f64 * part) as i64).min(count - 1);
    let query = format!("SELECT {} FROM {table} LIMIT 1 OFFSET {place}", columns.join(", "));
    let read = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|column| row.get(column)).collect();
    let values = database.query_row(&query, [], read)?;
    Ok(Some(Row { table: table.to_owned(), columns, types, keys, values }))
}

/// The values that a column is set to: another row's, one that leads back to the row, and odd ones.
pub(crate) fn wrong_values(database: &Connection, row: &Row, column: usize) -> Vec<Sql> {
    let (name, table) = (&row.columns[column], &row.table);
    let old = &row.values[column];
    let mut wrong: Vec<Sql> = Vec::new();
    for order in ["", " DESC"] {
        let query = format!("SELECT {name} FROM {table} WHERE {name} IS NOT ? ORDER BY {name}{order} LIMIT 1");
        wrong.extend(database.query_row(&query, [old], |row| row.get::<_, Sql>(0)).ok());
    }
    match old {
        Sql::Blob(bytes) => {
            let mut flipped = bytes.clone();
            if let Some(last) = flipped.last_mut() {
                *last ^= 1;
            }
            wrong.extend([Sql::Blob(flipped), Sql::Blob(vec![7; bytes.len() + 3]), Sql::Integer(5)]);
        }
        Sql::Integer(number) => wrong.extend([number + 1, number - 1, i64::MAX, 1_234_567].map(Sql::Integer)),
        _ => wrong.extend([Sql::Integer(3), Sql::Blob(vec![7; 3])]),
    }
    let id = row.columns.iter().position(|own| own == "id");
    wrong.extend(id.map(|id| row.values[id].clone()));
    wrong.push(Sql::Null);
    let mut tried: Vec<Sql> = Vec::new();
    for value in wrong {
        if value != *old && !tried.contains(&value) {
            tried.push(value);
        }
    }
    tried
}

/// Writes a value, with a fitting checksum or without; tells whether the table took it.
pub(crate) fn set(folder: &Path, row: &Row, column: usize, value: &Sql, fitting: bool) -> rusqlite::Result<bool> {
    let database = Connection::open(folder.join("storeyline.db"))?;
    let mut values = row.values.clone();
    values[column] = value.clone();
    let sum = if fitting { format!(", sum = {}", checksum(&values)) } else { String::new() };
    let query = format!("UPDATE {} SET {} = ?{sum} WHERE {}", row.table, row.columns[column], row.is_key());
    let params = [value.clone()].into_iter().chain(row.key());
    // An index may refuse it.
    Ok(database.execute(&query, rusqlite::params_from_iter(params)).is_ok_and(|rows| rows == 1))
}
