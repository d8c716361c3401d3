//! A chat file or a history: imported, imported again, exported.
#![no_main]

use libfuzzer_sys::fuzz_target;
use storeyline_engine::{Engine, ImportRequest, Owner, is_history};

fuzz_target!(|text: &str| {
    let (engine, owner) = (Engine::in_memory().expect("a database in memory opens"), Owner::local());
    let request = ImportRequest {
        text: text.to_owned(),
        file: "file".into(),
        title: "title".into(),
        card: None,
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    };
    if is_history(text) {
        let _ = engine.import_history(&owner, &request);
        return;
    }
    let Ok(imported) = engine.import(&owner, &request) else { return };
    engine.import(&owner, &request).expect("the same file can be imported again");
    engine.export(&owner, imported.story, imported.branch).expect("a branch can be exported");
});
