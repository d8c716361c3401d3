//! `cargo xtask run | install | test | soak | bench | attack`: set-up, builds and tests on a machine with Rust and Node.
//!
//! Everything else that is needed is installed here, once.

mod attack;
mod bench;
mod browser;
mod command;
mod npm;
mod run;
mod setup;
mod soak;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [ARGS]      build the web page and the program, start the engine, print its address
cargo xtask install FOLDER  build them and install them into a SillyTavern folder
cargo xtask test [PART…]    run all tests, or some parts: web rust wasm e2e mutants
cargo xtask soak [KIND [N]] [--seed S]  try much from a seed: --inputs hostile messages (a million), --stories random stories
                            (10,000), --network two tabs under a bad network (1,000), --host random play in SillyTavern (300)
cargo xtask bench [NAME…] [OPTIONS]  measure all, or some: floors engine scripts pages store search replay server
                            neighbours; --help for their options; --storeyline PATH measures another build; paths are
                            relative to the root
cargo xtask attack [NAME…]  try all attacks, or some, on the program built for release; each says what it wanted and got";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["run", rest @ ..] => run::run(rest),
        ["install", folder, rest @ ..] => run::install(folder, rest),
        ["test", parts @ ..] => test::test(parts),
        ["soak", options @ ..] => soak::soak(options),
        ["bench", args @ ..] => bench::bench(args),
        ["attack", names @ ..] => attack::attack(names),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
