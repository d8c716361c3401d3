//! Commands for card authors: their own functions, replays, cases of other tools.

use serde_json::{Value, json};

use crate::program::{CARD, TestDir, chat, text};

const LIBRARY: &str = r#"{"version":"1.0","functions":[
    {"id":"a","name":"时间推进","type":"passive","order":1,"executor":"_.set(snapshot, '世界.时间', addHours(_.get(snapshot, '世界.时间'), 1));"},
    {"name":"HEAL","description":"完全恢复生命值","syntax":"@.HEAL();","implementation":{"type":"composite","steps":[{"function":"SET","args":["角色.生命值",100]}]}},
    {"name":"坏","type":"passive","order":2,"executor":"snapshot.x = 1;\nfoo.bar();"}]}"#;

const STATE: &str = r#"{"世界":{"时间":"2024年10月26日 23:30"},"角色":{"生命值":3}}"#;

#[test]
fn a_library_is_imported_switched_on_tried_taught_and_exported() {
    let place = TestDir::new();
    let file = place.write("shared.json", LIBRARY);
    let imported = place.json(&["functions", "import", text(&file)]);
    assert_eq!(imported["imported"], json!(["时间推进", "HEAL", "坏"]));
    let listed = place.json(&["functions", "list"]);
    assert!(listed["functions"].as_array().unwrap().iter().all(|function| function["enabled"] == false));
    assert_ne!(listed["functions"][0]["id"], "a", "what is imported gets new ids");
    let switched = place.json(&["functions", "enable", "HEAL", "时间推进"]);
    let on: Vec<&Value> =
        switched["functions"].as_array().unwrap().iter().map(|function| &function["enabled"]).collect();
    assert_eq!(on, [&json!(true), &json!(true), &json!(false)]);
    let (state, message) = (place.write("state.json", STATE), place.write("reply.txt", "夜深了。@.HEAL();"));
    let tried = ["functions", "test", "时间推进", "--state", text(&state), "--message", text(&message)];
    assert_eq!(place.json(&tried)["state"]["世界"]["时间"], "2024年10月27日 00:30");
    let manual = place.json(&["functions", "manual", "--language", "zh"]);
    assert!(manual["text"].as_str().unwrap().contains("@.HEAL(); // 完全恢复生命值"));
    let out = place.path("mine.json");
    assert_eq!(place.json(&["functions", "export", text(&out), "HEAL"])["exported"], 1);
    let again = place.json(&["functions", "import", text(&out), "--library", text(&place.path("other.json"))]);
    assert_eq!(again["imported"], json!(["HEAL"]));
    let switched = place.json(&["functions", "disable", "unset", "HEAL"]);
    assert_eq!((&switched["off"], &switched["functions"][1]["enabled"]), (&json!(["unset"]), &json!(false)));
    assert_eq!(place.json(&["functions", "enable", "UNSET"]).get("off"), None, "built-ins can be switched too");
    let problem = place.failure(&["functions", "enable", "没有"]);
    assert!(problem.contains("the library has no function `没有`"), "{problem}");
}

#[test]
fn a_saved_function_counts_in_stories_and_two_of_one_name_are_told_apart() {
    let place = TestDir::new();
    let chat = chat().replace("@.ADD(\\\"金币\\\", 1.5);", "@.HEAL();");
    let file = place.write("shared.json", LIBRARY);
    place.json(&["functions", "import", text(&file)]);
    place.json(&["functions", "enable", "HEAL"]);
    let story = place.json(&["import", text(&place.write("heal.jsonl", &chat))]);
    let id = story["story"].as_str().unwrap();
    assert_eq!(place.json(&["show", id])["state"]["角色"]["生命值"], 100, "{story}");

    place.json(&["functions", "import", text(&file)]);
    let problem = place.failure(&["functions", "rename", "时间推进", "钟"]);
    assert!(problem.contains("there are several functions `时间推进`"), "{problem}");
    let listed = place.json(&["functions", "list"]);
    let second = listed["functions"][3]["id"].as_str().unwrap().to_owned();
    let renamed = place.json(&["functions", "rename", &second, "钟"]);
    assert_eq!(
        (&renamed["functions"][0]["name"], &renamed["functions"][3]["name"]),
        (&json!("时间推进"), &json!("钟"))
    );
    let (state, message) = (place.write("state.json", STATE), place.write("reply.txt", "夜深了。"));
    let tried = ["functions", "test", "钟", "--state", text(&state), "--message", text(&message)];
    assert_eq!(place.json(&tried)["state"]["世界"]["时间"], "2024年10月27日 00:30", "once, not twice");
    place.json(&["functions", "move", "钟", "--to", "Aria.png"]);
    let card = place.json(&["functions", "list", "--card", "Aria.png"]);
    assert_eq!(card["functions"][0]["name"], "钟");
    let left = place.json(&["functions", "delete", listed["functions"][4]["id"].as_str().unwrap()]);
    assert_eq!(left["functions"].as_array().unwrap().len(), 4);
}

