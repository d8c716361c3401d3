//! A table whose rows carry a checksum in their last column.
//!
//! Rows are always written and read whole, so that the checksum can be computed and compared.

use std::sync::OnceLock;

use smallvec::SmallVec;
use twox_hash::XxHash3_64;

use crate::error::StoreError;
use crate::sql::{Next, Param, Row, Sql};

/// How many rows one statement inserts: as many of the largest as fit, then of the next.
const BATCHES: [usize; 6] = [32, 16, 8, 4, 2, 1];

/// Describes a table.
pub(crate) struct Table {
    name: &'static str,
    /// All columns but the last, `sum`.
    columns: &'static [&'static str],
    /// The columns of the primary key.
    key: &'static [&'static str],
    /// Columns outside the key that a replaced row keeps. To set one costs a page of each index with it, even if it
    /// is set to what it was.
    fixed: &'static [&'static str],
    statements: OnceLock<Statements>,
}

/// The texts of statements, which are the same each time.
struct Statements {
    /// In the order of `BATCHES`.
    insert: [String; BATCHES.len()],
    put: String,
    select: String,
}

/// A row as it lies in its table, whatever its columns hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawRow {
    pub(crate) values: Vec<Raw>,
    sum: Raw,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Raw {
    Null,
    Int(i64),
    Bytes(Vec<u8>),
    /// A fraction, which no column of ours holds.
    Odd,
}

impl From<Param<'_>> for Raw {
    fn from(value: Param<'_>) -> Raw {
        match value {
            Param::Null => Raw::Null,
            Param::Int(number) => Raw::Int(number),
            Param::Bytes(bytes) => Raw::Bytes(bytes.to_vec()),
        }
    }
}

impl Raw {
    pub(crate) fn param(&self) -> Result<Param<'_>, StoreError> {
        match self {
            Raw::Null => Ok(Param::Null),
            Raw::Int(number) => Ok(Param::Int(*number)),
            Raw::Bytes(bytes) => Ok(Param::Bytes(bytes)),
            Raw::Odd => Err(StoreError::damaged("row", "a column is a fraction")),
        }
    }
}

/// The same functions read a row of a result and a raw one.
impl Row for RawRow {
    fn value(&self, column: usize) -> Result<Param<'_>, StoreError> {
        self.values.get(column).map_or(Ok(Param::Null), Raw::param)
    }
}

impl RawRow {
    /// Makes a row that was not written yet.
    pub(crate) fn new(values: Vec<Raw>) -> RawRow {
        RawRow { values, sum: Raw::Null }
    }

    /// Tells whether its checksum is right.
    pub(crate) fn is_intact(&self) -> bool {
        self.fits(&self.values)
    }

    /// Tells whether the checksum of the row is that of these values: then they are what was once written.
    pub(crate) fn fits(&self, values: &[Raw]) -> bool {
        let mut content = Content::default();
        let is_read = values.iter().all(|value| value.param().map(|value| content.add(value)).is_ok());
        is_read && self.sum == Raw::Int(content.checksum())
    }
}

