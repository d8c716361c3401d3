//! Free space of a disk.

use std::path::Path;

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
