//! Bringing a copy back: checked first, then put in the place of a database that nobody has open.
//!
//! The copy itself is not touched: what is checked, brought up to date and moved into place is a copy
//! of it in the data folder. The old database stays beside the new one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::error::StoreError;
use crate::hold;
use crate::private;
use crate::sqlite::{Sqlite, explain, schema};

/// What belongs to a database while it is open, and after a power cut.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// What may stand beside a database.
const BESIDE: [&str; 3] = ["-wal", "-journal", "-shm"];

/// Puts a copy in the place of a database; returns where the old one is, if there was one.
pub(crate) fn bring_back(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let _held = hold::hold(database, "restore")?;
    let _alone = hold::be_alone(database)?;
    let new = database.with_extension("db.incoming");
    let done = bring_in(copy, &new).and_then(|()| swap(&new, database));
    if done.is_err() {
        forget(&new);
    }
    done
}

/// Copies a copy, with what stands beside it, and makes sure that it can be used.
fn bring_in(copy: &Path, new: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::File { path: copy.to_owned(), source };
    if !fs::metadata(copy).map_err(failed)?.is_file() {
        return Err(StoreError::NotOurs { path: copy.to_owned() });
    }
    forget(new);
    copy_file(copy, new).map_err(failed)?;
    for end in LOGS.into_iter().filter(|end| beside(copy, end).exists()) {
        copy_file(&beside(copy, end), &beside(new, end)).map_err(failed)?;
    }
    let problems = check(new).map_err(|error| error.about(copy))?;
    match problems.first() {
        Some(problem) => Err(StoreError::damaged("the copy", problem)),
        None => fs::File::open(new).and_then(|file| file.sync_all()).map_err(failed),
    }
}

/// Copies the bytes and not the rights: a copy that was locked away must become a database one can write.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut new = private::file_options().write(true).truncate(true).open(to)?;
    io::copy(&mut fs::File::open(from)?, &mut new)?;
    Ok(())
}

fn check(new: &Path) -> Result<Vec<String>, StoreError> {
    // A file of a few bytes, or one without tables, would pass for a database that is just being made.
    let made = Connection::open(new).and_then(|connection| schema::is_ours(&connection));
    if !made.map_err(|error| explain(error, new))? {
        return Err(StoreError::NotOurs { path: new.to_owned() });
    }
    let opened = Sqlite::open(new)?;
    let problems = opened.check("integrity_check")?;
    drop(opened);
    // Closing has emptied the log into the file.
    for end in BESIDE {
        let _ = fs::remove_file(beside(new, end));
    }
    Ok(problems)
}

/// Moves the old database aside and the new one to its place.
fn swap(new: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let failed = |source: io::Error| StoreError::File { path: database.to_owned(), source };
    if !database.exists() {
        fs::rename(new, database).map_err(failed)?;
        return Ok(None);
    }
    let aside = (1..).map(|number| database.with_extension(format!("db.before-{number}"))).find(|path| !path.exists());
    let aside = aside.expect("there are more numbers than files");
    empty_log(database);
    // With a second name the old one is never missing; where a disk has no such thing, for a moment it is.
    let linked = fs::hard_link(database, &aside).is_ok();
    if !linked {
        fs::rename(database, &aside).map_err(failed)?;
    }
    for end in BESIDE {
        let _ = fs::rename(beside(database, end), beside(&aside, end));
    }
    fs::rename(new, database).map_err(failed)?;
    Ok(Some(aside))
}

/// What stands in the log of the old database belongs into its file; a damaged one keeps its log beside it.
fn empty_log(database: &Path) {
    let _ = Connection::open(database)
        .and_then(|connection| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
}

fn forget(new: &Path) {
    for end in BESIDE.into_iter().chain([""]) {
        let _ = fs::remove_file(beside(new, end));
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
