//! Tests of search, backup, restore and garbage collection.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../teller/mod.rs"]
mod teller;

mod collecting;
mod copies;
mod searching;
