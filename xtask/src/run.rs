//! `cargo xtask run` and `install`: from a fresh clone to a running engine, or into SillyTavern.

use crate::command::{Done, root, run as run_program};
use crate::npm;

/// Builds everything and starts the engine.
pub(crate) fn run(args: &[&str]) -> Done {
    program(&[&["serve"], args].concat())
}

/// Builds everything and installs it into a SillyTavern folder.
pub(crate) fn install(folder: &str, args: &[&str]) -> Done {
    // Cargo runs the program in the root of the project; the folder is relative to the current one.
    let folder = std::path::absolute(folder).map_err(|error| format!("{folder}: {error}"))?;
    program(&[&["sillytavern", "install", &folder.display().to_string()], args].concat())
}

fn program(args: &[&str]) -> Done {
    npm::build_assets()?;
    let cargo = ["run", "--release", "--package", "storeyline", "--"];
    run_program(&root(), "cargo", &[&cargo[..], args].concat())
}
