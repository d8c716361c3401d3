//! The default data folder.

use std::env;
use std::path::PathBuf;

/// Returns the platform's data folder for us.
pub(crate) fn default() -> PathBuf {
    let var = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || var("HOME").unwrap_or_else(|| PathBuf::from("."));
    let base = if cfg!(windows) {
        var("APPDATA")
    } else if cfg!(target_os = "macos") {
        Some(home().join("Library/Application Support"))
    } else {
        var("XDG_DATA_HOME").or_else(|| Some(home().join(".local/share")))
    };
    base.unwrap_or_else(home).join("storeyline")
}
