//! `cargo xtask test`: all tests, cheapest first.

use crate::browser;
use crate::command::{Done, product, root, run, run_with, timed};
use crate::npm;
use crate::setup;
use crate::soak;

/// The crates without I/O, which must also build for WebAssembly.
const PURE: [&str; 4] = ["storeyline-state", "storeyline-calls", "storeyline-functions", "storeyline-history"];

/// A part of the schedules; in three of them a page was lost, or a tab missed a change of the
/// other, before that was fixed.
const NETWORK: [(&str, &str); 2] = [("STOREYLINE_SOAK_SCHEDULES", "80"), ("STOREYLINE_SOAK_SEED", "2005")];

const EXTENSION: &str = "integrations/sillytavern/extension";

pub(crate) fn test(parts: &[&str]) -> Done {
    let known = ["web", "rust", "wasm", "e2e", "mutants"];
    if let Some(unknown) = parts.iter().find(|part| !known.contains(part)) {
        return Err(format!("there is no part `{unknown}`; parts are: {}", known.join(" ")));
    }
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    timed("npm packages, web page and extension", npm::build_assets)?;
    if wanted("web") {
        timed("web, extension and plugin: types and unit tests", web)?;
    }
    if wanted("rust") {
        timed("rust: format and lints", lints)?;
        timed("rust: unit and integration tests", || run(&root(), "cargo", &["test", "--workspace", "--quiet"]))?;
    }
    if wanted("wasm") {
        timed("the pure crates build for wasm32", wasm)?;
    }
    if wanted("e2e") {
        timed("browser tests: set-up", set_up_browser_tests)?;
        timed("two tabs under a hostile network", || soak::network(&NETWORK))?;
        timed("browser tests in SillyTavern", || browser_tests("test", &[]))?;
    }
    if wanted("mutants") {
        timed("browser tests: set-up", set_up_browser_tests)?;
        timed("broken versions of the id rule are caught", || browser_tests("mutants", &[]))?;
    }
    println!("\nall tests passed");
    Ok(())
}

fn web() -> Done {
    for workspace in ["packages/client", "packages/ui", "web", EXTENSION] {
        run(&root(), "npm", &["run", "--silent", "-w", workspace, "check"])?;
        run(&root(), "npm", &["run", "--silent", "-w", workspace, "test"])?;
    }
    run(&root(), "npm", &["run", "--silent", "-w", "e2e", "check"])?;
    run(&root().join("integrations/sillytavern/plugin"), "node", &["--test"])
}

fn lints() -> Done {
    setup::components()?;
    run(&root(), "cargo", &["fmt", "--all", "--check"])?;
    run(&root(), "cargo", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn wasm() -> Done {
    setup::wasm_target()?;
    let packages = PURE.iter().flat_map(|name| ["--package", name]);
    let args: Vec<&str> =
        ["build", "--quiet", "--target", "wasm32-unknown-unknown"].into_iter().chain(packages).collect();
    run(&root(), "cargo", &args)
}

pub(crate) fn set_up_browser_tests() -> Done {
    browser::find()?;
    npm::install(&root().join("e2e/host"))?;
    run(&root(), "cargo", &["build", "--quiet", "--package", "storeyline"])
}

pub(crate) fn browser_tests(script: &str, variables: &[(&str, &str)]) -> Done {
    let (browser, product) = (browser::find()?, product()?);
    let own = [("STOREYLINE_CHROMIUM", browser.as_str()), ("STOREYLINE_BIN", product.as_str())];
    let variables = [&own, variables].concat();
    run_with(&root(), "npm", &["run", "--silent", "-w", "e2e", script], &variables)
}
