//! Initial variables: JSON, JSON5, YAML and TOML, with macros.
#![no_main]

use libfuzzer_sys::fuzz_target;
use storeyline_compat::initvar::{Names, read};

fuzz_target!(|text: &str| {
    let names = Names { user: Some("User: {{char}}".into()), character: None };
    let found = read(text, &names);
    assert!(found.value.is_none_or(|value| value.as_object().is_some()), "variables are an object");
});
