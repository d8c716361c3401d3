//! `cargo xtask attack`: builds the program and the attacks for release, and tries some of them.

use crate::command::{Done, root, run};

pub(crate) fn attack(names: &[&str]) -> Done {
    run(&root(), "cargo", &["build", "--release", "--package", "storeyline", "--package", "storeyline-attack"])?;
    let cargo = ["run", "--release", "--quiet", "--package", "storeyline-attack", "--"];
    run(&root(), "cargo", &[&cargo[..], names].concat())
}
