//! `storeyline bench`: what things cost, beside the naive way, in one run.

mod engine;
mod floors;
mod http;
mod replay;
mod scripts;
mod search;
mod server;
mod store;
mod tale;

use std::time::Duration;

use crate::args::{BenchArgs, BenchWhat};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &BenchArgs) -> Result<(), Failure> {
    match &args.what {
        None => floors::run(context, args),
        Some(BenchWhat::Engine(inputs)) => engine::run(context, &inputs.inputs),
        Some(BenchWhat::Store(options)) => store::run(context, options),
        Some(BenchWhat::Search(options)) => search::run(context, options),
        Some(BenchWhat::Scripts) => scripts::run(context),
        Some(BenchWhat::Replay(options)) => replay::run(context, options),
        Some(BenchWhat::Server(options)) => server::run(context, options),
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}
