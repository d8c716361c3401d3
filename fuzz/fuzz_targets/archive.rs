//! An archive of a whole story.
#![no_main]

use libfuzzer_sys::fuzz_target;
use storeyline_engine::{ArchiveOptions, Engine, Owner};

fuzz_target!(|text: &str| {
    let engine = Engine::in_memory().expect("a database in memory opens");
    let options = ArchiveOptions { allow_functions: true, copy: true };
    let _ = engine.import_archive(&Owner::local(), text, options, |_, _| {});
});
