//! The arguments of the benchmarks.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask bench")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// The program to measure (default: the one built beside this one)
    #[arg(long, global = true, value_name = "PATH")]
    storeyline: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) bench: Bench,
}

impl Args {
    /// Returns the program that serves and runs JavaScript.
    pub(crate) fn storeyline(&self) -> std::io::Result<PathBuf> {
        let beside = |own: PathBuf| own.with_file_name(format!("storeyline{}", std::env::consts::EXE_SUFFIX));
        self.storeyline.clone().map_or_else(|| std::env::current_exe().map(beside), Ok)
    }
}

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// What a floor costs by sync, at several lengths of the chat
    Floors(FloorsBench),
    /// From the text of a message to state and hash, at several sizes of the state
    Engine(EngineBench),
    /// One passive JavaScript function, at several sizes of the state
    Scripts,
    /// Floors with one passive function, with and without lodash
    Pages(PagesBench),
    /// What a floor costs on disk and in time, beside the whole state as JSON per floor
    Store(StoreBench),
    /// What the index for searching takes, and how long a search lasts
    Search(SearchBench),
    /// A long chat from its file to the last state
    Replay(ReplayBench),
    /// An engine of its own over HTTP: one more floor per request, on many connections
    Server(ServerBench),
    /// How long eight owners wait beside one whose functions are slow
    Neighbours(NeighboursBench),
}

#[derive(clap::Args)]
pub(crate) struct FloorsBench {
    /// The initial state as JSON (default: one of about 100 KB)
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Lengths of the chat
    #[arg(long, value_delimiter = ',', default_values_t = [300, 3_000, 10_000])]
    pub(crate) floors: Vec<usize>,
}

#[derive(clap::Args)]
pub(crate) struct ServerBench {
    /// How many connections, each with a chat of its own
    #[arg(long, default_value_t = 64)]
    pub(crate) connections: usize,

    /// How many floors in all
    #[arg(long, default_value_t = 100_000)]
    pub(crate) floors: usize,
}

#[derive(clap::Args)]
pub(crate) struct NeighboursBench {
    /// How long each of the two phases lasts; a kill needs about 20 seconds
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,

    /// Floors per second of the quiet owners together
    #[arg(long, default_value_t = 300)]
    pub(crate) rate: u32,
}

#[derive(clap::Args)]
pub(crate) struct StoreBench {
    /// How many floors; bytes are counted over the second half
    #[arg(long, default_value_t = 10_000)]
    pub(crate) floors: usize,
}

#[derive(clap::Args)]
pub(crate) struct PagesBench {
    /// How many floors
    #[arg(long, default_value_t = 2_000)]
    pub(crate) floors: usize,
}

#[derive(clap::Args)]
pub(crate) struct SearchBench {
    /// How many pages
    #[arg(long, default_value_t = 10_000)]
    pub(crate) pages: usize,
}

#[derive(clap::Args)]
pub(crate) struct ReplayBench {
    /// How many messages
    #[arg(long, default_value_t = 10_000)]
    pub(crate) messages: usize,

    /// The initial state as JSON
    #[arg(long, default_value = "corpus/bench/state-100k.json", value_name = "FILE")]
    pub(crate) state: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct EngineBench {
    /// The folder with `state-SIZE.json` and `msg-SIZE-CALLS.txt`
    #[arg(long, default_value = "corpus/bench", value_name = "DIR")]
    pub(crate) inputs: PathBuf,
}
