//! `cargo xtask bench`: builds the program and the benchmarks for release, and runs some of them.

use crate::command::{Done, root, run};

const ALL: [&str; 9] = ["floors", "engine", "scripts", "pages", "store", "search", "replay", "server", "neighbours"];

/// Runs the benchmarks that are named before the first option, each in its own process; the options are
/// passed to each.
pub(crate) fn bench(args: &[&str]) -> Done {
    let named = args.iter().take_while(|arg| !arg.starts_with('-')).count();
    let (names, options) = args.split_at(named);
    let names = if names.is_empty() && options != ["--help"] { &ALL[..] } else { names };
    run(&root(), "cargo", &["build", "--release", "--package", "storeyline", "--package", "storeyline-bench"])?;
    let cargo = ["run", "--release", "--quiet", "--package", "storeyline-bench", "--"];
    if names.is_empty() {
        return run(&root(), "cargo", &[&cargo[..], options].concat());
    }
    names.iter().try_for_each(|name| run(&root(), "cargo", &[&cargo[..], &[name], options].concat()))
}
