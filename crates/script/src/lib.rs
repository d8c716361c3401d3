//! JavaScript: executors and patterns that users wrote, in QuickJS. No other crate knows an engine.
//!
//! In: a state, a script with all its inputs, or a pattern and a text. Out: the next state with its
//! ops, a truth, matches, or a refusal; the same on every machine, because limits are counted. A
//! script sees no file, no network, no clock and no chance of its own, and nothing of another call.

mod front;
mod limits;
mod request;

mod in_process;
mod worker;

mod sandbox;

mod failure;
mod meter;
mod pattern;
mod read;
mod realm;
mod refuse;
mod wire;

pub use in_process::InProcess;
pub use limits::Limits;
pub use worker::{Worker, WorkerCommand, worker_main};
