//! What concerns the machine is answered to the owner who runs the engine; others get their own part or a refusal.
//! And what the settings of a story ask for.

use serde_json::{Value, json};

use super::seeded::Seeded;

const LOCAL: &str = "local";

fn post(seeded: &Seeded, target: &str, body: &Value, owner: &str) -> Value {
    let reply = seeded.ask("POST", target, Some(&body.to_string()), owner);
    assert_eq!(reply.status, 200, "{target}: {}", reply.body);
    reply.json()
}

#[test]
fn backup_check_and_index_are_refused_to_others() {
    let seeded = Seeded::new("anna");
    let asked = [
        ("POST", "/api/v1/backup", None),
        ("POST", "/api/v1/search/index", Some(r#"{"on":true}"#)),
        ("GET", "/api/v1/status?check=true", None),
    ];
    for (method, target, body) in asked {
        let refused = seeded.ask(method, target, body, "anna");
        assert_eq!(refused.refusal(), (403, "not_local".into()), "{target}");
        let allowed = seeded.ask(method, target, body, LOCAL);
        assert_eq!(allowed.status, 200, "{target}: {}", allowed.body);
    }
    let index = seeded.ask("GET", "/api/v1/search/index", None, "anna").json();
    assert_eq!((&index["on"], &index["bytes"]), (&json!(true), &json!(0)), "its size is of all owners");
}

#[test]
fn the_data_folder_and_its_size_are_not_told_to_others() {
    let seeded = Seeded::new("anna");
    let theirs = seeded.ask("GET", "/api/v1/status", None, "anna").json();
    assert_eq!((&theirs["data"], &theirs["file_bytes"]), (&Value::Null, &Value::Null));
    assert_eq!(seeded.ask("GET", "/api/v1/stats", None, "anna").json()["bytes"], Value::Null);
    let own = seeded.ask("GET", "/api/v1/status", None, LOCAL).json();
    assert!(own["data"].is_string() && own["file_bytes"].is_u64(), "{own}");
}

#[test]
fn verifying_and_emptying_the_trash_reach_only_the_stories_of_the_owner() {
    let seeded = Seeded::new("anna");
    let listed = seeded.ask("GET", "/api/v1/stories", None, "anna").json();
    let story = listed["stories"][0]["story"].as_str().unwrap();
    let refs = listed["stories"][0]["refs"].as_array().unwrap();
    let tag = refs.iter().find(|found| found["kind"] == "tag").unwrap()["ref"].as_str().unwrap();
    let target = format!("/api/v1/stories/{story}/refs/{tag}");
    assert_eq!(seeded.ask("DELETE", &target, None, "anna").status, 200);

    let days = json!({"dry_run": false, "trash_days": 0, "undo_days": 0});
    for stranger in ["bert", LOCAL] {
        assert_eq!(post(&seeded, "/api/v1/verify", &json!({"repair": true}), stranger)["stories"], 0, "{stranger}");
        assert_eq!(post(&seeded, "/api/v1/gc", &days, stranger)["refs"], 0, "{stranger}");
    }
    assert_eq!(seeded.ask("POST", &format!("{target}/restore"), Some("{}"), "anna").status, 200, "it is still there");
    assert_ne!(post(&seeded, "/api/v1/verify", &json!({}), "anna")["stories"], 0);
}

#[test]
fn a_schema_is_inferred_from_a_state_and_accepted_by_a_story() {
    let seeded = Seeded::new("anna");
    let state = json!({"金币": 10, "包": ["剑"], "谁": null});
    let schema = post(&seeded, "/api/v1/schema/infer", &json!({"state": state}), "anna")["schema"].clone();
    let expected = json!({"type": "object", "properties": {
        "金币": {"type": "number"}, "包": {"type": "array", "items": {"type": "string"}}, "谁": {}}});
    assert_eq!(schema, expected);
    let listed = seeded.ask("GET", "/api/v1/stories", None, "anna").json();
    let rules = format!("/api/v1/stories/{}/rules", listed["stories"][0]["story"].as_str().unwrap());
    post(&seeded, &rules, &json!({"schema": schema}), "anna");
    let found = seeded.ask("GET", &rules, None, "anna").json();
    assert_eq!((&found["rules"]["schema"], &found["from"]["schema"]), (&schema, &json!("you")));
    post(&seeded, &rules, &json!({"unset": ["schema"]}), "anna");
    assert_eq!(seeded.ask("GET", &rules, None, "anna").json()["from"]["schema"], "default");
}

#[test]
fn a_setting_that_cannot_be_used_is_refused_in_both_languages_and_nothing_changes() {
    let seeded = Seeded::new("anna");
    let listed = seeded.ask("GET", "/api/v1/stories", None, "anna").json();
    let rules = format!("/api/v1/stories/{}/rules", listed["stories"][0]["story"].as_str().unwrap());
    let before = seeded.ask("GET", &rules, None, "anna").body;
    let cases = [
        (json!({"time_path": ""}), "路径是空的", "the path is empty"),
        (json!({"time_path": "a.__proto__"}), "`__proto__` 不能作为键", "`__proto__` cannot be a key"),
        (json!({"schema": 5}), "不是对象", "is no object"),
        (json!({"schema": {"type": "colour"}}), "看不懂 type", "cannot read type"),
        (json!({"profile": "x"}), "没有这种配置", "no such profile"),
        (json!({"unset": ["x"]}), "没有这项设置", "o such setting"),
    ];
    for (body, zh, en) in cases {
        let reply = seeded.ask("POST", &rules, Some(&body.to_string()), "anna");
        assert_eq!(reply.refusal(), (400, "bad_request".into()), "{body}");
        let message = &reply.json()["error"]["message"];
        assert!(
            message["zh"].as_str().unwrap().contains(zh) && message["en"].as_str().unwrap().contains(en),
            "{message}"
        );
    }
    assert_eq!(seeded.ask("GET", &rules, None, "anna").body, before);
}
