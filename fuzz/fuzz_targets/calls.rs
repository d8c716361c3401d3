//! A message: calls in every dialect, then evaluated under each profile.
#![no_main]

use libfuzzer_sys::fuzz_target;
use storeyline_calls::{ParseSettings, loose, parse};
use storeyline_engine::authors::Profile;
use storeyline_engine::{Engine, Owner, Rules};
use storeyline_state::json;

fuzz_target!(|text: &str| {
    let settings =
        ParseSettings { skip_html_comments: true, json_calls: true, tag_calls: true, ..ParseSettings::default() };
    for call in parse(text, &settings).calls {
        assert!(text.get(call.span.clone()).is_some(), "a span that is none");
    }
    let _ = loose::read(text, 100);
    let engine = Engine::in_memory().expect("a database in memory opens");
    let state = json::read(r#"{"a":[1,{"b":"x"}],"n":5,"static":{},"time":"2024-01-01"}"#).expect("it is JSON");
    for profile in [Profile::Native, Profile::Mvu, Profile::VarSystem] {
        let rules = Rules { profile, json_calls: true, tag_calls: true, ..Rules::default() };
        let _ = engine.try_message(&Owner::local(), &state, text, &rules);
    }
});
