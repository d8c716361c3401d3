//! Scripts and patterns in a real engine, in this process and in a real worker process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

mod behaviour;
mod exact;
mod patterns;

mod determinism;
mod hostile;
mod isolation;
mod workers;

mod lodash_paths;
