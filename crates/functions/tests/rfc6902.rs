//! The public test suite of RFC 6902, positive and error cases, by the strict mode.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and shows its numbers")]

use storeyline_functions::apply_strict;
use storeyline_state::{Value, json};

/// Compares as JSON values: the order of keys does not matter.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<String> =
                object.iter().map(|(key, value)| format!("{key:?}:{}", sorted(value))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        Value::List(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
        other => json::write(other),
    }
}

fn run(file: &str) {
    let path = format!("{}/../../corpus/rfc6902/{file}", env!("CARGO_MANIFEST_DIR"));
    let cases = json::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut positive, mut errors) = (0, 0);
    for case in cases.as_list().unwrap() {
        let (Some(document), Some(patch)) = (case.get("doc"), case.get("patch")) else { continue };
        if case.get("disabled").and_then(Value::as_bool) == Some(true) {
            continue;
        }
        let told = json::write(case);
        match (apply_strict(document, patch), case.get("expected")) {
            (Ok(done), Some(expected)) => {
                assert_eq!(sorted(&done), sorted(expected), "{told}");
                positive += 1;
            }
            (Ok(_), None) => {
                assert!(case.get("error").is_none(), "it should be refused: {told}");
                positive += 1;
            }
            (Err(refusal), _) => {
                assert!(case.get("error").is_some(), "{}: {told}", refusal.message.en);
                errors += 1;
            }
        }
    }
    println!("{file}: {positive} positive, {errors} error cases");
    assert!(positive > 10 && errors >= 4, "the suite was really run");
}

#[test]
fn all_enabled_cases_of_the_suite_pass() {
    run("tests.json");
}

#[test]
fn all_enabled_cases_of_the_specification_pass() {
    run("spec_tests.json");
}
