//! The interface between tables and a database: SQL with numbers and bytes, nothing else.
//!
//! Tables are written once against this; a driver is one folder (`sqlite/`). SQL text uses `$1`, `$2` …
//! in the order of first use, upserts and plain types, which SQLite and PostgreSQL both read.

use storeyline_history::{NodeKey, PageKey, StateKey, TurnKey, ValueKey};

use crate::error::StoreError;
use crate::keys::{OwnerKey, RefKey, StoryKey, TextKey};

/// A value of a column or parameter. Text is bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Param<'a> {
    Null,
    Int(i64),
    Bytes(&'a [u8]),
}

impl From<i64> for Param<'_> {
    fn from(number: i64) -> Self {
        Param::Int(number)
    }
}

impl From<usize> for Param<'_> {
    fn from(number: usize) -> Self {
        Param::Int(number as i64)
    }
}

impl From<bool> for Param<'_> {
    fn from(yes: bool) -> Self {
        Param::Int(i64::from(yes))
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Param::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Param<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Param::Bytes(bytes)
    }
}

macro_rules! key_params {
    ($($key:ty),*) => { $(impl From<$key> for Param<'_> {
        fn from(key: $key) -> Self {
            Param::Int(key.0)
        }
    })* };
}
key_params!(NodeKey, PageKey, StateKey, TurnKey, ValueKey, StoryKey, RefKey, TextKey, OwnerKey);

impl<'a> From<&'a Vec<u8>> for Param<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Param::Bytes(bytes)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Self {
        Param::Bytes(text.as_bytes())
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(text: &'a String) -> Self {
        Param::Bytes(text.as_bytes())
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}

/// Makes a list of parameters.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Param::from($value)),*] };
}
pub(crate) use params;

/// A row of a result.
pub(crate) trait Row {
    fn value(&self, column: usize) -> Result<Param<'_>, StoreError>;

    fn maybe_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.value(column)? {
            Param::Null => Ok(None),
            Param::Int(number) => Ok(Some(number)),
            Param::Bytes(_) => Err(wrong(column, "not a number")),
        }
    }

    fn maybe_bytes(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        match self.value(column)? {
            Param::Null => Ok(None),
            Param::Bytes(bytes) => Ok(Some(bytes)),
            Param::Int(_) => Err(wrong(column, "not bytes")),
        }
    }

    fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.maybe_int(column)?.ok_or_else(|| wrong(column, "empty"))
    }

    fn bytes(&self, column: usize) -> Result<&[u8], StoreError> {
        self.maybe_bytes(column)?.ok_or_else(|| wrong(column, "empty"))
    }

    fn text(&self, column: usize) -> Result<String, StoreError> {
        String::from_utf8(self.bytes(column)?.to_vec()).map_err(|_| wrong(column, "not text"))
    }

    fn maybe_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        if self.maybe_bytes(column)?.is_some() { self.text(column).map(Some) } else { Ok(None) }
    }

    fn count(&self, column: usize) -> Result<usize, StoreError> {
        usize::try_from(self.int(column)?).map_err(|_| wrong(column, "negative"))
    }
}

impl dyn Row + '_ {
    /// Returns bytes of a fixed length.
    pub(crate) fn fixed<const N: usize>(&self, column: usize) -> Result<[u8; N], StoreError> {
        array(self.bytes(column)?, column)
    }
}

fn array<const N: usize>(bytes: &[u8], column: usize) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| wrong(column, "of another length"))
}

fn wrong(column: usize, problem: &str) -> StoreError {
    StoreError::damaged("row", format!("column {column} is {problem}"))
}

/// Whether to go on with the next row.
pub(crate) enum Next {
    Row,
    Stop,
}

/// Takes the rows of a result one by one.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&dyn Row) -> Result<Next, StoreError>;

/// A database within a transaction.
pub(crate) trait Sql {
    /// Changes something; returns how many rows.
    fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError>;

    /// Goes through the rows of a result.
    fn visit(&self, sql: &str, params: &[Param<'_>], visit: Visit<'_>) -> Result<(), StoreError>;
}

impl dyn Sql + '_ {
    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnOnce(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut read = Some(read);
        let mut found = None;
        self.visit(sql, params, &mut |row| {
            if let Some(read) = read.take() {
                found = Some(read(row)?);
            }
            Ok(Next::Stop)
        })?;
        Ok(found)
    }

    pub(crate) fn many<T>(
        &self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.visit(sql, params, &mut |row| {
            found.push(read(row)?);
            Ok(Next::Row)
        })?;
        Ok(found)
    }

    /// Returns the number that a query counts.
    pub(crate) fn count(&self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        Ok(self.one(sql, params, |row| row.int(0))?.unwrap_or(0) as u64)
    }
}
