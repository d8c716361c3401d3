//! Looking after the database: searching it, copying it, bringing a copy back.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../teller/mod.rs"]
mod teller;

mod copies;
mod searching;
