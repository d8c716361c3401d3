//! A server in a process of its own and a client for it, shared by the benchmarks and the attacks.

pub mod host;
pub mod http;
pub mod memory;
pub mod serving;
