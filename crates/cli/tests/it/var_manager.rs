//! The routes of ST-VarSystem's plugin: recorded requests and responses (version bf728c3), compared
//! with ours. Where a case has `ours`, we differ on purpose, and `why` says why.

use serde_json::{Value, json};

use crate::program::{Server, TestDir};

/// Masks times, row numbers and hashes, which differ between programs.
fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(object) => {
            for (key, value) in object {
                let own = match key.as_str() {
                    "createdAt" | "updatedAt" | "structureId" => value.is_i64(),
                    "structureHash" => value.is_string(),
                    "identifier" | "snapshotId" => value.as_str().is_some_and(is_made),
                    _ => false,
                };
                if own {
                    *value = json!("its own");
                } else {
                    mask(value);
                }
            }
        }
        _ => {}
    }
}

/// The plugin generates ids of one form, we of another.
fn is_made(id: &str) -> bool {
    id.starts_with("var_snapshot_") || (id.len() == 36 && id.matches('-').count() == 4)
}

fn ask(server: &Server, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
    let body = body.map(Value::to_string).unwrap_or_default();
    let request = ureq::http::Request::builder()
        .method(method)
        .uri(format!("{}{path}", server.url))
        .header("Authorization", format!("Bearer {}", server.token))
        .header("X-Storeyline", "1")
        .header("Content-Type", "application/json")
        .body(body)
        .unwrap();
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true).build().into();
    let mut response = agent.run(request).unwrap();
    (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
}

#[test]
fn what_the_plugin_was_asked_is_answered_as_it_did() {
    let place = TestDir::new();
    let server = place.serve();
    let cases = include_str!("../../../../corpus/varsystem/http.jsonl");
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (method, path) = (case["method"].as_str().unwrap(), case["path"].as_str().unwrap());
        let expected = if case["ours"].is_object() { &case["ours"] } else { &case };
        let (status, text) = ask(&server, method, path, case.get("body"));
        assert_eq!(expected["status"], status, "{}: {text}", case["name"]);
        let Some(answer) = expected.get("answer") else { continue };
        let mut own = if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() };
        let mut theirs = answer.clone();
        mask(&mut own);
        mask(&mut theirs);
        // As text: the order of keys reaches prompts.
        assert_eq!(own.to_string(), theirs.to_string(), "{}", case["name"]);
    }
    let trash: Value = serde_json::from_str(&ask(&server, "GET", "/api/v1/var-manager/trash", None).1).unwrap();
    let thrown = trash["snapshots"].as_array().unwrap();
    let find = |name: &str| thrown.iter().find(|own| own["identifier"] == name).unwrap_or_else(|| panic!("{trash}"));
    let keys = json!({"keys": [find("id-ref")["key"], find("id-deep")["key"], 999_999]});
    let (_, restored) = ask(&server, "POST", "/api/v1/var-manager/restore", Some(&keys));
    assert_eq!(restored, r#"{"restored":2}"#, "what was deleted or cleaned up can be brought back");
    assert_eq!(ask(&server, "GET", "/var-manager/snapshots/id-ref", None).0, 200);
    let gc = json!({"dry_run": false, "trash_days": 0, "undo_days": 0});
    assert_eq!(ask(&server, "POST", "/api/v1/gc", Some(&gc)).0, 200);
    let (status, kept) = ask(&server, "GET", "/var-manager/snapshots/id-ref", None);
    assert!(status == 200 && kept.contains("__vmRef"), "collecting keeps what is not in the trash: {kept}");
}
