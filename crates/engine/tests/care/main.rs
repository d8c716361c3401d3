//! Tests of search, backup and restore.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../teller/mod.rs"]
mod teller;

mod copies;
mod searching;
