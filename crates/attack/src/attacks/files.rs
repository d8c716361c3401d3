//! Another user of the same machine.

use std::fs;
use std::time::Duration;

use crate::{Attack, Done, Outcome, Target};

pub static OTHER_USERS: Attack = Attack {
    name: "other-users",
    wants: "to read the stories of another user of the machine from the data folder",
    is_quick: true,
    limit: Duration::from_secs(20),
    run: read_files,
};

#[cfg(unix)]
fn read_files(target: &Target) -> Done<Outcome> {
    use std::os::unix::fs::PermissionsExt as _;

    let _server = target.server()?;
    let mut open = Vec::new();
    let mut paths = vec![target.data()];
    while let Some(path) = paths.pop() {
        let mode = fs::metadata(&path)?.permissions().mode();
        if mode & 0o077 != 0 {
            open.push(format!("{} {:o}", path.file_name().unwrap_or_default().display(), mode & 0o777));
        }
        if path.is_dir() {
            paths.extend(fs::read_dir(&path)?.flatten().map(|entry| entry.path()));
        }
    }
    Ok(Outcome::new(!open.is_empty(), format!("open to others: [{}]", open.join(", "))))
}

#[cfg(not(unix))]
fn read_files(_: &Target) -> Done<Outcome> {
    Ok(Outcome::Held("the folder of a user is closed to others here".into()))
}
