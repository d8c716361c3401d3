//! How stories begin: cards, world books, MVU's blocks.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{TestDir, text};

fn case(name: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/initial").join(name).join(file)
}

fn state(place: &TestDir, story: &Value, floor: &str) -> Value {
    place.json(&["show", story.as_str().unwrap(), "--floor", floor])["state"].clone()
}

#[test]
fn a_card_is_shown_with_its_beginning() {
    let place = TestDir::new();
    let (card, book) = (case("initvar-several-books", "card.json"), case("initvar-several-books", "dlc.json"));
    let shown = place.json(&["card", "show", text(&card), "--world-book", text(&book)]);
    assert_eq!((&shown["name"], &shown["greetings"], &shown["profile"]), (&json!("队伍"), &json!(1), &json!("mvu")));
    assert_eq!(shown["state"]["角色"]["阿菱"], json!({"好感": 12, "技能": ["剑术"]}));
    assert_eq!(shown["sources"].as_array().unwrap().len(), 3);
    assert_eq!(shown["sources"][2]["place"]["en"], "entry `[initvar]DLC` of the world book `dlc`");
    assert!(!place.path("data").exists(), "no story is made");

    let said = place.run(&["card", "show", text(&case("sam-functions-loose", "card.json"))]);
    let (out, err) = (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
    assert!(out.contains("profile sam-4.2") && out.contains("function tick"), "{out}");
    assert!(err.contains("W-SAM-FUNCTION"), "{err}");
    let greetings = place.json(&["card", "show", text(&case("initvar-greetings", "card.json"))]);
    let place = json!({"zh": "第 3 个开场白", "en": "greeting 3"});
    assert_eq!(greetings["greeting_states"][1], json!({"place": place, "state": {"地点": "山顶", "金币": 1}}));
}

#[test]
fn a_card_that_is_off_counts_for_nothing() {
    let place = TestDir::new();
    let chat = place.write(
        "chat.jsonl",
        concat!(
            r#"{"chat_metadata":{"integrity":"8d9d1f6a-0000-4000-8000-00000000000c"}}"#,
            "\n",
            r#"{"name":"Mira","is_user":false,"mes":"@.ADD(\"gold\", 5);","extra":{}}"#
        ),
    );
    let card = case("template-off", "card.json");
    let args = [text(&chat), "--card", text(&card)];
    let imported = place.json(&[&["import"], &args[..]].concat());
    assert_eq!(imported["initial"]["diagnostics"][0]["code"], "W-CARD-OFF");
    assert_eq!(state(&place, &imported["story"], "0"), json!({}));
    let said = place.run(&[&["replay"], &args[..]].concat());
    assert!(String::from_utf8(said.stdout).unwrap().ends_with("{}\n"));
    place.json(&["rules", imported["story"].as_str().unwrap(), "set", "--enabled", "on"]);
    place.json(&["reprocess", imported["story"].as_str().unwrap()]);
    assert_eq!(state(&place, &imported["story"], "0"), json!({"gold": 6}));
}

#[test]
fn a_changed_card_is_taken_over_and_what_was_chosen_stays() {
    let place = TestDir::new();
    let card = |gold: i64| {
        let text = format!(
            r#"{{"data":{{"name":"A","extensions":{{"st_var_system":{{"templateBody":{{"gold":{gold}}},
            "functions":[{{"name":"HEAL","executor":""}}]}}}}}}}}"#
        );
        place.write(&format!("card{gold}.json"), &text)
    };
    let chat = place.write(
        "chat.jsonl",
        concat!(
            r#"{"chat_metadata":{"integrity":"8d9d1f6a-0000-4000-8000-00000000000d"}}"#,
            "\n",
            r#"{"name":"A","is_user":false,"mes":"@.ADD(\"gold\", 5);","extra":{}}"#
        ),
    );
    let story = place.json(&["import", text(&chat), "--card", text(&card(1))])["story"].clone();
    let name = story.as_str().unwrap();
    place.json(&["rules", name, "set", "--user-calls", "on"]);
    let said = place.json(&["rules", name, "set", "--card", text(&card(100)), "--allow-functions"]);
    assert_eq!((&said["from"]["user_calls"], &said["from"]["template"]), (&json!("you"), &json!("card")));
    assert_eq!(said["rules"]["library"]["functions"][0]["name"], "HEAL");
    assert_eq!(state(&place, &story, "0"), json!({"gold": 6}), "not before it is re-processed");
    place.json(&["reprocess", name]);
    assert_eq!(state(&place, &story, "0"), json!({"gold": 105}));
    let again = place.failure(&["rules", name, "set", "--card", text(&card(100)), "--allow-functions"]);
    assert!(again.contains("these are the rules already"), "{again}");
}

