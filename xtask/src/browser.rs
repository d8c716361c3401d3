//! Chromium for the browser tests: the system's own, else from its package manager.

use std::path::Path;

use crate::command::{self, Done, root, run};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Returns where the browser is, installing it where that is possible.
pub(crate) fn find() -> Done<String> {
    if let Ok(own) = std::env::var("STOREYLINE_CHROMIUM") {
        return Ok(own);
    }
    if let Some(found) = present() {
        return Ok(found);
    }
    if Path::new("/usr/bin/apt-get").exists() && is_root() {
        run(&root(), "apt-get", &["update"])?;
        run(&root(), "apt-get", &["install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"])?;
    }
    present().ok_or_else(|| {
        "The browser tests need Chromium. Install the package `chromium` (and `fonts-noto-cjk`) with your \
         system's package manager, or put the path of a Chromium into the variable STOREYLINE_CHROMIUM."
            .to_owned()
    })
}

fn present() -> Option<String> {
    NAMES.into_iter().find_map(command::find).map(|path| path.display().to_string())
}

fn is_root() -> bool {
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
