//! A whole story in one file: `storeyline archive`, `storeyline import`, and the same over HTTP.

use std::fs;

use crate::program::{TestDir, agent, chat, text};
use serde_json::{Value, json};

/// Returns a folder with a story, and the story's archive.
fn archived() -> (TestDir, String, std::path::PathBuf) {
    let place = TestDir::new();
    let file = place.write("chat.jsonl", &chat());
    let story = place.json(&["import", text(&file)])["story"].as_str().unwrap().to_owned();
    place.json(&["alternative", &story, "--floor", "2", "--text", "@.ADD(\"金币\", 7);"]);
    place.json(&["branch", "create", &story, "--name", "支线", "--floor", "0"]);
    place.json(&["set", &story, "手", "1"]);
    let out = place.path("story.archive.jsonl");
    place.json(&["archive", &story, text(&out)]);
    (place, story, out)
}

#[test]
fn an_archive_is_the_same_story_in_another_place() {
    let (place, story, out) = archived();
    let other = TestDir::new();
    let imported = other.json(&["import", text(&out)]);
    assert_eq!((&imported["story"], &imported["differing"]), (&json!(story), &json!([])));
    let again = other.path("again.jsonl");
    other.json(&["archive", &story, text(&again)]);
    assert_eq!(fs::read(&out).unwrap(), fs::read(&again).unwrap());
    assert_eq!(other.json(&["show", &story])["state"], place.json(&["show", &story])["state"]);
    let said = other.failure(&["import", text(&out)]);
    assert!(said.contains("is there already") && said.contains("--copy"), "{said}");
    let copy = other.json(&["import", text(&out), "--copy"]);
    assert_ne!(copy["story"], json!(story));
    assert_eq!(other.json(&["stories"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_broken_archive_is_named_with_its_line_in_both_languages() {
    let (_from, _, out) = archived();
    let whole = fs::read_to_string(&out).unwrap();
    let place = TestDir::new();
    let cut = place.write("cut.jsonl", &whole[..whole.rfind("{\"end\"").unwrap()]);
    let said = place.failure(&["import", text(&cut)]);
    let line = format!("line {}: the file ends before its last line", whole.lines().count());
    assert!(said.contains(&line) && said.contains("hint:"), "{said}");
    assert!(place.chinese(&["import", text(&cut)]).contains("文件在最后一行之前就结束了"));
    assert_eq!(place.json(&["stories"]), json!([]));
}

#[test]
fn an_archive_goes_out_and_comes_in_over_http() {
    let (place, story, out) = archived();
    let (from, other) = (place.serve(), TestDir::new());
    let to = other.serve();
    let address = format!("{}/api/v1/stories/{story}/archive", from.url);
    let bearer = |token: &str| format!("Bearer {token}");
    let mut answer = agent().get(&address).header("Authorization", bearer(&from.token)).call().unwrap();
    assert_eq!(answer.headers()["content-type"], "application/x-ndjson");
    let archive = answer.body_mut().read_to_string().unwrap();
    assert_eq!(archive, fs::read_to_string(&out).unwrap());
    let headers = [("Content-Type", "application/x-ndjson"), ("X-Storeyline", "1")];
    let token = bearer(&to.token);
    let headers: Vec<_> = headers.into_iter().chain([("Authorization", token.as_str())]).collect();
    let post = |body: &str, query: &str| to.post_with(&format!("/api/v1/archives{query}"), body, &headers);
    let (status, imported): (u16, Value) = post(&archive, "");
    assert_eq!((status, &imported["story"]), (200, &json!(story)), "{imported}");
    let (status, refused) = post(&archive, "");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("story_exists")), "{refused}");
    assert_eq!(post(&archive, "?copy=true").0, 200);
    let (status, broken) = post("{\"storeyline\":\"archive\",\"version\":1}\n{\"node\":5}\n", "");
    assert_eq!((status, &broken["error"]["code"]), (400, &json!("bad_archive")), "{broken}");
    assert!(broken["error"]["message"]["zh"].as_str().unwrap().starts_with("第 2 行"), "{broken}");
    let gone = agent().get(address.replace(&story, "00000000-0000-4000-8000-000000000000"));
    assert_eq!(gone.header("Authorization", bearer(&from.token)).call().unwrap().status(), 404);
}
