//! Compares our results with recorded results of other tools (`corpus/peers/`).
//!
//! Every plain case must give the peer's result; for a bug of a peer, the result that a user wants.
//! Where we differ, `docs/compat.md` says why; the numbers there are the ones printed here.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and shows its numbers")]

use std::collections::BTreeMap;

use storeyline_engine::conformance::{Class, answer_case};
use storeyline_engine::scripts::InProcess;
use storeyline_state::json;

fn check(file: &str) {
    let path = format!("{}/../../corpus/peers/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut scripts = InProcess::default();
    let mut counts: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case = json::read(line).unwrap();
        let answered = answer_case(&case, &mut scripts).unwrap();
        let count = counts.entry(answered.class).or_default();
        count.0 += usize::from(answered.like_peer == Some(true));
        count.1 += 1;
        let must_pass = answered.class == Class::Plain || case.get("want").is_some();
        if must_pass && answered.pass != Some(true) {
            let wanted = case.get("want").or(case.get("expected")).unwrap();
            wrong.push(format!(
                "{}\n   given  {}\n   wanted {}",
                answered.id,
                json::write(&answered.actual),
                json::write(wanted)
            ));
        }
    }
    for (class, (equal, all)) in counts {
        println!("{file}: {}: {equal} of {all} equal the peer", class.as_str());
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn mvus_cases() {
    check("mvu.jsonl");
}

#[test]
fn sams_cases() {
    check("sam.jsonl");
}

#[test]
fn varsystems_cases() {
    check("varsystem.jsonl");
}
