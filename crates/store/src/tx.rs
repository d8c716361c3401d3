//! One transaction of one owner.

use rusqlite::types::FromSql;
use rusqlite::{OptionalExtension, Params, Row, Transaction};

use crate::store::{Owner, Recent, StoreError};

/// A transaction; the tables are in the other files of this crate.
pub struct Tx<'a> {
    pub(crate) sql: &'a Transaction<'a>,
    pub(crate) owner: &'a Owner,
    pub(crate) recent: &'a Recent,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(sql: &'a Transaction<'a>, owner: &'a Owner, recent: &'a Recent) -> Self {
        Tx { sql, owner, recent }
    }

    pub(crate) fn owner(&self) -> &'a [u8] {
        self.owner.as_bytes()
    }

    pub(crate) fn run(&self, sql: &str, params: impl Params) -> Result<usize, StoreError> {
        Ok(self.sql.prepare_cached(sql)?.execute(params)?)
    }

    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.sql.prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    pub(crate) fn many<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.sql.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<rusqlite::Result<Vec<T>>>()?)
    }
}

/// Reads a column through a type's own check.
pub(crate) fn column<B: FromSql, T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row<'_>,
    index: usize,
    read: impl FnOnce(B) -> Result<T, E>,
) -> rusqlite::Result<T> {
    let raw: B = row.get(index)?;
    read(raw)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Blob, Box::new(error)))
}

/// Reads a column that may be empty.
pub(crate) fn optional<B: FromSql, T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row<'_>,
    index: usize,
    read: impl FnOnce(B) -> Result<T, E>,
) -> rusqlite::Result<Option<T>> {
    match row.get::<_, Option<B>>(index)? {
        None => Ok(None),
        Some(raw) => read(raw).map(Some).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Blob, Box::new(error))
        }),
    }
}

/// Reads text that is stored as bytes.
pub(crate) fn text(row: &Row<'_>, index: usize) -> rusqlite::Result<String> {
    column(row, index, |bytes: Vec<u8>| String::from_utf8(bytes))
}
