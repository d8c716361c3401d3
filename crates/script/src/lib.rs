//! Runs JavaScript that users wrote (executors and patterns) in QuickJS. No other crate knows a
//! JavaScript engine.
//!
//! In: a state, a script with all its inputs, or a pattern and a text. Out: the next state with its
//! ops, a boolean, matches, or a refusal; the same on every machine, because limits are counted. A
//! script has no access to files, network, clock or randomness of its own, nor to other calls.

mod bytecode;
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

/// Entry point of the fuzzer; not part of the program.
#[cfg(feature = "fuzzing")]
pub mod fuzzing {
    use crate::request::{Request, Response};
    use crate::wire::{from_frame, receive};

    /// Reads frames and the messages in them.
    pub fn read_frames(mut bytes: &[u8]) {
        let _ = (from_frame::<Request>(bytes), from_frame::<Response>(bytes));
        // A frame may claim 256 MB; the fuzzer has less.
        if bytes.get(2..4) == Some(&[0, 0]) {
            while let Ok(Some(frame)) = receive(&mut bytes) {
                let _ = (from_frame::<Request>(&frame), from_frame::<Response>(&frame));
            }
        }
    }
}
