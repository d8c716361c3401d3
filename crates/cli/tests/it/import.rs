//! `storeyline import` on folders, histories and broken files.

use std::path::Path;

use crate::program::{TestDir, chat, text};
use serde_json::{Value, json};

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name).to_string_lossy().into_owned()
}

#[test]
fn a_folder_becomes_stories_and_reading_it_again_writes_nothing() {
    let place = TestDir::new();
    let folder = corpus("host/bound/Mira");
    let first = place.json(&["import", &folder]);
    let stories = first["stories"].as_array().unwrap();
    assert_eq!(stories.len(), 3);
    let refs: Vec<&Value> = stories.iter().flat_map(|story| story["refs"].as_array().unwrap()).collect();
    assert_eq!(refs.len(), 7);
    assert!(refs.iter().all(|found| found["ref"].is_string() && found["pages"].as_u64() > Some(0)));
    assert!(refs.iter().any(|found| found["file"] == "Checkpoint"));
    let again = place.json(&["import", &folder]);
    let new = again["stories"].as_array().unwrap().iter().flat_map(|story| story["refs"].as_array().unwrap());
    assert_eq!(new.map(|found| found["new_pages"].as_u64().unwrap()).sum::<u64>(), 0);
    assert_eq!(place.json(&["stories"]).as_array().unwrap().len(), 3);
    let shown = place.run(&["import", &folder]);
    assert!(String::from_utf8(shown.stdout).unwrap().contains("  Checkpoint  "));
}

#[test]
fn a_broken_file_of_a_folder_is_named_with_its_line_and_the_others_are_stored() {
    let place = TestDir::new();
    let whole = chat();
    place.write("Aria/good.jsonl", &whole);
    place.write("Aria/bad.jsonl", &whole[..whole.len() - 20]);
    place.write("Aria/notes.txt", "not a chat");
    let folder = place.path("Aria");
    let output = place.run(&["import", text(&folder), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["stories"][0]["refs"][0]["file"], "good");
    let broken = &answer["broken"][0];
    assert!(broken["file"].as_str().unwrap().ends_with("bad.jsonl"), "{broken}");
    assert!(broken["message"]["en"].as_str().unwrap().starts_with("line 4 is not valid JSON"), "{broken}");
    let said = place.failure(&["import", text(&folder)]);
    assert!(said.contains("bad.jsonl: line 4") && said.contains("hint:"), "{said}");
    assert_eq!(place.json(&["stories"]).as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_read_is_said_with_the_file_and_the_next_step() {
    let place = TestDir::new();
    let whole = chat();
    let cut = place.write("cut.jsonl", &whole[..whole.len() - 20]);
    let empty = place.write("empty.jsonl", "");
    let odd = place.write("odd.json", r#"{"branches":{}}"#);
    place.write("nothing/notes.txt", "");
    std::fs::create_dir_all(place.path("bare")).unwrap();
    for (path, words) in [
        (cut, "cut.jsonl: line 4 is not valid JSON"),
        (empty, "empty.jsonl: the chat file is empty"),
        (odd, "odd.json: the chat history has no message"),
        (place.path("nothing"), "nothing has no chat files"),
        (place.path("bare"), "bare has no chat files"),
        (place.path("missing.jsonl"), "missing.jsonl: "),
    ] {
        let said = place.failure(&["import", text(&path)]);
        assert!(said.contains(words), "{said}");
    }
    let good = place.write("good.jsonl", &whole);
    let said = place.failure(&["import", text(&good), "--varsystem-db", text(&place.path("good.jsonl"))]);
    assert!(said.contains("good.jsonl") && said.contains("--varsystem-db"), "{said}");
    assert_eq!(place.json(&["stories"]), json!([]), "nothing was stored");
}

#[test]
fn a_chat_goes_into_the_story_that_is_named() {
    let place = TestDir::new();
    let one = place.write("one.jsonl", &chat());
    let other = place.write("two.jsonl", &chat().replace("\"one\"", "\"another\""));
    let story = place.json(&["import", text(&one)])["story"].clone();
    let second = place.json(&["import", text(&other), "--into", "one"]);
    assert_eq!(second["story"], story);
    assert_eq!(place.json(&["stories"])[0]["refs"].as_array().unwrap().len(), 2);
    let third = place.write("three.jsonl", &chat().replace("\"one\"", "\"third\""));
    place.json(&["import", text(&third)]);
    let said = place.failure(&["import", text(&other), "--into", "three"]);
    assert!(said.contains("a branch of story") && said.contains("without `--into`"), "{said}");
}

#[test]
fn a_history_inside_a_chat_is_not_left_out_silently() {
    let place = TestDir::new();
    let history = r#"{"plugin_storage":{"llm_history":{"branches":{"main":{"0":{"role":"user","pages":{"0":{"id":"a","content":"hi","timestamp":1}}}}}}}}"#;
    let chat = format!(
        "{{\"chat_metadata\":{{\"integrity\":\"h\",\"variables\":{history}}}}}\n{{\"name\":\"A\",\"mes\":\"yo\"}}"
    );
    let chat = place.write("chat.jsonl", &chat);
    assert_eq!(place.json(&["import", text(&chat)])["notices"][0]["code"], "history");
    let said = String::from_utf8(place.run(&["import", text(&chat)]).stderr).unwrap();
    assert!(said.contains("chat_metadata.variables"), "{said}");
    let variables = place.write("history.json", history);
    assert_eq!(place.json(&["import", text(&variables)])["stories"][0]["refs"][0]["file"], "main", "as it says");
}

#[test]
fn a_history_and_stored_states_are_told() {
    let place = TestDir::new();
    let history = place.write(
        "history.json",
        r#"{"branches":{"main":{"0":{"role":"user","pages":{"0":{"id":"a","content":"hi","timestamp":1}}}},
            "other":{"0":{"role":"user","pages":{"0":{"id":"a","content":"hi","timestamp":1}}},
                     "1":{"role":"assistant","pages":{"0":{"id":"b","content":"yo","timestamp":2}}}}},"activeBranch":"other"}"#,
    );
    let answer = place.json(&["import", text(&history)]);
    let refs = answer["stories"][0]["refs"].as_array().unwrap();
    assert_eq!(refs.iter().map(|found| found["file"].as_str().unwrap()).collect::<Vec<_>>(), ["main", "other"]);
    let mvu = place.write(
        "mvu.jsonl",
        "{\"chat_metadata\":{\"integrity\":\"m\"}}\n{\"name\":\"A\",\"mes\":\"hi\",\"variables\":[{\"stat_data\":{\"g\":1}}]}\n{\"name\":\"A\",\"mes\":\"yo\",\"variables\":[{\"stat_data\":{\"g\":5}}]}",
    );
    assert_eq!(place.json(&["import", text(&mvu)])["stored"]["differing"], json!([1]));
    let said = String::from_utf8(place.run(&["import", text(&mvu)]).stderr).unwrap();
    assert!(said.contains("--trust-stored"), "{said}");
    let trusted = place.json(&["import", text(&mvu), "--trust-stored"]);
    assert_eq!(trusted["stored"]["overridden"], json!([1]));
    assert_eq!(place.json(&["show", trusted["story"].as_str().unwrap()])["state"], json!({"g": 5}));
}

const HISTORY: &str = r#"{"branches": {"main": {
    "0": {"role": "assistant", "pages": {"0": {"id": "g", "role": "assistant", "content": "开场@.SET(\"n\",1);", "timestamp": 1}}, "activePageIndex": 0},
    "1": {"role": "assistant", "pages": {"0": {"id": "a0", "role": "assistant", "content": "A0@.ADD(\"n\",1);", "timestamp": 3}, "1": {"id": "a1", "role": "assistant", "content": "A1@.ADD(\"n\",10);", "timestamp": 4}}, "activePageIndex": 1},
    "2": {"role": "assistant", "pages": {"0": {"id": "s", "role": "summary", "content": "前情@.ADD(\"n\",500);", "timestamp": 5}}, "activePageIndex": 0},
    "3": {"role": "assistant", "pages": {"0": {"id": "bad", "role": "assistant", "content": "坏@.ADD(\"n\",999);", "timestamp": 6, "isValid": false}}, "activePageIndex": 0}}},
    "activeBranch": "main"}"#;

