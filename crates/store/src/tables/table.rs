//! A table whose rows carry a checksum in their last column.
//!
//! Rows are always written and read whole, so that the checksum can be computed and compared.

use twox_hash::XxHash3_64;

use crate::error::StoreError;
use crate::sql::{Next, Param, Row, Sql};

/// How many rows one statement inserts.
const BATCH: usize = 32;

/// Describes a table. All columns but the last, `sum`, are listed; those of the primary key come first.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
    /// How many columns form the primary key.
    pub(crate) key: usize,
}

impl Table {
    /// Inserts rows, several with one statement.
    pub(crate) fn insert(&self, sql: &dyn Sql, rows: &[Vec<Param<'_>>]) -> Result<(), StoreError> {
        let mut batches = rows.chunks_exact(BATCH);
        for batch in &mut batches {
            self.insert_batch(sql, batch)?;
        }
        batches.remainder().iter().try_for_each(|row| self.insert_batch(sql, std::slice::from_ref(row)))
    }

    fn insert_batch(&self, sql: &dyn Sql, rows: &[Vec<Param<'_>>]) -> Result<(), StoreError> {
        let mut params = Vec::with_capacity(rows.len() * (self.columns.len() + 1));
        for row in rows {
            params.extend_from_slice(row);
            params.push(Param::Int(checksum(row)));
        }
        sql.run(&self.insert_statement(rows.len()), &params)?;
        Ok(())
    }

    /// Inserts a row, or replaces the one with its key.
    pub(crate) fn put(&self, sql: &dyn Sql, row: &[Param<'_>]) -> Result<(), StoreError> {
        let mut params = row.to_vec();
        params.push(Param::Int(checksum(row)));
        let mut statement = self.insert_statement(1);
        statement += &format!(" ON CONFLICT ({}) DO UPDATE SET ", self.columns[..self.key].join(", "));
        for column in self.columns[self.key..].iter().chain(&["sum"]) {
            statement += &format!("{column} = excluded.{column}, ");
        }
        statement.truncate(statement.len() - 2);
        sql.run(&statement, &params)?;
        Ok(())
    }

    fn insert_statement(&self, rows: usize) -> String {
        let width = self.columns.len() + 1;
        let mut statement = format!("INSERT INTO {} ({}, sum) VALUES ", self.name, self.columns.join(", "));
        for row in 0..rows {
            statement += if row == 0 { "(" } else { ", (" };
            for column in 1..=width {
                statement += &format!("{}${}", if column == 1 { "" } else { ", " }, row * width + column);
            }
            statement.push(')');
        }
        statement
    }

    /// Visits the rows that a condition selects; `rest` is what follows `WHERE`.
    pub(crate) fn visit(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(&dyn Row) -> Result<Next, StoreError>,
    ) -> Result<(), StoreError> {
        self.visit_unchecked(sql, rest, params, &mut |row, is_intact| {
            if is_intact { visit(row) } else { Err(self.damaged(row)) }
        })
    }

    /// Visits rows and tells of each whether its checksum is right.
    pub(crate) fn visit_unchecked(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(&dyn Row, bool) -> Result<Next, StoreError>,
    ) -> Result<(), StoreError> {
        let statement = format!("SELECT {}, sum FROM {} WHERE {rest}", self.columns.join(", "), self.name);
        sql.visit(&statement, params, &mut |row| visit(row, self.is_intact(row)?))
    }

    pub(crate) fn one<T>(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        read: impl FnOnce(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let (mut read, mut found) = (Some(read), None);
        self.visit(sql, rest, params, &mut |row| {
            if let Some(read) = read.take() {
                found = Some(read(row)?);
            }
            Ok(Next::Stop)
        })?;
        Ok(found)
    }

    pub(crate) fn many<T>(
        &self,
        sql: &dyn Sql,
        rest: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.visit(sql, rest, params, &mut |row| {
            found.push(read(row)?);
            Ok(Next::Row)
        })?;
        Ok(found)
    }

    fn is_intact(&self, row: &dyn Row) -> Result<bool, StoreError> {
        let values = (0..self.columns.len()).map(|column| row.value(column)).collect::<Result<Vec<_>, _>>()?;
        Ok(row.value(self.columns.len())? == Param::Int(checksum(&values)))
    }

    fn damaged(&self, row: &dyn Row) -> StoreError {
        let key = (1.min(self.key - 1)..self.key).map(|column| match row.value(column) {
            Ok(Param::Int(number)) => number.to_string(),
            Ok(Param::Bytes(bytes)) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Ok(Param::Null) | Err(_) => "null".to_owned(),
        });
        StoreError::damaged(self.name, key.collect::<Vec<_>>().join(" "))
    }
}

/// Returns the checksum of the values of a row; it detects what a disk changed.
fn checksum(values: &[Param<'_>]) -> i64 {
    let mut bytes = Vec::with_capacity(256);
    for value in values {
        match value {
            Param::Null => bytes.push(0),
            Param::Int(number) => {
                bytes.push(1);
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            Param::Bytes(content) => {
                bytes.push(2);
                bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
                bytes.extend_from_slice(content);
            }
        }
    }
    i64::from(XxHash3_64::oneshot(&bytes) as u32)
}