#[test]
fn a_new_story_begins_with_what_was_found() {
    let place = TestDir::new();
    let chat = place.write(
        "chat.jsonl",
        concat!(
            r#"{"chat_metadata":{"integrity":"8d9d1f6a-0000-4000-8000-00000000000b"}}"#,
            "\n",
            r#"{"name":"阿丽娅","is_user":false,"mes":"清晨。<initvar>\n地点: 集市\n金币: 20\n主: {{user}}\n</initvar>_.add('金币', 5);","swipe_id":1,"swipes":["雨夜。_.add('金币', 1);","清晨。"],"swipe_info":[{"extra":{}},{"extra":{}}],"extra":{}}"#,
            "\n",
            r#"{"name":"旅人","is_user":true,"mes":"走吧","extra":{}}"#,
            "\n",
            r#"{"name":"阿丽娅","is_user":false,"mes":"_.set('金币', 30);_.set('没有', 1);","extra":{}}"#
        ),
    );
    let card = case("initvar-greetings", "card.json");
    let args = ["import", text(&chat), "--card", text(&card)];
    let imported = place.json(&args);
    assert_eq!(imported["initial"]["profile"], "mvu");
    let story = &imported["story"];
    assert_eq!(state(&place, story, "0"), json!({"地点": "集市", "金币": 25, "主": "旅人"}));
    assert_eq!(state(&place, story, "2"), json!({"地点": "集市", "金币": 30, "主": "旅人"}), "MVU sets what exists");
    // The other greeting begins with the world book's variables.
    let story = story.as_str().unwrap();
    let other = place.json(&["show", story, "--floor", "0"])["pages"][0]["page"].as_str().unwrap().to_owned();
    let shown = place.json(&["show", story, "--page", &other]);
    assert_eq!(shown["state"], json!({"地点": "酒馆", "金币": 101}));
    assert_eq!(place.json(&args)["initial"], Value::Null, "a story begins once");
    assert!(place.run(&["verify"]).status.success());
}

#[test]
fn functions_of_a_card_wait_until_they_are_allowed() {
    let place = TestDir::new();
    let chat = place.write(
        "chat.jsonl",
        "{\"chat_metadata\":{}}\n{\"name\":\"林舟\",\"is_user\":false,\"mes\":\"@.ADD(\\\"主角.金币\\\", 50);\",\"extra\":{}}",
    );
    let imported = place.json(&["import", text(&chat), "--card", text(&case("sam-4-base-data", "card.json"))]);
    assert_eq!(imported["initial"]["profile"], "sam-4.2");
    assert_eq!(imported["initial"]["diagnostics"][0]["code"], "W-FUNCTIONS-HELD");
    let state = state(&place, &imported["story"], "0");
    assert_eq!(state["static"], json!({"主角": {"姓名": "林舟", "金币": 300}, "回合": 0}));
}

#[test]
fn a_chat_with_stored_variables_needs_no_card() {
    let place = TestDir::new();
    let imported = place.json(&["import", text(&case("mvu-variables-chat", "chat.jsonl"))]);
    assert_eq!(imported["initial"]["sources"][0]["kind"], "mvu_variables");
    assert_eq!(
        state(&place, &imported["story"], "2"),
        json!({"好感": [15, "-100 到 100"], "日期": "2031-05-07"}),
        "a description stays"
    );
}

