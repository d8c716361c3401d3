//! An open database, and how to look into it and change it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::StoreError;
use crate::hold::{self, Hold, Holder};
use crate::recent::Recent;
use crate::restore;
use crate::schema;
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

    /// Returns the name of the account.
    pub fn name(&self) -> &str {
        &self.0
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// An open database.
pub struct Store {
    pub(crate) database: Sqlite,
    recent: Recent,
    /// Whether something was written here that may lie in `fresh` still.
    left_fresh: AtomicBool,
    /// Tells other programs that it is open; given back when all else is closed.
    _open: Option<File>,
}

impl Store {
    /// Opens a database file, making it if needed.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let open = hold::note_open(path)?;
        Ok(Store::of(Sqlite::open(path)?, open))
    }

    /// Opens a database that lives in memory only.
    pub fn in_memory() -> Result<Store, StoreError> {
        Ok(Store::of(Sqlite::in_memory()?, None))
    }

    fn of(database: Sqlite, open: Option<File>) -> Store {
        Store { database, recent: Recent::default(), left_fresh: AtomicBool::new(false), _open: open }
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

    /// Returns how many bytes it takes on disk, what is still in its log too.
    pub fn file_bytes(&self) -> u64 {
        let Some(path) = self.database.path() else { return 0 };
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        [path, Path::new(&log)].into_iter().filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum()
    }

    /// Takes hold of the database for work that only one program may do at a time.
    pub fn hold(&self, work: &str) -> Result<Option<Hold>, StoreError> {
        self.database.path().map(|path| hold::hold(path, work)).transpose()
    }

    /// Returns who does something that only one program may do, and the processes that have it open.
    pub fn holders(database: &Path) -> (Option<Holder>, Vec<u32>) {
        (hold::busy(database), hold::open_in(database))
    }

    /// Gives space that is no longer used back to the disk.
    pub fn shrink(&self) -> Result<(), StoreError> {
        self.database.maintain(|connection| {
            connection.execute_batch("VACUUM")?;
            // What was moved lies in the log until now; a reader elsewhere only keeps the log from becoming shorter.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
    }

    /// Writes a copy of the whole database as it is at one moment.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::File { path: to.to_owned(), source };
        if to.exists() {
            return Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)));
        }
        // Looking into the folder tells in the system's own words what is wrong with it.
        fs::metadata(to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
            .map_err(failed)?;
        let target = to.to_str().ok_or_else(|| failed(io::Error::from(io::ErrorKind::InvalidFilename)))?;
        let copied = self.database.maintain(|connection| connection.execute("VACUUM INTO ?1", [target]));
        let done = copied
            .map_err(|error| error.about(to))
            .and_then(|_| File::open(to).and_then(|file| file.sync_all()).map_err(failed));
        if done.is_err() {
            // Half a copy is worse than none.
            let _ = fs::remove_file(to);
        }
        done
    }

    /// Puts a copy in the place of a database that nobody has open, and returns where the old one is.
    pub fn bring_back(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
        restore::bring_back(copy, database)
    }

    /// Does something in one transaction: all of it is written, or nothing.
    pub fn write<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        durability: Durability,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut left = None;
        let done = self.database.write(durability, |sql| {
            let mut tx = Tx::begin(sql, owner, &self.recent, true)?;
            let result = work(&mut tx)?;
            left = tx.finish()?;
            Ok(result)
        });
        match (&done, left) {
            (Err(_), _) => self.recent.forget(),
            (Ok(_), Some(left)) => {
                self.left_fresh.fetch_or(left.batch.is_some(), Ordering::Relaxed);
                self.recent.see_left(left);
            }
            (Ok(_), None) => {}
        }
        done
    }

    /// Forgets what is remembered of the database.
    pub(crate) fn forget(&self) {
        self.recent.forget();
    }

    /// Looks at something as it is at one moment.
    pub fn read<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.database.read(|sql| work(&Tx::begin(sql, owner, &self.recent, false)?))
    }

    /// The same, with all rows in their tables: for those who look at whole tables.
    pub(crate) fn read_tables<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut work = Some(work);
        for _ in 0..TRIES {
            let done = self.read(owner, |tx| match tx.has_fresh() {
                true => Ok::<_, E>(None),
                false => work.take().map(|work| work(tx)).transpose(),
            })?;
            if let Some(done) = done {
                return Ok(done);
            }
            self.write(owner, Durability::Normal, |tx| tx.settle())?;
        }
        // Others are writing all the time: they wait for once.
        self.write(owner, Durability::Normal, |tx| {
            tx.settle()?;
            work.take().expect("nobody has done it")(tx)
        })
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

/// So often rows are spread before others have to wait.
const TRIES: usize = 4;

/// Whoever ends in peace leaves its rows in their tables.
impl Drop for Store {
    fn drop(&mut self) {
        if *self.left_fresh.get_mut() && self.database.path().is_some() {
            // What cannot be spread now is spread by whoever writes next.
            let _ = self.write(&Owner::local(), Durability::Normal, |tx| tx.clear_fresh());
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
