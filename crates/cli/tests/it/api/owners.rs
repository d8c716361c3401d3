//! No owner sees or changes data of another owner, on any route.

use serde_json::{Value, json};

use super::schema::{KnownIds, Random};
use super::seeded::{MARK, Seeded};
use super::walk::{operations, request};
use super::wire::Reply;

/// Returns everything that an owner can read.
fn everything(seeded: &Seeded, owner: &str) -> Vec<(String, Value)> {
    let mut random = Random(77);
    let mut seen = Vec::new();
    for operation in operations(&seeded.api).iter().filter(|own| !own.changes() && !own.is_stream()) {
        for _ in 0..6 {
            let ask = request(seeded, operation, &seeded.known, &mut random, owner);
            let reply = seeded.send(&ask);
            seen.push((ask.target, content(&reply)));
        }
    }
    seen
}

/// Returns the content of a response, without the id of the request.
fn content(reply: &Reply) -> Value {
    let mut value = serde_json::from_str(&reply.body).unwrap_or(Value::String(reply.body.clone()));
    if let Some(error) = value.get_mut("error").and_then(Value::as_object_mut) {
        error.remove("request");
    }
    // Sizes of the whole file are shown only to the owner who runs the engine.
    if let Some(object) = value.as_object_mut() {
        object.remove("bytes");
        object.remove("file_bytes");
    }
    json!([reply.status, value])
}

/// Returns ids of the same kinds that do not exist.
fn nobodys(known: &KnownIds) -> KnownIds {
    let strange = |id: &String| id.chars().map(|own| if own.is_ascii_digit() { '7' } else { own }).collect::<String>();
    known.iter().map(|(name, ids)| (*name, ids.iter().map(strange).collect())).collect()
}

#[test]
fn a_stranger_learns_nothing_and_changes_nothing() {
    let seeded = Seeded::new("anna");
    // An inactive page is evaluated when it is read for the first time.
    everything(&seeded, "anna");
    let before = everything(&seeded, "anna");
    assert!(before.iter().any(|(_, seen)| seen.to_string().contains(MARK)), "there is something to see");
    let nobodys = nobodys(&seeded.known);
    for operation in operations(&seeded.api).iter().filter(|own| !own.is_stream()) {
        for round in 0..8 {
            // The same request of two strangers, with ids of another owner and with ids that do not
            // exist.
            let (mut random, mut same) = (Random(1_000 + round), Random(1_000 + round));
            let theirs = request(&seeded, operation, &seeded.known, &mut random, "bert");
            let none = request(&seeded, operation, &nobodys, &mut same, "carl");
            let (theirs, none) = (seeded.send(&theirs), seeded.send(&none));
            assert!(!theirs.body.contains(MARK), "{} {}: {}", operation.method, operation.path, theirs.body);
            assert_eq!(theirs.refusal(), none.refusal(), "{} {}: {theirs:?}", operation.method, operation.path);
        }
    }
    assert_eq!(everything(&seeded, "anna"), before, "and nothing of theirs is another");
}

#[test]
fn the_name_of_an_account_counts_with_the_token_only() {
    let seeded = Seeded::new("anna");
    let browser = format!("Bearer {}", seeded.server.sign_in());
    for operation in operations(&seeded.api).iter().filter(|own| !own.is_open()) {
        let ask = request(&seeded, operation, &seeded.known, &mut Random(5), "anna");
        let of_browser = ask.clone().with("Authorization", &browser);
        assert_eq!(seeded.send(&of_browser).refusal(), (403, "needs_token".into()), "{}", operation.path);
        for odd in ["", "a b", "../x", "a/b", "a\"b", &"x".repeat(65)] {
            let odd = ask.clone().with("X-Storeyline-Owner", odd);
            assert_eq!(seeded.send(&odd).refusal(), (400, "bad_owner".into()), "{}", operation.path);
        }
    }
}
