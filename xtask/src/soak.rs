//! `cargo xtask soak`: the test of hostile messages, with many more of them and optimised.

use crate::command::{Done, root, run_with};

const INPUTS: &str = "1000000";

/// Runs so many inputs from a seed; one that breaks a promise is kept under `target/tmp`.
pub(crate) fn soak(args: &[&str]) -> Done {
    let (mut inputs, mut seed) = (INPUTS, "1");
    for option in args.chunks(2) {
        match option {
            ["--inputs", number] => inputs = number,
            ["--seed", number] => seed = number,
            _ => return Err(format!("`{}`: write `--inputs N` or `--seed S`", option.join(" "))),
        }
    }
    let cargo = ["test", "--release", "--package", "storeyline-history", "--test", "hostile", "--", "--nocapture"];
    run_with(&root(), "cargo", &cargo, &[("STOREYLINE_SOAK_INPUTS", inputs), ("STOREYLINE_SOAK_SEED", seed)])
}
