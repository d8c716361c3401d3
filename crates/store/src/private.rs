//! Access rights of the data folder: only the user who runs the program can read it and its files. Another user of
//! the machine could otherwise read every story, and hold locks.
//!
//! What exists is corrected at every start, because earlier files may be more open. On systems and disks without such
//! rights nothing happens.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Files of the data folder that do not begin with `storeyline.`.
const OTHERS: [&str; 5] = ["token", "port", "run.json", "browser-tokens", "links"];

/// Creates the folder and its parents if needed. Only its user can open it.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    protect_folder(path);
    Ok(())
}

/// Takes the rights of other users from the data folder and our files in it. A folder that also has files of somebody
/// else, such as a home folder, keeps its own rights.
pub fn protect_folder(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut is_ours = true;
    for entry in entries.flatten() {
        if is_ours_by_name(&entry.file_name().to_string_lossy()) {
            restrict(&entry.path());
        } else {
            is_ours = false;
        }
    }
    if is_ours {
        restrict(folder);
    }
}

/// Tells whether a file of the data folder is one of ours, or a copy of the database that somebody put there.
fn is_ours_by_name(name: &str) -> bool {
    name.starts_with("storeyline.") || name.ends_with(".db") || OTHERS.contains(&name)
}

/// Creates an empty file for SQLite, which would create one that everybody can read. Its log files get the same rights.
///
/// An existing file is not opened: closing it would release the locks of this process on it. If creating fails, SQLite
/// fails too and says why.
pub(crate) fn create_missing(path: &Path) {
    let _ = file_options().write(true).create_new(true).open(path);
}

/// Options to create a file that only its user can read and write.
pub fn file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a file that only its user can read. Readers see the old content or the new one, never a part.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!("storeyline.{name}.new"));
    let mut file = file_options().write(true).truncate(true).open(&new)?;
    file.write_all(text.as_bytes())?;
    drop(file);
    restrict(&new);
    fs::rename(&new, path)
}

/// Removes the rights of group and others. A file of another user cannot be changed, and is not ours to protect.
#[cfg(unix)]
fn restrict(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;

    // A link is not followed: what it leads to may be meant for others.
    let Ok(found) = fs::symlink_metadata(path) else { return };
    let mode = found.permissions().mode();
    if !found.is_symlink() && mode & 0o077 != 0 {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700));
    }
}

#[cfg(not(unix))]
fn restrict(_: &Path) {}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use super::*;
    use crate::Store;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_to_all(path: PathBuf, mode: u32) -> PathBuf {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn a_new_database_is_readable_by_its_user_only() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        create_folder(&folder).unwrap();
        let _store = Store::open(&folder.join("storeyline.db")).unwrap();
        assert_eq!((mode(&folder), mode(&place.path().join("a"))), (0o700, 0o700));
        for file in fs::read_dir(&folder).unwrap().flatten() {
            assert_eq!(mode(&file.path()), 0o600, "{:?}", file.file_name());
        }
    }

    #[test]
    fn an_old_folder_and_its_files_are_closed_when_they_are_opened() {
        let place = tempfile::tempdir().unwrap();
        let folder = open_to_all(place.path().to_owned(), 0o755);
        drop(Store::open(&folder.join("storeyline.db")).unwrap());
        let database = open_to_all(folder.join("storeyline.db"), 0o644);
        let copies = ["storeyline.db.before-1", "backup.db"].map(|name| folder.join(name));
        for copy in &copies {
            fs::write(copy, "").unwrap();
            open_to_all(copy.clone(), 0o644);
        }
        open_to_all(folder.clone(), 0o755);
        let _store = Store::open(&database).unwrap();
        assert_eq!((mode(&folder), mode(&database)), (0o700, 0o600));
        assert_eq!(copies.map(|copy| mode(&copy)), [0o600, 0o600]);
    }

    #[test]
    fn a_copy_is_readable_by_its_user_only() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(&place.path().join("storeyline.db")).unwrap();
        let copy = open_to_all(place.path().to_owned(), 0o755).join("copy");
        store.back_up(&copy).unwrap();
        assert_eq!(mode(&copy), 0o600);
    }

    #[test]
    fn a_folder_with_other_files_keeps_its_rights() {
        let place = tempfile::tempdir().unwrap();
        let folder = open_to_all(place.path().to_owned(), 0o755);
        fs::write(folder.join("letter.txt"), "").unwrap();
        let letter = open_to_all(folder.join("letter.txt"), 0o644);
        let database = folder.join("storeyline.db");
        let _store = Store::open(&database).unwrap();
        assert_eq!((mode(&folder), mode(&letter), mode(&database)), (0o755, 0o644, 0o600));
    }
}
