//! Finds Chromium for the browser tests: the system's own, else from its package manager.

use crate::command::{self, Done, root, run_with};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Returns the path of the browser, installing it if possible.
pub(crate) fn find() -> Done<String> {
    if let Ok(own) = std::env::var("STOREYLINE_CHROMIUM") {
        return Ok(own);
    }
    if let Some(found) = present() {
        return Ok(found);
    }
    let tried = if command::find("apt-get").is_some() && is_root() { apt() } else { Ok(()) };
    present().ok_or_else(|| {
        let tried = tried.err().map(|problem| problem + "\n").unwrap_or_default();
        let hint = "The browser tests need Chromium. Install the package `chromium` (and `fonts-noto-cjk`) with your \
         system's package manager, or put the path of a Chromium into the variable STOREYLINE_CHROMIUM.";
        tried + hint
    })
}

fn apt() -> Done {
    let quiet = [("DEBIAN_FRONTEND", "noninteractive")];
    run_with(&root(), "apt-get", &["update"], &quiet)?;
    let packages = ["install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"];
    run_with(&root(), "apt-get", &packages, &quiet)
}

fn present() -> Option<String> {
    NAMES.into_iter().find_map(command::find).map(|path| path.display().to_string())
}

fn is_root() -> bool {
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
