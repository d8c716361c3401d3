//! What a database must be able to do for us: run SQL with numbers and bytes, nothing else.
//!
//! The tables are written once against this; a driver is one file (`sqlite.rs`). SQL text uses `$1`,
//! `$2` … in the order of first use, upserts and plain types, which SQLite and PostgreSQL both read.

use crate::error::StoreError;

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Param<'a> {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// Bytes; also text that people wrote.
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

/// A row of an answer.
pub(crate) trait Row {
    /// Returns a number.
    fn maybe_int(&self, column: usize) -> Result<Option<i64>, StoreError>;

    /// Returns bytes.
    fn maybe_bytes(&self, column: usize) -> Result<Option<&[u8]>, StoreError>;

    /// Returns a number that must be there.
    fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.maybe_int(column)?.ok_or_else(|| StoreError::damaged("row", format!("column {column} is empty")))
    }

    /// Returns bytes that must be there.
    fn bytes(&self, column: usize) -> Result<&[u8], StoreError> {
        self.maybe_bytes(column)?.ok_or_else(|| StoreError::damaged("row", format!("column {column} is empty")))
    }

    /// Returns text that must be there.
    fn text(&self, column: usize) -> Result<String, StoreError> {
        let text = String::from_utf8(self.bytes(column)?.to_vec());
        text.map_err(|_| StoreError::damaged("row", format!("column {column} is not text")))
    }

    /// Returns a count that must be there.
    fn count(&self, column: usize) -> Result<usize, StoreError> {
        usize::try_from(self.int(column)?)
            .map_err(|_| StoreError::damaged("row", format!("column {column} is negative")))
    }
}

/// Whether to go on with the next row.
pub(crate) enum Next {
    /// Go on.
    Row,
    /// That is enough.
    Stop,
}

/// Takes the rows of an answer one by one.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&dyn Row) -> Result<Next, StoreError>;

/// A database within a transaction.
pub(crate) trait Sql {
    /// Changes something; returns how many rows.
    fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<usize, StoreError>;

    /// Inserts one row into a table that numbers its rows; returns the number.
    fn insert(&self, sql: &str, params: &[Param<'_>]) -> Result<i64, StoreError>;

    /// Goes through the rows of an answer.
    fn visit(&self, sql: &str, params: &[Param<'_>], visit: Visit<'_>) -> Result<(), StoreError>;
}
