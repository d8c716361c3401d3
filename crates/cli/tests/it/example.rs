//! The example story over HTTP and on the command line.

use serde_json::{Value, json};

use crate::program::{Server, TestDir};

fn open(server: &Server, language: &str, owner: &str) -> Value {
    let body = json!({"language": language}).to_string();
    let headers = [
        ("Authorization", &*format!("Bearer {}", server.token)),
        ("X-Storeyline", "1"),
        ("Content-Type", "application/json"),
        ("X-Storeyline-Owner", owner),
    ];
    let (status, opened) = server.post_with("/api/v1/example", &body, &headers);
    assert_eq!(status, 200, "{opened}");
    opened
}

#[test]
fn a_new_data_folder_has_no_story_until_the_example_is_requested_and_then_one() {
    let place = TestDir::new();
    let server = place.serve();
    assert_eq!(server.get("/api/v1/stories").1["stories"], json!([]), "it is never created by itself");
    let opened = open(&server, "zh", "local");
    assert_eq!(open(&server, "zh", "local"), opened);
    let at = |part: &str| {
        format!("/api/v1/stories/{}/refs/{}/{part}", opened["story"].as_str().unwrap(), opened["ref"].as_str().unwrap())
    };
    assert_eq!(server.get(&at("floors?from=0&limit=1")).1["total"], 40);
    let last = server.get(&at("floors/39")).1;
    assert_eq!(last["state"]["主角"], json!({"金币": 15, "生命": 80, "力量": 7, "行当": "客栈帮手"}), "functions ran");
    assert_eq!(server.get("/api/v1/stories").1["stories"].as_array().unwrap().len(), 1);
    let (status, refused) = server.post("/api/v1/example", r#"{"language": "fr"}"#);
    assert_eq!((status, &refused["error"]["code"]), (400, &json!("bad_json")));
}

#[test]
fn every_account_has_its_own() {
    let place = TestDir::new();
    let server = place.serve();
    let (first, second) = (open(&server, "en", "anna"), open(&server, "en", "bert"));
    assert_ne!(first["story"], second["story"]);
    assert_eq!(server.get("/api/v1/stories").1["stories"], json!([]), "nobody else has one");
}

#[test]
fn the_command_line_opens_the_same_story() {
    let place = TestDir::new();
    let opened = place.json(&["example", "--language", "zh"]);
    assert_eq!(place.json(&["example", "--language", "zh"]), opened);
    let printed = String::from_utf8(place.run(&["example"]).stdout).unwrap();
    assert!(printed.contains("Rain at the Lantern Inn  40 floors"), "{printed}");
    assert_eq!(place.run(&["example", "--language", "fr"]).status.code(), Some(2));
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}