impl Table {
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// All columns but the checksum.
    pub(crate) fn columns(&self) -> &'static [&'static str] {
        self.columns
    }

    /// Returns the position of a column.
    pub(crate) fn column(&self, name: &str) -> usize {
        self.columns.iter().position(|own| *own == name).expect("the caller names a column of this table")
    }

    pub(crate) fn has_column(&self, name: &str) -> bool {
        self.columns.contains(&name)
    }

    /// Visits rows as they lie, damaged ones too.
    pub(crate) fn visit_raw(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(RawRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        sql.visit(&self.select(rest), params, &mut |row| {
            let raw = |column| row.value(column).map_or(Raw::Odd, Raw::from);
            let (values, sum) = ((0..self.columns.len()).map(raw).collect(), raw(self.columns.len()));
            visit(RawRow { values, sum }).map(|()| Next::Row)
        })
    }

    /// Puts a row in the place of another, or takes that away. Returns false if the other has changed meanwhile.
    pub(crate) fn replace_raw(&self, sql: &dyn Sql, seen: &RawRow, new: Option<&[Raw]>) -> Result<bool, StoreError> {
        let keys: Vec<usize> = self.key.iter().map(|key| self.column(key)).collect();
        let params = keys.iter().map(|key| seen.values[*key].param()).collect::<Result<Vec<_>, _>>()?;
        let terms: Vec<String> = self.key.iter().zip(1..).map(|(key, number)| format!("{key} = ${number}")).collect();
        let is_key = terms.join(" AND ");
        let mut found = None;
        self.visit_raw(sql, &is_key, &params, &mut |row| {
            found = Some(row);
            Ok(())
        })?;
        if found.as_ref() != Some(seen) {
            return Ok(false);
        }
        sql.run(&format!("DELETE FROM {} WHERE {is_key}", self.name), &params)?;
        if let Some(new) = new {
            self.insert(sql, &[new.iter().map(Raw::param).collect::<Result<Vec<_>, _>>()?])?;
        }
        Ok(true)
    }

    /// Inserts a row as it was read, with its checksum even if that is wrong.
    pub(crate) fn insert_raw(&self, sql: &dyn Sql, row: &RawRow) -> Result<(), StoreError> {
        let params = row.values.iter().chain([&row.sum]).map(Raw::param).collect::<Result<Vec<_>, _>>()?;
        sql.run(&self.insert_text(1), &params).map(drop)
    }

    /// Returns the key of a row in words, without the owner.
    pub(crate) fn key_words(&self, row: &dyn Row) -> String {
        let columns = self.columns.iter().enumerate();
        let key = columns.filter(|(_, name)| self.key.contains(name) && (**name != "owner" || self.key.len() == 1));
        let key = key.map(|(column, _)| match row.value(column) {
            Ok(Param::Int(number)) => number.to_string(),
            Ok(Param::Bytes(bytes)) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Ok(Param::Null) | Err(_) => "null".to_owned(),
        });
        key.collect::<Vec<_>>().join(" ")
    }

    pub(crate) const fn new(
        name: &'static str,
        columns: &'static [&'static str],
        key: &'static [&'static str],
    ) -> Table {
        Table { name, columns, key, fixed: &[], statements: OnceLock::new() }
    }

    pub(crate) const fn with_fixed(mut self, fixed: &'static [&'static str]) -> Table {
        self.fixed = fixed;
        self
    }

    fn statements(&self) -> &Statements {
        self.statements.get_or_init(|| Statements {
            insert: BATCHES.map(|rows| self.insert_text(rows)),
            put: self.put_text(),
            select: format!("SELECT {}, sum FROM {} WHERE ", self.columns.join(", "), self.name),
        })
    }

    fn insert_text(&self, rows: usize) -> String {
        let width = self.columns.len() + 1;
        let row = |row: usize| {
            let values: Vec<String> = (1..=width).map(|column| format!("${}", row * width + column)).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!("INSERT INTO {} ({}, sum) VALUES {}", self.name, self.columns.join(", "), rows.join(", "))
    }

    fn put_text(&self) -> String {
        let stays = |column: &&&str| **column == "owner" || self.key.contains(column) || self.fixed.contains(column);
        let changing = self.columns.iter().chain(&["sum"]).filter(|column| !stays(column));
        let set: Vec<String> = changing.map(|column| format!("{column} = excluded.{column}")).collect();
        let put =
            format!("{} ON CONFLICT ({}) DO UPDATE SET {}", self.insert_text(1), self.key.join(", "), set.join(", "));
        match self.is_versioned() {
            true => format!("{put} WHERE {}.version = excluded.version - 1", self.name),
            false => put,
        }
    }

    /// Inserts rows, several with one statement.
    pub(crate) fn insert(&self, sql: &dyn Sql, rows: &[Vec<Param<'_>>]) -> Result<(), StoreError> {
        let mut rows = rows;
        for (size, insert) in BATCHES.iter().zip(&self.statements().insert) {
            while let Some((batch, rest)) = rows.split_at_checked(*size) {
                sql.run(insert, &with_checksums(batch))?;
                rows = rest;
            }
        }
        Ok(())
    }

    /// Whether its rows are replaced only by the next version: compare-and-set.
    fn is_versioned(&self) -> bool {
        self.columns.contains(&"version") && !self.key.contains(&"version")
    }

    /// Inserts a row, or replaces the one with its key. A row with a version must be the one before.
    pub(crate) fn put(&self, sql: &dyn Sql, row: &[Param<'_>]) -> Result<(), StoreError> {
        match sql.run(&self.statements().put, &with_checksums(&[row]))? {
            0 => Err(StoreError::Conflict),
            _ => Ok(()),
        }
    }

    /// Visits the rows that a condition selects; `rest` is what follows `WHERE`.
    pub(crate) fn visit(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(&dyn Row) -> Result<Next, StoreError>,
    ) -> Result<(), StoreError> {
        sql.visit(&self.select(rest), params, &mut |row| self.check(row).and_then(|()| visit(row)))
    }

    /// Visits rows and tells of each whether its checksum is right.
    pub(crate) fn visit_unchecked(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(&dyn Row, bool) -> Result<Next, StoreError>,
    ) -> Result<(), StoreError> {
        sql.visit(&self.select(rest), params, &mut |row| visit(row, self.is_intact(row)?))
    }

    pub(crate) fn one<T>(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        read: impl FnOnce(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        sql.one(&self.select(rest), params, |row| self.check(row).and_then(|()| read(row)))
    }

    pub(crate) fn many<T>(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        sql.many(&self.select(rest), params, |row| self.check(row).and_then(|()| read(row)))
    }

    fn select(&self, rest: &str) -> String {
        [&self.statements().select, rest].concat()
    }

    fn check(&self, row: &dyn Row) -> Result<(), StoreError> {
        if self.is_intact(row)? { Ok(()) } else { Err(self.damaged(row)) }
    }

    fn is_intact(&self, row: &dyn Row) -> Result<bool, StoreError> {
        let mut content = Content::default();
        // A column that is a fraction was not written here.
        let is_read = (0..self.columns.len()).all(|column| row.value(column).map(|value| content.add(value)).is_ok());
        Ok(is_read && row.value(self.columns.len()).is_ok_and(|sum| sum == Param::Int(content.checksum())))
    }

    fn damaged(&self, row: &dyn Row) -> StoreError {
        StoreError::damaged(self.name, self.key_words(row))
    }
}

/// Returns the values of rows, each followed by its checksum.
fn with_checksums<'a>(rows: &[impl AsRef<[Param<'a>]>]) -> Vec<Param<'a>> {
    let mut params = Vec::new();
    for row in rows.iter().map(AsRef::as_ref) {
        params.extend_from_slice(row);
        let mut content = Content::default();
        row.iter().for_each(|value| content.add(*value));
        params.push(Param::Int(content.checksum()));
    }
    params
}

/// The values of a row as bytes, for a checksum that detects what a disk changed. Most rows fit without memory of
/// their own.
#[derive(Default)]
struct Content(SmallVec<[u8; 512]>);

impl Content {
    fn add(&mut self, value: Param<'_>) {
        match value {
            Param::Null => self.0.push(0),
            Param::Int(number) => {
                self.0.push(1);
                self.0.extend_from_slice(&number.to_le_bytes());
            }
            Param::Bytes(bytes) => {
                self.0.push(2);
                self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                self.0.extend_from_slice(bytes);
            }
        }
    }

    fn checksum(&self) -> i64 {
        i64::from(XxHash3_64::oneshot(&self.0) as u32)
    }
}
