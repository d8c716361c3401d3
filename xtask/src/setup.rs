//! Requirements besides Rust and Node: found, else installed, else named with instructions.

use std::process::Command;

use crate::command::{self, Done, root, run};

const WASM: &str = "wasm32-unknown-unknown";

/// The oldest Node that the web build supports, as major and minor version.
const NODE: (u32, u32) = (20, 19);

/// Checks that Node and npm are there and recent enough, before npm fails with its own messages.
pub(crate) fn node() -> Done {
    let wanted = format!("Install Node {}.{} or newer, which brings npm.", NODE.0, NODE.1);
    let version = answer("node", &["--version"]).ok_or_else(|| format!("`node` cannot be started. {wanted}"))?;
    if parse_version(&version).is_none_or(|found| found < NODE) {
        return Err(format!("This is Node {version}. {wanted}"));
    }
    command::find(command::NPM).map(|_| ()).ok_or_else(|| format!("`npm` is not on the PATH. {wanted}"))
}

/// Adds rustfmt and clippy if they are missing. `rust-toolchain.toml` names them, but rustup does
/// not install them if `RUSTUP_AUTO_INSTALL` is 0.
pub(crate) fn components() -> Done {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if answer("cargo", &[subcommand, "--version"]).is_none() {
            rustup(&["component", "add", component], &format!("The lints need `{component}`"))?;
        }
    }
    Ok(())
}

/// Adds the target of the pure crates if it is missing; a Rust without rustup may have it too.
pub(crate) fn wasm_target() -> Done {
    let folder = answer("rustc", &["--print", "target-libdir", "--target", WASM]);
    if folder.is_some_and(|folder| std::path::Path::new(&folder).is_dir()) {
        return Ok(());
    }
    rustup(&["target", "add", WASM], &format!("This test needs Rust's target `{WASM}`"))
}

/// Changes the toolchain that runs us: cargo passes its name on in `RUSTUP_TOOLCHAIN`.
fn rustup(args: &[&str], need: &str) -> Done {
    if answer("rustup", &["--version"]).is_none() {
        let way = args.join(" ");
        return Err(format!(
            "{need}, and there is no rustup to add it. Install it with the package manager that Rust came from, \
             or install rustup (https://rustup.rs) and run `rustup {way}`."
        ));
    }
    run(&root(), "rustup", args)
}

/// Returns the standard output of a program, if it can be started and succeeds.
fn answer(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).current_dir(root()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::{NODE, parse_version};

    #[test]
    fn versions_of_node_are_compared_by_number() {
        assert_eq!(parse_version("v20.20.2"), Some((20, 20)));
        assert!(parse_version("v9.11.2").unwrap() < NODE && parse_version("v20.9.0").unwrap() < NODE);
        assert!(parse_version("v24.0.0").unwrap() > NODE);
        assert_eq!(parse_version("no version"), None);
    }
}
