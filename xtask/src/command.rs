//! Runs programs from the root of the project, with their name in every error.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Errors are messages for people; there is nothing to match on.
pub(crate) type Done<T = ()> = Result<T, String>;

/// Returns the root of the project.
pub(crate) fn root() -> PathBuf {
    // The folder cargo runs us from: two clones may share a target folder.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&own).parent().expect("xtask lies in the root").to_owned()
}

/// Runs a program and shows its output.
pub(crate) fn run(folder: &Path, program: &str, args: &[&str]) -> Done {
    run_with(folder, program, args, &[])
}

/// Runs a program with additional environment variables.
pub(crate) fn run_with(folder: &Path, program: &str, args: &[&str], variables: &[(&str, &str)]) -> Done {
    let shown = format!("{program} {}", args.join(" "));
    println!("\n$ {shown}");
    let status = command(program).args(args).current_dir(folder).envs(variables.iter().copied()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed: {status}")),
        Err(error) => Err(format!("`{program}` cannot be started: {error}. Is it installed?")),
    }
}

/// Returns the path of a program, if it can be found.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = [program.to_owned(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.clone().map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// Returns the path of the program `storeyline` that `cargo build` makes: cargo puts it beside this
/// one, whichever target folder is configured.
pub(crate) fn product() -> Done<String> {
    let own = std::env::current_exe().map_err(|error| format!("the folder of xtask: {error}"))?;
    Ok(own.with_file_name(format!("storeyline{}", std::env::consts::EXE_SUFFIX)).display().to_string())
}

/// npm is a script on Windows, which must be named in full.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn command(program: &str) -> Command {
    Command::new(if program == "npm" { NPM } else { program })
}

/// Runs a part of the work and prints how long it took.
pub(crate) fn timed(name: &str, work: impl FnOnce() -> Done) -> Done {
    println!("\n=== {name}");
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs();
    println!("=== {name}: {} after {}:{:02}", if done.is_ok() { "done" } else { "failed" }, seconds / 60, seconds % 60);
    done
}
