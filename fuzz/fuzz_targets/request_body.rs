//! The bodies of requests: read as each type that a route takes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| storeyline_server::fuzzing::read_bodies(text));
