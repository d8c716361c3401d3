//! Things that only one program may do at a time: collecting, migrating, bringing a copy back.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Holds the data folder for one kind of work, until it is dropped.
pub struct Hold {
    _file: File,
}

/// Takes hold, or says who has it.
pub(crate) fn hold(database: &Path, work: &str) -> Result<Hold, StoreError> {
    let path = lock_file(database);
    let failed = |source| StoreError::File { path: path.clone(), source };
    let mut file =
        OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut by = String::new();
            let _ = file.read_to_string(&mut by);
            let by = if by.is_empty() { "another program".to_owned() } else { by };
            return Err(StoreError::Held { by });
        }
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    let words = format!("{work}, process {}", std::process::id());
    let write = |file: &mut File| {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(words.as_bytes())
    };
    write(&mut file).map_err(failed)?;
    Ok(Hold { _file: file })
}

fn lock_file(database: &Path) -> PathBuf {
    database.with_extension("lock")
}

/// Moves a database and its log aside and copies another one to its place.
pub(crate) fn bring_back(copy: &Path, database: &Path) -> Result<PathBuf, StoreError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::File { path, source }
    };
    let aside = (1..).map(|number| database.with_extension(format!("db.before-{number}"))).find(|path| !path.exists());
    let aside = aside.expect("there are more numbers than files");
    let log = |path: &Path, end: &str| PathBuf::from(format!("{}{end}", path.display()));
    if database.exists() {
        std::fs::rename(database, &aside).map_err(failed(database))?;
    }
    for end in ["-wal", "-shm"] {
        let path = log(database, end);
        if path.exists() {
            std::fs::rename(&path, log(&aside, end)).map_err(failed(&path))?;
        }
    }
    std::fs::copy(copy, database).map_err(failed(copy))?;
    Ok(aside)
}
