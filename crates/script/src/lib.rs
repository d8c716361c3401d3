//! Runs JavaScript that users wrote (executors and patterns) in QuickJS. No other crate knows a
//! JavaScript engine.
//!
//! In: a state, a script with all its inputs, or a pattern and a text. Out: the next state with its
//! ops, a boolean, matches, or a refusal; the same on every machine, because limits are counted. A
//! script has no access to files, network, clock or randomness of its own, nor to other calls.

mod client;
mod limits;
mod request;

mod in_process;
mod worker;

mod sandbox;

mod failure;
mod memory;
mod meter;
mod pattern;
mod read;
mod realm;
mod refuse;
mod wire;

pub use in_process::InProcess;
pub use limits::Limits;
pub use worker::{Worker, WorkerCommand, worker_main};
