//! `cargo xtask soak`: the tests with random inputs, with many more of them.

use crate::command::{Done, product, root, run_with};
use crate::npm;
use crate::test::{browser_tests, set_up_browser_tests};

/// The tests, and their default number of inputs.
const KINDS: [(&str, &str); 4] =
    [("--inputs", "1000000"), ("--stories", "10000"), ("--network", "1000"), ("--host", "300")];

/// Runs hostile messages (`--inputs`), random stories against the naive model (`--stories`), two
/// tabs under a hostile network (`--network`), or random play in the real host (`--host`), from a
/// seed.
pub(crate) fn soak(args: &[&str]) -> Done {
    let ((mut kind, mut count), mut seed) = (KINDS[0], "1");
    let mut rest = args.iter().copied().peekable();
    while let Some(option) = rest.next() {
        let number = rest.next_if(|next| !next.starts_with("--"));
        let known = KINDS.iter().find(|(name, _)| *name == option);
        match (known, option, number) {
            (Some((name, usual)), _, number) => (kind, count) = (name, number.unwrap_or(usual)),
            (None, "--seed", Some(number)) => seed = number,
            _ => {
                return Err(format!(
                    "`{option}`: write {} or `--seed S`",
                    KINDS.map(|(name, _)| format!("`{name} [N]`")).join(", ")
                ));
            }
        }
    }
    let seed = ("STOREYLINE_SOAK_SEED", seed);
    let rust = |package, test, name| {
        let cargo = ["test", "--release", "--package", package, "--test", test, "--", "--nocapture"];
        run_with(&root(), "cargo", &cargo, &[(name, count), seed])
    };
    match kind {
        "--stories" => rust("storeyline-engine", "model", "STOREYLINE_SOAK_STORIES"),
        "--network" => {
            npm::build_assets()?;
            run_with(&root(), "cargo", &["build", "--quiet", "--package", "storeyline"], &[])?;
            network(&[("STOREYLINE_SOAK_SCHEDULES", count), seed])
        }
        "--host" => {
            npm::build_assets()?;
            set_up_browser_tests()?;
            browser_tests("walk", &[("STOREYLINE_SOAK_GESTURES", count), seed])
        }
        _ => rust("storeyline-history", "hostile", "STOREYLINE_SOAK_INPUTS"),
    }
}

/// Two tabs under a hostile network: the extension without a page, with the real engine.
pub(crate) fn network(variables: &[(&str, &str)]) -> Done {
    let product = product()?;
    let variables = [&[("STOREYLINE_BIN", product.as_str())], variables].concat();
    run_with(&root(), "npm", &["run", "--silent", "-w", "integrations/sillytavern/extension", "network"], &variables)
}
