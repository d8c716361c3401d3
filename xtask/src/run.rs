//! `cargo xtask run`: from a fresh clone to a running engine.

use crate::command::{Done, root, run as run_program};
use crate::npm;

pub(crate) fn run(args: &[&str]) -> Done {
    npm::build_assets()?;
    let cargo = ["run", "--release", "--package", "storeyline", "--", "serve"];
    run_program(&root(), "cargo", &[&cargo[..], args].concat())
}
