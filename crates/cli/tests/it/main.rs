//! The real program, tested from outside: command line and HTTP.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

mod api;
mod archive;
mod authors;
mod beginning;
mod care;
mod cli;
mod determinism;
mod disk;
mod example;
mod history;
mod http;
mod import;
mod recorded;
mod var_manager;
