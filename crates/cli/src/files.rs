//! Files that commands write.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file, and makes its folder. Readers see the old content or the new one, also after a crash.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| replace_file(path, bytes)).map_err(|source| Failure::file(path, source))
}

fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let beside = path.with_extension("storeyline-part");
    let written = File::create(&beside).and_then(|mut file| {
        if let Ok(old) = fs::metadata(&path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(bytes).and_then(|()| file.sync_all())
    });
    written.and_then(|()| fs::rename(&beside, &path)).or_else(|_| {
        // A single file that a container shares cannot be replaced, only written.
        let _ = fs::remove_file(&beside);
        fs::write(&path, bytes)
    })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_reader_sees_the_old_content_or_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("deeper/list.json");
        let contents = ["a", "b"].map(|letter| letter.repeat(1 << 20));
        write_file(path, contents[0].as_bytes()).unwrap();
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                (0..20).for_each(|round| write_file(path, contents[round % 2].as_bytes()).unwrap());
            });
            while !writer.is_finished() {
                let seen = fs::read_to_string(path).unwrap();
                assert!(contents.contains(&seen), "{} bytes", seen.len());
            }
        });
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("config/config.yaml"), folder.path().join("config.yaml"));
        write_file(&real, b"old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_file_that_cannot_be_replaced_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        fs::write(&path, "old").unwrap();
        // Where the new file would be made first there is something else.
        fs::create_dir(path.with_extension("storeyline-part")).unwrap();
        write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