#[test]
fn a_reply_is_tried_with_scripts_in_a_worker_and_one_that_fails_leaves_nothing() {
    let place = TestDir::new();
    let (state, library) = (place.write("state.json", STATE), place.write("library.json", LIBRARY));
    let message = place.write("reply.txt", "她点头。@.HEAL();");
    let done =
        place.json(&["apply", "--state", text(&state), "--message", text(&message), "--library", text(&library)]);
    assert_eq!(done["state"], json!({"世界": {"时间": "2024年10月27日 00:30"}, "角色": {"生命值": 100}}));
    let verdicts: Vec<&Value> = done["calls"].as_array().unwrap().iter().map(|call| &call["verdict"]).collect();
    assert_eq!(verdicts, ["done", "done", "failed"]);
    assert!(done["calls"][2]["diagnostics"][0]["message"]["en"].as_str().unwrap().contains("line 2, column 1"));
}

#[test]
fn a_schema_keeps_types_and_ranges() {
    let place = TestDir::new();
    let state = place.write("state.json", STATE);
    let message = place.write("reply.txt", "@.SET(\"角色.生命值\", \"很多\"); @.ADD(\"角色.生命值\", 500);");
    let apply =
        |schema: &str| place.json(&["apply", "--state", text(&state), "--message", text(&message), "--schema", schema]);
    let inferred = apply("infer");
    assert_eq!(
        (&inferred["state"]["角色"]["生命值"], &inferred["calls"][0]["verdict"]),
        (&json!(503), &json!("failed"))
    );
    let schema = place
        .write("schema.json", r#"{"properties":{"角色":{"properties":{"生命值":{"type":"number","maximum":100}}}}}"#);
    let clamped = apply(text(&schema));
    assert_eq!(
        (&clamped["state"]["角色"]["生命值"], &clamped["calls"][1]["verdict"]),
        (&json!(100), &json!("repaired"))
    );
    let odd = place.write("odd.json", r#"{"type":"money"}"#);
    let problem = place.failure(&["apply", "--message", text(&message), "--schema", text(&odd)]);
    assert!(problem.contains("cannot read type"), "{problem}");
}

#[test]
fn a_replay_shows_the_states_that_an_import_stores() {
    let place = TestDir::new();
    let (file, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", CARD));
    let imported = place.json(&["import", text(&file), "--card", text(&card)]);
    let story = imported["story"].as_str().unwrap();
    let replayed = place.run(&["replay", text(&file), "--card", text(&card), "--json"]);
    let lines = String::from_utf8(replayed.stdout).unwrap();
    let mut floors = 0;
    for (floor, line) in lines.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        let shown = place.json(&["show", story, "--floor", &floor.to_string()]);
        assert_eq!((&line["state"], &line["page"]), (&shown["state"], &shown["page"]), "floor {floor}");
        floors += 1;
    }
    assert_eq!(floors, 3);
    let problem = place.failure(&["replay", text(&file), "--floor", "9"]);
    assert!(problem.contains("there is no floor 9"), "{problem}");
}

#[test]
fn cases_are_answered_counted_and_reported() {
    let place = TestDir::new();
    let cases = r#"{"id":"right","peer":"mvu","template":{"a":1},"message":"_.set('a', 2);","expected":{"a":2}}
{"id":"open","peer":"native","template":{"a":1},"message":"@.ADD(\"a\", 2);"}
{"id":"fault","peer":"mvu","template":{"a":1},"message":"_.set('a', 3);","expected":{"a":9},"peer_bug":"x","want":{"a":3}}"#;
    let file = place.write("cases.jsonl", cases);
    let report = place.path("report.jsonl");
    let output = place.run(&["conformance", text(&file), "--report", text(&report)]);
    assert!(output.status.success());
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(shown.lines().last(), Some("2 passed, 0 failed"), "{shown}");
    let written = std::fs::read_to_string(&report).unwrap();
    let lines: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"id": "right", "class": "plain", "pass": true, "actual": {"a": 2}}));
    assert_eq!(lines[1], json!({"id": "open", "class": "plain", "pass": null, "actual": {"a": 3}}));
    assert_eq!(lines[2]["class"], "bug");
    let wrong = place.write("wrong.jsonl", &cases.replace("\"expected\":{\"a\":2}", "\"expected\":{\"a\":7}"));
    let output = place.run(&["conformance", text(&wrong)]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().last(), Some("1 passed, 1 failed"));
    let odd = place.write("odd.jsonl", r#"{"id":"x","peer":"nobody","message":""}"#);
    assert!(place.failure(&["conformance", text(&odd)]).contains("line 1: the case is of a peer that is not known"));
}