#[test]
fn metadata_is_stripped_from_a_file_or_standard_input() {
    let place = TestDir::new();
    let given = r#"{"stat_data":{"$meta":{"extensible":true},"金币":[500,"钱"],"背包":["$__META_EXTENSIBLE__$","药水"],"n":0.1234567890123456789}}"#;
    let wanted = r#"{"金币":[500,"钱"],"背包":["药水"],"n":0.1234567890123456789}"#;
    let file = place.write("mvu.json", given);
    let said = place.run(&["strip-mvu", text(&file)]);
    assert_eq!(String::from_utf8(said.stdout).unwrap().trim(), wanted);
    let json = place.run(&["strip-mvu", text(&file), "--json"]);
    assert_eq!(String::from_utf8(json.stdout).unwrap().trim(), format!(r#"{{"state":{wanted}}}"#));
    let mut child = Command::new(env!("CARGO_BIN_EXE_storeyline"))
        .args(["strip-mvu", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(given.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim(), wanted);
}

#[test]
fn files_of_another_kind_are_refused_with_a_hint() {
    let place = TestDir::new();
    let card = case("template-hash", "card.json");
    let book = case("initvar-several-books", "dlc.json");
    let cut = place.write("cut.json", "{\"entries\": {\n\"0\": ");
    let preset = place.write("preset.json", r#"{"temperature": 1, "prompts": []}"#);
    for (args, wanted, hint) in [
        (vec!["card", "show", text(&book)], "looks like a world book", "--world-book"),
        (vec!["card", "show", text(&card), "--world-book", text(&card)], "looks like a character card", "--card"),
        (vec!["card", "show", text(&card), "--world-book", text(&cut)], "line 2", "cut off"),
        (vec!["card", "show", text(&card), "--world-book", text(&preset)], "looks like a preset", "NovelAI"),
        (vec!["card", "show", text(&cut)], "not valid JSON", "PNG or JSON"),
        (vec!["strip-mvu", text(&cut)], "not valid JSON", "JSON file"),
        (vec!["card", "show", "nowhere.png"], "nowhere.png", ""),
    ] {
        let said = place.failure(&args);
        assert!(said.contains(wanted) && said.contains(hint) && !said.contains("panicked"), "{args:?}: {said}");
    }
}

#[test]
fn functions_of_a_card_run_only_where_they_are_allowed() {
    let place = TestDir::new();
    let card = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/initial/template-functions/card.json");
    let chat = r#"{"chat_metadata":{"integrity":"x"}}
{"name":"阿丽娅","is_user":false,"mes":"雨夜。@.HEAL();"}"#;
    let chat = place.write("chat.jsonl", chat);
    let state = |args: &[&str]| place.json(&[&["replay", text(&chat), "--card", card], args].concat())["state"].clone();
    assert_eq!(state(&[]), json!({"世界": {"时间": "2024年10月26日 20:00"}, "角色": {"生命值": 12}}));
    let allowed = state(&["--allow-functions"]);
    assert_eq!(allowed, json!({"世界": {"时间": "2024年10月26日 21:00"}, "角色": {"生命值": 100}}));
    let imported = place.json(&["import", text(&chat), "--card", card, "--allow-functions"]);
    let shown = place.json(&["show", imported["story"].as_str().unwrap(), "--floor", "0"]);
    assert_eq!(shown["state"], allowed);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

#[test]
fn a_request_cannot_allow_functions_and_a_stored_decision_does() {
    let place = TestDir::new();
    let card = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/initial/template-functions/card.json");
    let card: Value = serde_json::from_str(&std::fs::read_to_string(card).unwrap()).unwrap();
    let server = place.serve();
    let post = |path: &str, body: Value| {
        let (status, answer) = server.post(&format!("/api/v1/{path}"), &body.to_string());
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    };
    let health = |text: &str| {
        let chat = format!(
            "{{\"chat_metadata\":{{\"integrity\":\"{text}\"}}}}\n{{\"name\":\"阿丽娅\",\"is_user\":false,\"mes\":\"{text}。@.HEAL();\"}}"
        );
        let alone = json!({"text": chat, "file": text, "card": {"json": card}, "allow_functions": true});
        let folder = json!({"files": [{"name": "f", "text": chat.replace("HEAL()", "HEAL( )")}], "card": {"json": card}, "allow_functions": true});
        [post("import", alone), post("import/folder", folder)].map(|answer| {
            let story = &answer["stories"][0];
            let (id, branch) = (story["story"].as_str().unwrap(), story["refs"][0]["ref"].as_str().unwrap());
            let state = server.get(&format!("/api/v1/stories/{id}/refs/{branch}/floors/0/state")).1;
            state["value"]["角色"]["生命值"].clone()
        })
    };
    let saved =
        || post("cards", json!({"card": {"json": card}, "keep_as": "a", "allow_functions": true}))["library"].clone();
    assert_eq!((health("一"), saved()), ([json!(12), json!(12)], Value::Null));
    let held = &post("cards/look", json!({"cards": [card]}))["held"][0];
    post("cards/consents", json!({"card": "阿丽娅", "fingerprint": held["fingerprint"], "allow": true}));
    assert_eq!((health("二"), saved()), ([json!(100), json!(100)], json!(1)));
}
