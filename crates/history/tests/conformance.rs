//! What the peers really answer (`corpus/peers/`), and what we answer to the same texts.
//!
//! Every plain case must give the peer's answer. Where we differ in a quirk or a fault of a peer,
//! `docs/compat.md` says why; the numbers there are the ones printed here.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and shows its numbers")]

use std::collections::BTreeMap;

use storeyline_functions::profile::SamVersion;
use storeyline_functions::sam::SamFunction;
use storeyline_functions::script::NoScripts;
use storeyline_functions::{Locks, Profile, Scripts};
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

fn answer(profile: Profile, case: &Value, scripts: &mut dyn Scripts) -> Value {
    // Where no checkpoint holds a template, SAM starts from the card's base data.
    let template = case.get("base_data").or(case.get("template")).unwrap();
    // A template that goes through MVU's initialisation becomes locks and a clean state.
    let (locks, mut state) = match case.get("mode").and_then(Value::as_text) {
        Some("initvar") => {
            let (locks, state) = Locks::initialise(template);
            (Some(locks), state)
        }
        _ => (None, template.clone()),
    };
    let functions = case.get("functions").and_then(Value::as_list).unwrap_or(&[]);
    let sam_functions = functions.iter().map(|definition| SamFunction { definition: definition.clone() }).collect();
    let rules = Rules { profile, locks, sam_functions, ..Rules::default() };
    let body = Body::lone_reply(text::hash(""));
    let mut round = case.get("round").and_then(Value::as_number).and_then(|round| round.as_i64()).unwrap_or(0);
    for message in messages(case) {
        let place = Place { round, ..Place::default() };
        let page = Page { body: &body, text: message, rules: &rules, place };
        state = evaluate(&state, &page, scripts).unwrap().state;
        // A user's message stands between two replies.
        round += 2;
    }
    state
}

/// One message, or the replies of several floors.
fn messages(case: &Value) -> Vec<&str> {
    match case.get("messages").and_then(Value::as_list) {
        Some(several) => several.iter().map(|message| message.as_text().unwrap()).collect(),
        None => vec![case.get("message").unwrap().as_text().unwrap()],
    }
}

/// Whether a case can be answered only by running JavaScript.
fn needs_scripts(case: &Value) -> bool {
    case.get("functions").is_some()
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
fn run(file: &str, profile: Profile, scripts: &mut dyn Scripts, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let path = format!("{}/../../corpus/peers/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in text.lines().map(|line| json::read(line).unwrap()).filter(|case| wanted(case)) {
        let given = answer(profile, &case, scripts);
        let id = case.get("id").unwrap().as_text().unwrap();
        let class = class(&case);
        let equal = same(&given, case.get("expected").unwrap());
        let count = counts.entry(class).or_default();
        count.0 += usize::from(equal);
        count.1 += 1;
        let better = case.get("want");
        if (class == "plain" && !equal) || better.is_some_and(|want| !same(&given, want)) {
            let message = messages(&case).join("\n---\n");
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
        println!("{file} ({}): {class}: {equal} of {all} equal the peer", profile.as_str());
    }
    wrong
}

#[test]
fn plain_cases_of_mvu_give_mvus_answer() {
    let wrong = run("mvu.jsonl", Profile::Mvu, &mut NoScripts, |_| true);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn plain_cases_of_varsystem_without_scripts_give_its_answer() {
    let wrong = run("varsystem.jsonl", Profile::VarSystem, &mut NoScripts, |case| !needs_scripts(case));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The versions that were asked, and the words for them in the corpus.
const SAM: [(SamVersion, &str); 4] = [
    (SamVersion::V3_5, "sam-3.5"),
    (SamVersion::V4_0, "sam-4.0"),
    (SamVersion::V4_2, "sam-4.2"),
    (SamVersion::V6, "sam-6.2"),
];

fn is_of(case: &Value, dialect: &str) -> bool {
    case.get("dialect").and_then(Value::as_text) == Some(dialect)
}

/// Runs the cases of every version of SAM and returns those that are wrong.
fn run_sam(scripts: &mut dyn Scripts, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let cases = |(version, dialect)| {
        run("sam.jsonl", Profile::Sam(version), scripts, |case| is_of(case, dialect) && wanted(case))
    };
    SAM.into_iter().flat_map(cases).collect()
}

#[test]
fn plain_cases_of_sam_without_scripts_give_its_answer() {
    let mut left = 0;
    let path = format!("{}/../../corpus/peers/sam.jsonl", env!("CARGO_MANIFEST_DIR"));
    for case in std::fs::read_to_string(path).unwrap().lines().map(|line| json::read(line).unwrap()) {
        assert!(SAM.iter().any(|(_, dialect)| is_of(&case, dialect)), "every case is of a version that is run");
        left += usize::from(needs_scripts(&case));
    }
    println!("sam.jsonl: {left} cases are left for the test with scripts");
    let wrong = run_sam(&mut NoScripts, |case| !needs_scripts(case));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
