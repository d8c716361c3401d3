//! The responses of the web page's fake engine in its tests, recorded from the real server.
//!
//! `STOREYLINE_RECORD=1` regenerates them.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{TestDir, text};

const FILE: &str = "../../packages/ui/src/model/recorded.json";

/// A passive function of each timing, and calls that are done, repaired and refused.
fn card() -> String {
    let passive = |name: &str, timing: &str| {
        json!({"name": name, "type": "passive", "enabled": true, "timing": timing,
               "executor": "snapshot.回合 = (snapshot.回合 || 0) + 1;"})
    };
    let functions = [passive("先数", "before_active"), passive("后数", "after_active")];
    let own = json!({"enabled": true, "templateBody": {"金币": 10}, "functions": functions});
    json!({"data": {"name": "阿丽娅", "first_mes": "雨夜。", "extensions": {"st_var_system": own}}}).to_string()
}

fn chat() -> String {
    let reply = "好。@.ADD(\"金币\", 12345678901234567890); @.SET(\"天气\"，\"阵雨\"); @.ADD(\"金币\", \"很多\");";
    let lines = [
        json!({"chat_metadata": {"integrity": "recorded"}, "user_name": "unused", "character_name": "unused"}),
        json!({"name": "阿丽娅", "is_user": false, "mes": "雨夜。", "send_date": "2026-11-15T20:00:00.000Z"}),
        json!({"name": "旅人", "is_user": true, "mes": "你好", "send_date": "2026-11-15T20:01:00.000Z"}),
        json!({"name": "阿丽娅", "is_user": false, "mes": reply, "send_date": "2026-11-15T20:02:00.000Z",
               "swipe_id": 0, "swipes": [reply, "不。"]}),
    ];
    lines.map(|line| line.to_string()).join("\n")
}

/// Replaces ids, which are new in every run, and hashes, which depend on the layout, by numbers in
/// the order of appearance.
fn numbered(value: &mut Value, seen: &mut Vec<String>) {
    match value {
        Value::String(word) if is_id(word) || is_hash(word) => {
            let place = seen.iter().position(|own| own == word).unwrap_or_else(|| {
                seen.push(word.clone());
                seen.len() - 1
            });
            *word = if is_id(word) { format!("00000000-0000-4000-8000-{place:012}") } else { format!("{place:064}") };
        }
        Value::Array(items) => items.iter_mut().for_each(|item| numbered(item, seen)),
        Value::Object(fields) => fields.values_mut().for_each(|field| numbered(field, seen)),
        _ => {}
    }
}

fn is_id(word: &str) -> bool {
    word.parse::<storeyline_state::PageId>().is_ok()
}

fn is_hash(word: &str) -> bool {
    word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn the_web_page_is_tested_with_what_the_server_answers() {
    let place = TestDir::new();
    let (chat, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", &card()));
    place.json(&["import", text(&chat), "--card", text(&card), "--allow-functions"]);
    let server = place.serve();
    let mut stories = server.get("/api/v1/stories").1["stories"].take();
    let of = |value: &Value| value.as_str().unwrap().to_owned();
    let branch = format!("/api/v1/stories/{}/refs/{}", of(&stories[0]["story"]), of(&stories[0]["refs"][0]["ref"]));
    // The only times in these responses.
    stories[0]["created"] = json!(0);
    stories[0]["refs"][0]["updated"] = json!(0);
    let floor = |floor: usize| server.get(&format!("{branch}/floors/{floor}")).1;
    let mut found = json!({
        "stories": stories,
        "floors": server.get(&format!("{branch}/floors")).1,
        "details": [floor(0), floor(1), floor(2)],
    });
    numbered(&mut found, &mut Vec::new());
    let found = serde_json::to_string_pretty(&found).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("STOREYLINE_RECORD").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let recorded = std::fs::read_to_string(&file).unwrap();
    assert_eq!(recorded, found, "run this test with STOREYLINE_RECORD=1 if the new answers are right");
}
