//! An open database, and how to look into it and change it.

use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::hold::{self, Hold};
use crate::recent::Recent;
use crate::sqlite::{Durability, Sqlite, Work};
use crate::tx::Tx;

/// Whose stories these are. Nothing is shared between owners.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner(String);

impl Owner {
    /// The only owner where there are no accounts.
    pub fn local() -> Self {
        Owner("local".into())
    }

    /// The owner of an account.
    pub fn named(name: &str) -> Self {
        Owner(name.to_owned())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// An open database.
pub struct Store {
    pub(crate) database: Sqlite,
    recent: Recent,
}

impl Store {
    /// Opens a database file, making it if needed.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { database: Sqlite::open(path)?, recent: Recent::default() })
    }

    /// Opens a database that lives in memory only.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store { database: Sqlite::in_memory()?, recent: Recent::default() })
    }

    /// Tells whether readers and a writer can work side by side; not so on some network drives.
    pub fn has_wal(&self) -> bool {
        self.database.has_wal()
    }

    /// Returns how much was read and written since it was opened.
    pub fn work(&self) -> Work {
        self.database.work()
    }

    /// Returns what the database itself finds wrong with its file.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        self.database.maintain(|connection| {
            let mut statement = connection.prepare("PRAGMA integrity_check")?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(lines.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// Takes hold of the database for work that only one program may do at a time.
    pub fn hold(&self, work: &str) -> Result<Option<Hold>, StoreError> {
        self.database.path().map(|path| hold::hold(path, work)).transpose()
    }

    /// Gives space that is no longer used back to the disk.
    pub fn shrink(&self) -> Result<(), StoreError> {
        self.database.maintain(|connection| connection.execute_batch("VACUUM"))
    }

    /// Writes a copy of the whole database as it is at one moment.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            let source = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
            return Err(StoreError::File { path: to.to_owned(), source });
        }
        let target = to.to_string_lossy().into_owned();
        self.database.maintain(|connection| connection.execute("VACUUM INTO ?1", [target]))?;
        Ok(())
    }

    /// Puts a copy in the place of a database that nobody has open; the old one stays beside it.
    pub fn bring_back(copy: &Path, database: &Path) -> Result<PathBuf, StoreError> {
        let _held = hold::hold(database, "restore")?;
        let problems = Store::open_copy(copy)?.integrity()?;
        if let Some(problem) = problems.first() {
            return Err(StoreError::damaged("the copy", problem));
        }
        hold::bring_back(copy, database)
    }

    /// Opens a copy only to look at it; it is not changed.
    fn open_copy(copy: &Path) -> Result<Store, StoreError> {
        if !copy.is_file() {
            let source = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(StoreError::File { path: copy.to_owned(), source });
        }
        Store::open(copy)
    }

    /// Does something in one transaction: all of it is written, or nothing.
    pub fn write<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        durability: Durability,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let done = self.database.write(durability, |sql| work(&mut Tx::begin(sql, owner, &self.recent, true)?));
        if done.is_err() {
            self.recent.forget();
        }
        done
    }

    /// Looks at something as it is at one moment.
    pub fn read<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.database.read(|sql| work(&Tx::begin(sql, owner, &self.recent, false)?))
    }

    /// Tries something and takes all of it back: what would be, without it being so.
    pub fn rehearse<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut result = None;
        let taken_back = self.database.write(Durability::Normal, |sql| {
            result = Some(work(&mut Tx::begin(sql, owner, &self.recent, true)?));
            Err::<(), Rehearsed<E>>(Rehearsed::TakenBack)
        });
        self.recent.forget();
        match (taken_back, result) {
            (Err(Rehearsed::Failed(error)), None) => Err(error),
            (_, Some(result)) => result,
            (Ok(()) | Err(Rehearsed::TakenBack), None) => unreachable!("the work was done before it was taken back"),
        }
    }
}

/// How a rehearsal ends.
enum Rehearsed<E> {
    TakenBack,
    Failed(E),
}

impl<E: From<StoreError>> From<StoreError> for Rehearsed<E> {
    fn from(error: StoreError) -> Self {
        Rehearsed::Failed(E::from(error))
    }
}
