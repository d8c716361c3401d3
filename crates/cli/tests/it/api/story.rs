//! A story over HTTP alone, and the ids of requests.

use serde_json::{Value, json};

use super::seeded::Seeded;

#[test]
fn a_request_has_a_name_that_comes_back() {
    let seeded = Seeded::new("local");
    let ask = seeded.request("GET", "/api/v1/stories", None, "local");
    assert_eq!(seeded.send(&ask.clone().with("X-Request-Id", "mine-1")).header("x-request-id"), Some("mine-1"));
    let odd = seeded.send(&ask.clone().with("X-Request-Id", "a b"));
    assert!(odd.header("x-request-id").is_some_and(|id| id.len() == 32), "{odd:?}");
    let missing = seeded.request("GET", "/api/v1/nothing", None, "local").with("X-Request-Id", "mine-2");
    assert_eq!(seeded.send(&missing).json()["error"]["request"], "mine-2");
}

#[test]
fn a_story_is_told_from_its_beginning_over_http_alone() {
    let seeded = Seeded::new("local");
    let post = |target: &str, body: Value| {
        let reply = seeded.ask("POST", target, Some(&body.to_string()), "local");
        assert_eq!(reply.status, 200, "{target} {body}: {}", reply.body);
        reply.json()
    };
    let get = |target: &str| seeded.ask("GET", target, None, "local").json();
    let begun = post("/api/v1/stories", json!({"title": "雨夜", "template": {"金币": 10}}));
    let (story, branch) = (begun["story"].as_str().unwrap(), begun["ref"].as_str().unwrap());
    let at = format!("/api/v1/stories/{story}/refs/{branch}");
    let said = post(
        &format!("{at}/operations"),
        json!({"kind": "append", "role": "assistant", "name": "A", "text": "@.ADD(\"金币\", 5);"}),
    );
    let page = said["page"].as_str().unwrap();
    let exact =
        r#"{"kind": "set", "page": "PAGE", "path": "力量", "value": 0.10000000000000000001}"#.replace("PAGE", page);
    assert_eq!(seeded.ask("POST", &format!("{at}/operations"), Some(&exact), "local").status, 200);
    let state = seeded.ask("GET", &format!("{at}/floors/0/state"), None, "local");
    assert!(state.body.contains(r#"{"金币":15,"力量":0.10000000000000000001}"#), "numbers stay exact: {}", state.body);
    assert_eq!(get(&format!("{at}/floors/0/state?path=%E9%87%91%E5%B8%81"))["value"], 15);
    assert_eq!(get(&format!("{at}/blame?path=%E9%87%91%E5%B8%81"))["change"]["by"]["name"], "@.ADD");
    post(&format!("{at}/operations"), json!({"kind": "set", "page": page, "path": "空", "value": null}));
    assert_eq!(get(&format!("{at}/floors/0/state"))["value"]["空"], Value::Null);
    post(&format!("{at}/operations"), json!({"kind": "unset", "page": page, "path": "力量"}));
    assert_eq!(get(&format!("{at}/floors/0/state"))["value"], json!({"金币": 15, "空": null}));
    let stale = format!("{at}/operations?head={}", said["node"].as_str().unwrap());
    let refused = seeded.ask("POST", &stale, Some(&json!({"kind": "cut", "floor": 0}).to_string()), "local");
    assert_eq!(refused.refusal(), (409, "ref_moved".into()));
    post(&format!("{at}/undo"), json!({}));
    assert_eq!(get(&format!("{at}/floors/0/state?path=%E5%8A%9B%E9%87%8F"))["found"], true);

    post(&format!("/api/v1/stories/{story}"), json!({"title": "晴天", "edit_policy": "manual"}));
    let detail = get(&format!("/api/v1/stories/{story}"));
    assert_eq!((&detail["title"], &detail["edit_policy"]), (&json!("晴天"), &json!("manual")));
    let titles = |query: &str| get(&format!("/api/v1/stories{query}"))["stories"].to_string();
    let gone = seeded.ask("DELETE", &format!("/api/v1/stories/{story}"), Some("{}"), "local");
    assert_eq!(gone.status, 200, "{}", gone.body);
    assert!(!titles("").contains("晴天") && titles("?trash=true").contains("晴天"));
    post(&format!("{at}/undo"), json!({}));
    assert!(titles("").contains("晴天"), "undo brings it back");
    post(&format!("{at}/redo"), json!({}));
    assert!(!titles("").contains("晴天"), "redo throws it away again");
    post(&format!("{at}/operations"), json!({"kind": "append", "role": "user", "name": "U", "text": "好"}));
    assert!(titles("").contains("晴天") && !titles("?trash=true").contains("晴天"), "whatever is done brings it back");
    let gone = seeded.ask("DELETE", &format!("/api/v1/stories/{story}"), Some("{}"), "local");
    assert_eq!(gone.status, 200);
    post("/api/v1/gc", json!({"dry_run": false, "trash_days": 0, "undo_days": 0}));
    assert!(!titles("?trash=true").contains("晴天"), "collecting ends what lies in the trash for good");
    assert_eq!(get("/api/v1/status?check=true")["problems"], json!([]));
    assert_eq!(post("/api/v1/verify", json!({}))["problems"], json!([]));
}
