//! `cargo xtask soak`: the tests with random inputs, with many more of them and optimised.

use crate::command::{Done, root, run_with};

const INPUTS: &str = "1000000";
const STORIES: &str = "10000";

/// Runs hostile messages, or with `--stories` random stories against the naive way, from a seed.
pub(crate) fn soak(args: &[&str]) -> Done {
    let (mut inputs, mut stories, mut seed) = (INPUTS, None, "1");
    let mut rest = args.iter().copied().peekable();
    while let Some(option) = rest.next() {
        let number = rest.next_if(|next| !next.starts_with("--"));
        match (option, number) {
            ("--inputs", Some(number)) => inputs = number,
            ("--seed", Some(number)) => seed = number,
            ("--stories", number) => stories = Some(number.unwrap_or(STORIES)),
            _ => return Err(format!("`{option}`: write `--inputs N`, `--stories [N]` or `--seed S`")),
        }
    }
    let test = |package, test, name, number| {
        let cargo = ["test", "--release", "--package", package, "--test", test, "--", "--nocapture"];
        run_with(&root(), "cargo", &cargo, &[(name, number), ("STOREYLINE_SOAK_SEED", seed)])
    };
    match stories {
        Some(number) => test("storeyline-engine", "model", "STOREYLINE_SOAK_STORIES", number),
        None => test("storeyline-history", "hostile", "STOREYLINE_SOAK_INPUTS", inputs),
    }
}
