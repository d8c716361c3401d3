//! `cargo xtask bench`: what things cost, beside the naive way, in one run.
//!
//! Everything goes through the engine's façade or through the program `storeyline`; the naive ways use
//! SQLite, zstd, serde_json and QuickJS directly. Nothing that ships depends on this crate.

mod args;
mod measure;

mod engine;
mod floors;
mod neighbours;
mod pages;
mod replay;
mod scripts;
mod search;
mod server;
mod store;

mod bare;
mod play;
mod tale;

use std::process::ExitCode;

use clap::Parser as _;
use storeyline_engine::scripts::{WorkerCommand, with_worker};

use crate::args::{Args, Bench};

/// What goes wrong is told to a person; there is nothing to match on.
type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Done {
    let json = args.json;
    match &args.bench {
        Bench::Floors(options) => floors::run(json, options),
        Bench::Engine(options) => engine::run(json, &options.inputs),
        Bench::Store(options) => store::run(json, options.floors),
        Bench::Search(options) => search::run(json, options.pages),
        Bench::Scripts => with_worker(worker(args)?, |scripts| scripts::run(json, scripts)),
        Bench::Pages(options) => pages::run(json, options.floors, &worker(args)?),
        Bench::Replay(options) => with_worker(worker(args)?, |scripts| replay::run(json, options, scripts)),
        Bench::Server(options) => server::run(json, options, &args.storeyline()?),
        Bench::Neighbours(options) => neighbours::run(json, options, &args.storeyline()?),
    }
}

/// JavaScript runs in the program's own worker, as in the product.
fn worker(args: &Args) -> Done<WorkerCommand> {
    Ok(WorkerCommand { program: args.storeyline()?, args: vec!["js-worker".into()] })
}
