//! An open database.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use storeyline_state::PageId;

use crate::cache::Cache;
use crate::draft::{Draft, Evaluator};
use crate::error::StoreError;
use crate::hold::{self, Hold, Holder};
use crate::ids::Ids;
use crate::private;
use crate::restore;
use crate::sqlite::{Durability, Sqlite, Work, schema};
use crate::tables::{cursors, owners};
use crate::view::View;

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

    /// Returns the name of the account.
    pub fn name(&self) -> &str {
        &self.0
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// An open database. Copies share it.
#[derive(Clone)]
pub struct Store {
    pub(crate) database: Arc<Sqlite>,
    pub(crate) cache: Arc<Cache>,
    pub(crate) ids: Arc<Ids>,
    /// Tells other programs that it is open; given back when all else is closed.
    _open: Option<Arc<File>>,
}

impl Store {
    /// Opens a database file, making it if needed.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent() {
            private::protect_folder(folder);
        }
        let open = hold::note_open(path)?;
        Ok(Store::new(Sqlite::open(path)?, open))
    }

    /// Opens a database that lives in memory only.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store::new(Sqlite::in_memory()?, None))
    }

    fn new(database: Sqlite, open: Option<File>) -> Store {
        Store {
            database: Arc::new(database),
            cache: Arc::new(Cache::new()),
            ids: Arc::default(),
            _open: open.map(Arc::new),
        }
    }

    /// Returns a handle that reads the rows of an owner and cannot write.
    pub fn view<'a>(&'a self, owner: &'a Owner) -> View<'a> {
        View::new(self, owner)
    }

    /// Returns the same for checking what is in the file.
    pub fn view_past_cache<'a>(&'a self, owner: &'a Owner) -> View<'a> {
        View::past_cache(self, owner)
    }

    /// Begins a change. Nothing is written before [`Store::commit`].
    pub fn draft<'a>(&'a self, owner: &'a Owner, evaluator: &'a mut dyn Evaluator) -> Draft<'a> {
        Draft::new(self.view(owner), evaluator)
    }

    /// Begins a change that will not be written.
    pub fn trial<'a>(&'a self, owner: &'a Owner, evaluator: &'a mut dyn Evaluator) -> Draft<'a> {
        Draft::new_trial(self.view(owner), evaluator)
    }

    /// Notes that a function is given up on a page.
    pub fn give_up(&self, owner: &Owner, page: PageId, function: &str) -> Result<(), StoreError> {
        self.database.write(Durability::Full, |sql| {
            let row = owners::find_or_new(sql, owner)?;
            owners::put(sql, owner, &row)?;
            cursors::give_up(sql, row.key, page, function)
        })
    }

    /// Tells whether readers and a writer can work side by side; not so on some network drives.
    pub fn has_wal(&self) -> bool {
        self.database.has_wal()
    }

    /// Returns how much was read and written since it was opened.
    pub fn work(&self) -> Work {
        self.database.work()
    }

    /// Returns the number of the layout of its tables.
    pub fn layout(&self) -> i64 {
        schema::LAYOUT
    }

    /// Returns what the database itself finds wrong with its file.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        self.database.check("integrity_check")
    }

    /// The same without comparing tables and indexes: much faster on a large file.
    pub fn quick_integrity(&self) -> Result<Vec<String>, StoreError> {
        self.database.check("quick_check")
    }

    /// Returns how many bytes it takes on disk, including its log.
    pub fn file_bytes(&self) -> u64 {
        let Some(path) = self.database.path() else { return 0 };
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        [path, Path::new(&log)].into_iter().filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum()
    }

    /// Takes the lock for work that only one program may do at a time.
    pub fn hold(&self, work: &str) -> Result<Option<Hold>, StoreError> {
        self.database.path().map(|path| hold::hold(path, work)).transpose()
    }

    /// Returns who does something that only one program may do, and the processes that have it open.
    pub fn holders(database: &Path) -> (Option<Holder>, Vec<u32>) {
        (hold::busy(database), hold::open_in(database))
    }

    /// Makes sure that it can be written, by a commit that changes nothing. SQLite skips a row that stays equal, so it
    /// is changed and changed back.
    pub fn probe(&self) -> Result<(), StoreError> {
        self.database.write(Durability::Full, |sql| {
            sql.run("UPDATE setting SET search = search + 1", &[])?;
            sql.run("UPDATE setting SET search = search - 1", &[]).map(drop)
        })
    }

    /// Tells whether another process has it open, where the system tells.
    pub fn is_open_elsewhere(&self) -> bool {
        self.database.path().is_some_and(|path| !hold::open_in(path).is_empty())
    }

    /// Gives space that is no longer used back to the disk.
    pub fn shrink(&self) -> Result<(), StoreError> {
        self.database.maintain(|connection| {
            connection.execute_batch("VACUUM")?;
            // The moved pages are still in the log; a reader elsewhere only keeps it from becoming shorter.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
    }

    /// Writes a copy of the whole database as it is at one moment.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::File { path: to.to_owned(), source };
        if to.exists() {
            return Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)));
        }
        // Opening the folder tells in the system's own words what is wrong with it.
        fs::metadata(to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
            .map_err(failed)?;
        // Under another name until it is whole: a program that is killed leaves no half copy that looks like one.
        let unfinished = unfinished_name(to);
        let target = unfinished.to_str().ok_or_else(|| failed(io::Error::from(io::ErrorKind::InvalidFilename)))?;
        // SQLite fills an empty file, and would make one that everybody can read.
        private::create_missing(&unfinished);
        let copied = self.database.inspect(|connection| connection.execute("VACUUM INTO ?1", [target]));
        let done = copied
            .map_err(|error| error.about(to))
            .and_then(|_| File::open(&unfinished).and_then(|file| file.sync_all()).map_err(failed))
            // A second name refuses a file that came meanwhile; not every disk has second names.
            .and_then(|()| match fs::hard_link(&unfinished, to) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(failed(error)),
                Err(_) => fs::rename(&unfinished, to).map_err(failed),
                Ok(()) => Ok(()),
            });
        let _ = fs::remove_file(&unfinished);
        done
    }

    /// Replaces a database that nobody has open by a copy, and returns where the old one is.
    pub fn bring_back(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
        restore::bring_back(copy, database)
    }
}

/// Returns the name of a copy that is being written, which no other program uses.
fn unfinished_name(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(format!(".unfinished-{}", std::process::id()));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_writes() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(&place.path().join("storeyline.db")).unwrap();
        let log = || fs::metadata(place.path().join("storeyline.db-wal")).unwrap().len();
        store.probe().unwrap();
        let before = log();
        store.probe().unwrap();
        assert!(log() > before);
    }
}