const CLOCK: &str = r#"{"functions": [{"name": "钟", "type": "passive", "timing": "after_active", "enabled": true,
    "executor": "snapshot.t = new Date().toISOString();"}]}"#;

#[test]
fn an_exported_branch_replays_to_the_same_state() {
    let place = TestDir::new();
    let file = place.write("hist.json", HISTORY);
    let library = place.write("clock.json", CLOCK);
    let story = place.json(&["import", text(&file)])["stories"][0]["story"].as_str().unwrap().to_owned();
    let (out, library) = (place.path("out.jsonl"), text(&library).to_owned());
    let replayed = || {
        place.json(&["export", &story, text(&out)]);
        let floors = place.run(&["replay", text(&out), "--library", &library, "--json"]).stdout;
        let last: Value =
            serde_json::from_slice(floors.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap()).unwrap();
        last["state"].clone()
    };
    assert_eq!(place.json(&["show", &story])["state"], json!({"n": 11}));
    let read = |answer: &Value| answer.as_array().unwrap().iter().map(|one| one["role"].clone()).collect::<Vec<_>>();
    assert_eq!(read(&place.json(&["messages", &story])), ["assistant", "assistant", "summary"]);
    assert_eq!(replayed()["n"], json!(11));
    place.json(&["rules", &story, "set", "--library", &library]);
    place.json(&["append", &story, "--role", "assistant", "--name", "A", "--text", "x"]);
    let state = place.json(&["show", &story])["state"].clone();
    assert!(state["t"].as_str().unwrap() > "2020");
    assert_eq!(replayed(), state);
}
