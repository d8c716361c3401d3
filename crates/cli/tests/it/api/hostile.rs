//! Valid and invalid requests: no response is a server error, and every response matches the
//! description.

use std::collections::BTreeSet;

use serde_json::Value;

use super::schema::{Random, spoil, unknown_words};
use super::seeded::Seeded;
use super::walk::{check_reply, operations, request};

/// Number of valid and of invalid requests per operation.
const WELL: usize = 24;
const BADLY: usize = 16;

#[test]
fn the_description_uses_words_that_its_test_understands() {
    let seeded = Seeded::new("local");
    let mut unknown = BTreeSet::new();
    for schema in seeded.api["components"]["schemas"].as_object().unwrap().values() {
        unknown_words(schema, &mut unknown);
    }
    assert_eq!(unknown, BTreeSet::new());
    let ids: Vec<Value> = operations(&seeded.api).into_iter().map(|own| own.about["operationId"].clone()).collect();
    let different: BTreeSet<String> = ids.iter().map(Value::to_string).collect();
    assert_eq!(different.len(), ids.len(), "every operation has a name of its own");
}

#[test]
fn whatever_is_asked_the_answer_is_one_that_the_description_tells_of() {
    let seeded = Seeded::new("local");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut done = 0;
    for round in 0..WELL {
        for operation in operations(&seeded.api).iter().filter(|own| !own.is_stream()) {
            let mut ask = request(&seeded, operation, &seeded.known, &mut random, "local");
            let reply = seeded.send(&ask);
            check_reply(&seeded, operation, &ask, &reply);
            done += usize::from(reply.status == 200);
            if round < BADLY {
                if let Some(body) = &ask.body {
                    let value = serde_json::from_str(body).unwrap_or(Value::Null);
                    ask.body = Some(spoil(&value, &mut random));
                } else {
                    let odd = [
                        "?from=-1",
                        "?limit=99999999999999999999",
                        "?page=x",
                        "?q=%FF",
                        "?after=z&after=1",
                        "?%00",
                        "/..%2f",
                        "?path=a[&floor=",
                    ];
                    let odd: &str = random.pick::<&str>(&odd);
                    ask.target.push_str(odd);
                }
                let reply = seeded.send(&ask);
                let told = operation.about["responses"][reply.status.to_string()].is_object();
                assert!(reply.status < 500 || told, "{ask:?} → {reply:?}");
            }
        }
    }
    assert!(done > 200, "many requests were carried out: {done}");
    let verified = seeded.ask("POST", "/api/v1/verify", Some("{}"), "local").json();
    assert_eq!(verified["problems"], serde_json::json!([]), "and what is stored is sound");
}
