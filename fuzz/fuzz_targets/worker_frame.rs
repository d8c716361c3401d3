//! What a worker process that was taken over could answer, and what it reads.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| storeyline_script::fuzzing::read_frames(bytes));
