//! Who uses a database: every program that has it open, and the one that does something only one may
//! do at a time (collecting, building the index for searching, bringing a copy back).
//!
//! Two files beside the database are locked, never written as data: `storeyline.open` is shared by all
//! who have it open, `storeyline.lock` belongs to one and says who that is. The system gives a lock
//! back when a program ends, however it ends.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::private;

/// Who holds a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    /// What for; nothing: it is just open.
    pub work: Option<String>,
    /// Their process numbers, where the system tells.
    pub processes: Vec<u32>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.list("process", ", ");
        if words.is_empty() { Ok(()) } else { write!(f, " ({words})") }
    }
}

impl Holder {
    pub(crate) fn chinese(&self) -> String {
        let words = self.list("进程", "，");
        if words.is_empty() { "另一个程序".into() } else { words }
    }

    fn list(&self, process: &str, comma: &str) -> String {
        let processes = self.processes.iter().map(|number| format!("{process} {number}"));
        self.work.iter().cloned().chain(processes).collect::<Vec<_>>().join(comma)
    }
}

/// Holds the data folder for one kind of work, until it is dropped.
pub struct Hold {
    _file: File,
}

/// Takes hold, or says who has it.
pub(crate) fn hold(database: &Path, work: &str) -> Result<Hold, StoreError> {
    let path = lock_file(database);
    let failed = |source| StoreError::File { path: path.clone(), source };
    let mut file = open_file(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::Held { by: written_by(&mut file) }),
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    let words = format!("{work} {}", std::process::id());
    let write = |file: &mut File| {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(words.as_bytes())
    };
    write(&mut file).map_err(failed)?;
    Ok(Hold { _file: file })
}

/// Tells all others that a database is open, until it is dropped.
///
/// A folder that cannot hold the file, and a disk that has no locks, are no reason to refuse: whether
/// the database itself can be used will show.
pub(crate) fn note_open(database: &Path) -> Result<Option<File>, StoreError> {
    let Ok(file) = open_file(&open_mark(database)) else { return Ok(None) };
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::Held { by: busy(database).unwrap_or_default() }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Makes sure that nobody has a database open, and that nobody opens it until this is dropped.
pub(crate) fn be_alone(database: &Path) -> Result<File, StoreError> {
    let path = open_mark(database);
    let failed = |source| StoreError::File { path: path.clone(), source };
    let file = open_file(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(StoreError::Held { by: Holder { work: None, processes: open_in(database) } })
        }
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// Returns the processes that have a database open, this one left out; nothing where the system does not tell.
pub(crate) fn open_in(database: &Path) -> Vec<u32> {
    let mut processes = locked_by(&open_mark(database));
    processes.retain(|process| *process != std::process::id());
    processes
}

/// Returns who does something that only one program may do.
pub(crate) fn busy(database: &Path) -> Option<Holder> {
    let mut file = File::open(lock_file(database)).ok()?;
    // A shared lock for a moment: nobody who looks as we do is in the way.
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(written_by(&mut file)),
        _ => None,
    }
}

fn written_by(file: &mut File) -> Holder {
    let mut words = String::new();
    // On some systems a locked file cannot be read: then nobody knows.
    let _ = file.read_to_string(&mut words);
    let (work, process) = words.rsplit_once(' ').unwrap_or_default();
    Holder {
        work: Some(work.to_owned()).filter(|work| !work.is_empty()),
        processes: process.parse().ok().into_iter().collect(),
    }
}

fn open_file(path: &Path) -> std::io::Result<File> {
    private::file_options().truncate(false).read(true).write(true).open(path)
}

fn lock_file(database: &Path) -> PathBuf {
    database.with_extension("lock")
}

fn open_mark(database: &Path) -> PathBuf {
    database.with_extension("open")
}

/// Linux lists the locks of all programs: `1: FLOCK ADVISORY READ 4711 08:01:1234 0 EOF`.
#[cfg(target_os = "linux")]
fn locked_by(path: &Path) -> Vec<u32> {
    let inode = std::fs::metadata(path).map(|file| std::os::unix::fs::MetadataExt::ino(&file).to_string());
    let (Ok(inode), Ok(locks)) = (inode, std::fs::read_to_string("/proc/locks")) else { return Vec::new() };
    let process = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let same = words.get(5)?.rsplit(':').next() == Some(inode.as_str());
        words.get(4)?.parse().ok().filter(|process| same && *process != 0)
    };
    let mut processes: Vec<u32> = locks.lines().filter_map(process).collect();
    processes.sort_unstable();
    processes.dedup();
    processes
}

#[cfg(not(target_os = "linux"))]
fn locked_by(_: &Path) -> Vec<u32> {
    Vec::new()
}
