//! Sets columns of a database to wrong values, with a fitting checksum or without.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use twox_hash::XxHash3_64;

/// Columns that follow from nothing else: a wrong value with a fitting checksum is as good as another one.
pub(crate) const FREE: &[(&str, &[&str])] = &[
    ("owner", &["name", "node", "state", "other", "change_seq", "id"]),
    ("story", &["version", "title", "card", "rules", "card_rules", "choices", "settings", "created", "trashed"]),
    ("story", &["current"]),
    ("ref", &["ref", "kind", "name", "note", "colour", "origin", "version", "chat", "file", "file_owner"]),
    ("ref", &["host_node", "header", "updated", "trashed"]),
    ("operation", &["seq", "kind", "undoes", "client", "time", "detail", "number"]),
    ("client", &["name"]),
    ("request_seq", &["owner", "chat", "client", "seq", "time"]),
    ("given_up", &["owner", "page", "function"]),
    ("asset", &["owner", "kind", "name", "version", "value", "time"]),
    ("foreign_snapshot", &["owner", "id", "name", "chat", "message", "value", "created", "trashed"]),
    ("page", &["turn", "used"]),
    ("cursor", &["node", "page"]),
];

/// Columns whose content cannot be computed: they are named and left.
pub(crate) const LEFT: &[(&str, &[&str])] = &[
    ("text", &["id", "bytes"]),
    ("value", &["id", "bytes"]),
    ("turn", &["id", "bytes"]),
    ("page", &["id", "page", "inputs", "story"]),
    ("node", &["id"]),
    ("state", &["id"]),
    ("story", &["id", "story"]),
    ("ref", &["id", "ref"]),
    ("client", &["id"]),
    ("owner", &["id", "name"]),
    ("operation", &["ref", "number", "seq", "kind", "detail"]),
];

pub(crate) fn is_in(list: &[(&str, &[&str])], table: &str, column: &str) -> bool {
    list.iter().any(|(own, columns)| *own == table && columns.contains(&column))
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
    keys: Vec<String>,
    pub(crate) values: Vec<Sql>,
}

impl Row {
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
    let all: Vec<(String, i64)> =
        info.query_map([], |row| Ok((row.get(1)?, row.get(5)?)))?.collect::<rusqlite::Result<_>>()?;
    let columns: Vec<String> = all.iter().map(|(name, _)| name.clone()).filter(|name| name != "sum").collect();
    let keys: Vec<String> = all.iter().filter(|(_, key)| *key > 0).map(|(name, _)| name.clone()).collect();
    let count: i64 = database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    if count == 0 {
        return Ok(None);
    }
    let place = ((count as f64 * part) as i64).min(count - 1);
    let query = format!("SELECT {} FROM {table} LIMIT 1 OFFSET {place}", columns.join(", "));
    let read = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|column| row.get(column)).collect();
    let values = database.query_row(&query, [], read)?;
    Ok(Some(Row { table: table.to_owned(), columns, keys, values }))
}

/// The values that a column is set to: another row's, one that leads back to the row, and odd ones.
pub(crate) fn wrong_values(database: &Connection, row: &Row, column: usize) -> Vec<Sql> {
    let (name, table) = (&row.columns[column], &row.table);
    let old = &row.values[column];
    let query = format!("SELECT {name} FROM {table} WHERE {name} IS NOT ? ORDER BY random() LIMIT 1");
    let mut wrong: Vec<Sql> = database.query_row(&query, [old], |row| row.get(0)).into_iter().collect();
    match old {
        Sql::Blob(bytes) => {
            let mut flipped = bytes.clone();
            if let Some(last) = flipped.last_mut() {
                *last ^= 1;
            }
            wrong.extend([Sql::Blob(flipped), Sql::Blob(vec![7; bytes.len() + 3]), Sql::Integer(5)]);
        }
        Sql::Integer(number) => wrong.extend([number + 1, number - 1, i64::MAX, 1_234_567].map(Sql::Integer)),
        _ => wrong.push(Sql::Integer(3)),
    }
    let id = row.columns.iter().position(|own| own == "id");
    wrong.extend(id.map(|id| row.values[id].clone()));
    wrong.push(Sql::Null);
    wrong.retain(|value| value != old);
    wrong
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
