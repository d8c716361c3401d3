//! What the peers really answer (`corpus/peers/`), and what we answer to the same texts.
//!
//! Every plain case must give the peer's answer. Where we differ in a quirk or a fault of a peer,
//! `docs/compat.md` says why; the numbers there are the ones printed here.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and shows its numbers")]

use std::collections::BTreeMap;

use storeyline_functions::script::NoScripts;
use storeyline_functions::{Locks, Profile};
use storeyline_history::{Body, Page, Place, Rules, evaluate};
use storeyline_state::{Value, json, text};

/// How a case is classed in the corpus.
fn class(case: &Value) -> &'static str {
    if case.get("peer_bug").is_some() || case.get("verdict").and_then(Value::as_text) == Some("improve") {
        "bug"
    } else if case.get("peer_quirk").is_some() {
        "quirk"
    } else {
        "plain"
    }
}

fn answer(profile: Profile, case: &Value) -> Value {
    let template = case.get("template").unwrap();
    // A template that goes through MVU's initialisation becomes locks and a clean state.
    let (locks, state) = match case.get("mode").and_then(Value::as_text) {
        Some("initvar") => {
            let (locks, state) = Locks::initialise(template);
            (Some(locks), state)
        }
        _ => (None, template.clone()),
    };
    let rules = Rules { profile, locks, ..Rules::default() };
    let body = Body::lone_reply(text::hash(""));
    let message = case.get("message").unwrap().as_text().unwrap();
    let page = Page { body: &body, text: message, rules: &rules, place: Place::default() };
    evaluate(&state, &page, &mut NoScripts).unwrap().state
}

/// Equal as JSON values, whatever the order of keys.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        _ => a == b,
    }
}

/// Runs the cases of a file and returns the ids of plain ones that differ.
fn run(file: &str, profile: Profile, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let path = format!("{}/../../corpus/peers/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in text.lines().map(|line| json::read(line).unwrap()).filter(|case| wanted(case)) {
        let given = answer(profile, &case);
        let id = case.get("id").unwrap().as_text().unwrap();
        let class = class(&case);
        let equal = same(&given, case.get("expected").unwrap());
        let count = counts.entry(class).or_default();
        count.0 += usize::from(equal);
        count.1 += 1;
        let better = case.get("want");
        if (class == "plain" && !equal) || better.is_some_and(|want| !same(&given, want)) {
            let message = case.get("message").unwrap().as_text().unwrap();
            wrong.push(format!(
                "{id} {message}\n   given  {}\n   wanted {}",
                json::write(&given),
                json::write(better.unwrap_or(case.get("expected").unwrap()))
            ));
        } else if class != "plain" && !equal {
            println!("{id} ({class}) {}", json::write(&given));
        }
    }
    for (class, (equal, all)) in counts {
        println!("{file}: {class}: {equal} of {all} equal the peer");
    }
    wrong
}

#[test]
fn plain_cases_of_mvu_give_mvus_answer() {
    let wrong = run("mvu.jsonl", Profile::Mvu, |_| true);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn plain_cases_of_varsystem_without_scripts_give_its_answer() {
    let plain = |case: &Value| case.get("functions").is_none();
    let wrong = run("varsystem.jsonl", Profile::VarSystem, plain);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
