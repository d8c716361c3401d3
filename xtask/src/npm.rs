//! npm packages: installed from the lock file, and only when it changed.

use std::fs;
use std::path::Path;

use crate::command::{Done, root, run};
use crate::setup;

/// Installs the packages of a folder. A copy of the lock file beside them records what is
/// installed.
pub(crate) fn install(folder: &Path) -> Done {
    let lock = fs::read(folder.join("package-lock.json")).map_err(|error| format!("{}: {error}", folder.display()))?;
    let stamp = folder.join("node_modules/.installed-lock");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(folder, "npm", &["ci", "--no-audit", "--no-fund"])?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Builds the web page and the host extension, which the binary embeds. The types of their client
/// come from the description of the API, which may have changed since the packages were installed.
pub(crate) fn build_assets() -> Done {
    setup::node()?;
    install(&root())?;
    run(&root(), "npm", &["run", "--silent", "-w", "packages/client", "generate"])?;
    run(&root(), "npm", &["run", "--silent", "-w", "web", "build"])?;
    run(&root(), "npm", &["run", "--silent", "-w", "integrations/sillytavern/extension", "build"])
}
