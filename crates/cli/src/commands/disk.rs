//! Whether a disk can be written, and its free space.

use std::path::Path;
use std::{fs, io};

/// Checks that a file can be written in a folder.
pub(crate) fn probe(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!("write-probe-{}", std::process::id()));
    let written = fs::write(&probe, b"storeyline");
    let _ = fs::remove_file(&probe);
    written
}

/// Returns the bytes available to us; `None` if the system does not tell.
#[cfg(unix)]
pub(crate) fn space_left(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn space_left(_: &Path) -> Option<u64> {
    None
}
