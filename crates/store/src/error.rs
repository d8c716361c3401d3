//! Why the store could not do something.

use std::path::{Path, PathBuf};

use storeyline_history::Incomplete;

use crate::hold::Holder;

/// Why the store could not do something. What was stored before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite said no.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A page could not be evaluated now.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// What a change was made from has changed meanwhile.
    #[error("the story was changed at the same time")]
    Conflict,
    /// A newer program wrote this database.
    #[error("{path} was written by a newer version of Storeyline (layout {found}; this program knows {known})")]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The newest layout that is known.
        known: i64,
    },
    /// A file that is not one of ours.
    #[error("{path} is not a database of Storeyline")]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The disk said no.
    #[error("{path}: {reason}")]
    Disk {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: DiskTrouble,
    },
    /// Another program does something that needs the data folder for itself.
    #[error("the data folder is in use by another program{by}")]
    Held {
        /// Who, and what for.
        by: Holder,
    },
    /// Something that must be there is not.
    #[error("{kind} {id} is missing from the store")]
    Missing {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
    /// Something that is there cannot be read.
    #[error("{kind} {id} is damaged")]
    Damaged {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// What can be wrong with a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskTrouble {
    /// No space.
    #[error("the disk is full")]
    Full,
    /// No right to write.
    #[error("it cannot be written")]
    ReadOnly,
    /// Another program holds it for too long.
    #[error("another program is writing to it and does not come to an end")]
    Busy,
    /// It cannot be opened at all.
    #[error("it cannot be opened")]
    CannotOpen,
    /// The system refused to read or write a piece of it.
    #[error("the system could not read or write it")]
    Refused,
    /// Its bytes are no longer those of a database.
    #[error("the file is damaged")]
    Damaged,
}

impl StoreError {
    /// Names another file: the one that somebody gave, instead of our copy of it.
    pub(crate) fn about(self, other: &Path) -> StoreError {
        match self {
            StoreError::TooNew { found, known, .. } => StoreError::TooNew { path: other.to_owned(), found, known },
            StoreError::NotOurs { .. } => StoreError::NotOurs { path: other.to_owned() },
            StoreError::Disk { reason, .. } => StoreError::Disk { path: other.to_owned(), reason },
            error => error,
        }
    }

    /// A row that is there already was not there when the change was made.
    pub(crate) fn as_conflict(self) -> StoreError {
        match &self {
            StoreError::Sqlite(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
            {
                StoreError::Conflict
            }
            _ => self,
        }
    }

    /// Something that is stored cannot be read.
    pub fn damaged(kind: &'static str, id: impl ToString) -> StoreError {
        StoreError::Damaged { kind, id: id.to_string() }
    }

    /// Something that must be stored is not there.
    pub fn missing(kind: &'static str, id: impl ToString) -> StoreError {
        StoreError::Missing { kind, id: id.to_string() }
    }
}
