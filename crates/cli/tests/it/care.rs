//! Values and the data folder: who set what, searching, copies, collecting, doctor.

use serde_json::{Value, json};

use crate::program::{CARD, TestDir, chat, text};

/// Makes a story of three floors (16.5 coins at the end) and one more, on which they are gone.
fn story() -> (TestDir, String) {
    let place = TestDir::new();
    let (chat, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", CARD));
    let id = place.json(&["import", text(&chat), "--card", text(&card)])["story"].as_str().unwrap().to_owned();
    let reply = "她伸出手。_.add('金币', -20);//付了酒钱";
    place.json(&["append", &id, "--role", "assistant", "--text", reply]);
    (place, id)
}

#[test]
fn the_floor_and_the_call_that_set_a_value_are_named() {
    let (place, id) = story();
    let found = place.json(&["blame", &id, "金币"]);
    let change = &found["change"];
    assert_eq!((&found["value"], &change["floor"]), (&json!(-3.5), &json!(3)));
    assert_eq!((&change["before"], &change["after"]), (&json!(16.5), &json!(-3.5)));
    assert_eq!(change["by"], json!({"name": "_.add", "source": "_.add('金币', -20);//付了酒钱", "reason": "付了酒钱"}));
    assert_eq!(change["page"], place.json(&["show", &id])["page"]);
    let earlier = place.json(&["blame", &id, "金币", "--floor", "1"]);
    assert_eq!((&earlier["change"]["floor"], &earlier["change"]["after"]), (&json!(0), &json!(15)));
    let never = place.json(&["blame", &id, "没有.这个"]);
    assert_eq!((&never["change"], &never["value"]), (&Value::Null, &Value::Null));
    place.json(&["set", &id, "金币", "7"]);
    assert_eq!(place.json(&["blame", &id, "金币"])["change"]["by"]["name"], "override");
    let told = String::from_utf8(place.run(&["blame", &id, "金币", "--floor", "2"]).stdout).unwrap();
    assert!(
        told.contains("15 → 16.5") && told.contains("#2 阿丽娅") && told.contains("@.ADD(\"金币\", 1.5);"),
        "{told}"
    );
}

#[test]
fn of_several_calls_on_a_floor_the_one_that_set_the_value_is_named() {
    let (place, id) = story();
    place.json(&["append", &id, "--role", "assistant", "--text", r#"@.SET("背包", ["木棍", "绳"]);"#]);
    let text =
        r#"@.SET("背包[0]", "剑"); @.APPEND("背包", "药"); @.SET("角色[1].名", "乙"); @.SET("角色[0].名", "甲");"#;
    place.json(&["append", &id, "--role", "assistant", "--text", text]);
    let source = |path: &str| place.json(&["blame", &id, path])["change"]["by"]["source"].clone();
    assert_eq!(source("背包[0]"), r#"@.SET("背包[0]", "剑");"#, "what is put behind it leaves it alone");
    assert_eq!(source("背包"), r#"@.APPEND("背包", "药");"#);
    assert_eq!(source("背包[1]"), r#"@.SET("背包", ["木棍", "绳"]);"#);
    assert_eq!(source("角色[1].名"), r#"@.SET("角色[1].名", "乙");"#);
    place.json(&["append", &id, "--role", "assistant", "--text", r#"@.REMOVE("背包", 0);"#]);
    assert_eq!(source("背包[0]"), r#"@.REMOVE("背包", 0);"#, "another item stands there now");
}

#[test]
fn the_history_of_a_value_says_when_something_came_to_hold() {
    let (place, id) = story();
    let all = place.json(&["history", &id, "金币"]);
    let floors = |found: &Value| -> Vec<i64> {
        found["changes"].as_array().unwrap().iter().map(|change| change["floor"].as_i64().unwrap()).collect()
    };
    assert_eq!(floors(&all), [0, 2, 3]);
    assert_eq!(floors(&place.json(&["history", &id, "金币", "--when", "< 0"])), [3]);
    assert_eq!(floors(&place.json(&["history", &id, "金币", "--when", ">= 15"])), [0]);
    assert_eq!(floors(&place.json(&["history", &id, "玩家", "--when", "= 旅人"])), [0]);
    assert_eq!(all["changes"][0].get("before"), Some(&json!(10)));
    let new = place.json(&["history", &id, "玩家"]);
    assert_eq!(new["changes"][0].get("before"), None, "what was not there has no value");
    let told = String::from_utf8(place.run(&["history", &id, "金币"]).stdout).unwrap();
    assert!(told.contains("#3") && told.contains("16.5 → -3.5") && told.contains("付了酒钱"), "{told}");
}

#[test]
fn everything_is_counted_and_what_nothing_holds_is_collected() {
    let (place, id) = story();
    let stats = place.json(&["stats"]);
    let count = |key: &str| stats[key].as_u64().unwrap();
    assert_eq!((count("stories"), count("refs"), count("floors"), count("nodes"), count("pages")), (1, 1, 4, 4, 5));
    for kind in ["state", "tree_and_log", "content"] {
        assert!(stats["bytes"][kind].as_u64().unwrap() > 0, "{kind}");
    }
    assert_eq!(stats["bytes"]["search"], 0);
    let own = place.json(&["stats", &id]);
    assert_eq!((&own["floors"], &own["pages"], &own["story"]), (&json!(4), &json!(5), &json!(id)));

    place.json(&["branch", "create", &id, "--floor", "1", "--name", "如果"]);
    let long = place.write("long.txt", &(0..40_000).map(|number| format!("{} ", number * number)).collect::<String>());
    place.json(&["append", &format!("{id}@如果"), "--role", "assistant", "--file", text(&long)]);
    assert_eq!(place.json(&["stats"])["floors"], 5);
    place.json(&["branch", "delete", &format!("{id}@如果")]);
    let kept = place.json(&["gc"]);
    assert_eq!(kept["refs"], 0, "the trash is kept for thirty days");
    let dry = place.json(&["gc", "--dry-run", "--trash-days", "0"]);
    assert_eq!((&dry["refs"], dry.get("bytes"), &dry["dry_run"]), (&json!(1), Some(&Value::Null), &json!(true)));
    assert_eq!(place.json(&["log", &id, "--trash"])["refs"].as_array().unwrap().len(), 2, "a dry run writes nothing");
    let gone = place.json(&["gc", "--trash-days", "0"]);
    for count in ["refs", "operations", "nodes", "turns", "pages", "texts", "states", "values"] {
        assert!(gone[count].is_u64() && gone[count] == dry[count], "{count}: {gone} {dry}");
    }
    assert_eq!((&gone["nodes"], &gone["texts"], &gone["dry_run"]), (&json!(1), &json!(1), &json!(false)));
    assert!(gone["bytes"].as_u64().unwrap() > 50_000, "{gone}");
    assert_eq!(place.json(&["stats"])["floors"], 4);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

#[test]
fn words_are_found_on_every_branch() {
    let (place, id) = story();
    place.json(&["branch", "create", &id, "--floor", "1", "--name", "如果"]);
    place.json(&["append", &format!("{id}@如果"), "--role", "assistant", "--text", "The INN is 空的酒馆。"]);
    let branch_only = |found: &Value| {
        assert_eq!(found["total"], 1);
        let hit = &found["hits"][0];
        assert_eq!((&hit["places"][0]["name"], &hit["places"][0]["floor"]), (&json!("如果"), &json!(2)));
        assert_eq!((&hit["story"], hit["places"].as_array().unwrap().len()), (&json!(id), 1));
    };
    branch_only(&place.json(&["search", "酒馆"]));
    assert_eq!(place.json(&["search", "status"])["on"], false);
    let on = place.json(&["search", "on"]);
    assert_eq!((&on["on"], &on["texts"]), (&json!(true), &json!(6)));
    assert!(place.json(&["stats"])["bytes"]["search"].as_u64().unwrap() > 0);
    branch_only(&place.json(&["search", "the inn", "空的酒馆", "--story", "阿丽娅"]));
    let shared = place.json(&["search", "你好"]);
    assert_eq!(shared["hits"][0]["places"].as_array().unwrap().len(), 2, "a floor that two branches share");
    assert_eq!(place.json(&["search", "晴天。"])["hits"][0]["places"][0]["read"], false, "a page that is not read");
    let told = String::from_utf8(place.run(&["search", "酒馆"]).stdout).unwrap();
    assert!(told.contains("The INN is 空的«酒馆»。") && told.contains("#2 如果"), "{told}");
    let word = place.run(&["search", "--json", "--", "on"]);
    assert!(String::from_utf8(word.stdout).unwrap().starts_with("{\"total\":0"), "the word itself");
    assert_eq!(place.json(&["search", "off"])["on"], false);
    branch_only(&place.json(&["search", "空的酒馆"]));
}

#[test]
fn a_copy_is_brought_back_when_nobody_has_the_stories_open() {
    let (place, id) = story();
    let copy = place.path("copy.db");
    let written = place.json(&["backup", text(&copy)]);
    assert_eq!(written["bytes"].as_u64().unwrap(), std::fs::metadata(&copy).unwrap().len());
    place.json(&["append", &id, "--role", "user", "--text", "后来"]);
    let server = place.serve();
    let said = place.failure(&["restore", text(&copy)]);
    assert!(said.contains(&format!("the engine at {}", server.url)) && said.contains("Stop it first"), "{said}");
    assert!(said.contains(&server.child.id().to_string()), "{said}");
    assert!(place.chinese(&["restore", text(&copy)]).contains("的引擎（进程"));
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 5, "nothing was changed");
    server.kill();
    let restored = place.json(&["restore", text(&copy)]);
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 4);
    let old = restored["old"].as_str().unwrap().to_owned();
    assert!(old.ends_with("storeyline.db.before-1"));
    place.json(&["restore", &old]);
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 5);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

#[test]
#[cfg(unix)]
fn doctor_looks_at_everything_and_repairs_nothing() {
    let place = TestDir::new();
    let empty = place.json(&["doctor"]);
    assert_eq!((&empty["checks"][0]["check"], &empty["checks"][0]["level"]), (&json!("folder"), &json!("warning")));
    assert!(!place.path("data").exists(), "looking makes nothing");

    let (place, _) = story();
    let level = |found: &Value, name: &str| {
        let checks = found["checks"].as_array().unwrap();
        checks.iter().find(|check| check["check"] == name).map(|check| check["level"].clone())
    };
    let well = place.json(&["doctor"]);
    assert_eq!((&well["wrong"], &well["warnings"]), (&json!(0), &json!(0)), "{well}");
    for name in ["folder", "database", "wal", "integrity", "sizes", "search", "open", "engine"] {
        assert_eq!(level(&well, name), Some(json!("ok")), "{name}");
    }
    let server = place.serve();
    let running = place.json(&["doctor"]);
    assert_eq!(level(&running, "engine"), Some(json!("ok")));
    assert!(running.to_string().contains(&server.url));
    server.kill();

    // Each run corrects it after the check, so each needs it again.
    let expose_token = || {
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(place.path("data/token"), open).unwrap();
    };
    expose_token();
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let ill: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(level(&ill, "engine"), Some(json!("warning")), "it was cut off");
    assert_eq!(level(&ill, "token"), Some(json!("wrong")));
    for check in ill["checks"].as_array().unwrap() {
        assert_eq!(check["then"].is_null(), check["level"] == "ok", "what is not well says what to do: {check}");
    }
    expose_token();
    assert!(place.chinese(&["doctor"]).contains("项不正常"));
    expose_token();
    let told = String::from_utf8(place.run(&["doctor"]).stdout).unwrap();
    assert!(told.contains("✓ ") && told.contains("✕ ") && told.contains("! "), "{told}");
}

#[test]
fn doctor_tells_of_a_database_that_is_damaged() {
    let (place, id) = story();
    for number in 0..30 {
        place.json(&["append", &id, "--role", "user", "--text", &format!("{number}{}", "雨夜的酒馆。".repeat(40))]);
    }
    let path = place.path("data/storeyline.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 8192;
    bytes[last..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong = found["checks"].as_array().unwrap().iter().find(|check| check["check"] == "integrity").unwrap();
    assert_eq!(wrong["level"], "wrong");
    assert!(wrong["then"].as_str().unwrap().contains("restore"));
}

#[test]
fn templates_and_snapshots_are_kept_beside_stories() {
    let (place, id) = story();
    let saved =
        place.json(&["snapshot", "save", &id, "--floor", "2", "--name", "出发前", "--tag", "酒馆", "--tag", "雨"]);
    assert_eq!((&saved["story"], &saved["floor"]), (&json!(id), &json!(2)));
    place.json(&["snapshot", "save", &id, "--name", "付账后", "--description", "在酒馆里"]);
    let names = |args: &[&str]| -> Vec<String> {
        let found = place.json(&[&["snapshot", "list"], args].concat());
        found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["付账后", "出发前"]);
    assert_eq!(names(&["酒馆", "雨"]), ["出发前"]);
    let shown = place.json(&["snapshot", "show", &saved["snapshot"].as_str().unwrap()[..8]]);
    assert_eq!((&shown["state"]["金币"], &shown["tags"]), (&json!(16.5), &json!(["酒馆", "雨"])));
    assert_eq!((&shown["snapshot"], &shown["from"]["floor"]), (&saved["snapshot"], &json!(2)));

    place.json(&["snapshot", "to-template", "出发前", "阿丽娅"]);
    assert_eq!(place.json(&["template", "show", "阿丽娅"])["金币"], 16.5);
    let state = place.write("state.json", r#"{"金币": 1}"#);
    place.json(&["template", "set", "阿丽娅", text(&state)]);
    place.json(&["template", "set", "阿丽娅", "--clear"]);
    let versions = place.json(&["template", "versions", "阿丽娅"]);
    let states: Vec<&Value> = versions.as_array().unwrap().iter().map(|version| &version["value"]["金币"]).collect();
    assert_eq!(states, [&Value::Null, &json!(1), &json!(16.5)]);
    place.json(&["snapshot", "delete", "出发前"]);
    assert_eq!(names(&[]), ["付账后"]);
}

#[test]
fn what_goes_wrong_is_told_in_both_languages_with_the_next_step() {
    let (place, id) = story();
    let there = place.write("there.db", "x");
    place.json(&["snapshot", "save", &id, "--name", "双"]);
    place.json(&["snapshot", "save", &id, "--name", "双"]);
    let bad: [(&[&str], &str, &str, &str); 14] = [
        (&["blame", &id, "金币", "--floor", "9"], "no floor 9", "没有第 9 层", "storeyline path"),
        (&["blame", &id, "__proto__"], "__proto__", "__proto__", "[0]"),
        (&["history", &id, "金币", "--when", "about 5"], "not a condition", "不是条件", "`< 0`"),
        (&["stats", "nothing"], "no story", "没有叫", "stories"),
        (&["gc", "--trash-days", "-1"], "`--trash-days -1`", "天数", "0"),
        (&["gc", "--undo-days", "99999999999"], "number of days", "天数", "0"),
        (&["backup", text(&there)], "there already", "已经存在", ""),
        (&["backup", "no/such/folder.db"], "no/such/folder.db", "no/such/folder.db", ""),
        (&["restore", text(&there)], "not a copy", "备份", "storeyline backup"),
        (&["restore", "nowhere.db"], "nowhere.db", "nowhere.db", ""),
        (&["search"], "nothing to search for", "没有给出", "storeyline search"),
        (&["template", "show", "无名"], "no template", "没有模板", "template set"),
        (&["snapshot", "show", "无名"], "no snapshot", "没有快照", "snapshot list"),
        (&["snapshot", "delete", "双"], "several snapshots", "好几个快照", "snapshot list"),
    ];
    for (args, english, chinese, hint) in bad {
        let said = place.failure(args);
        assert!(said.contains(english) && said.contains("hint:") && said.contains(hint), "{args:?}: {said}");
        let said = place.chinese(args);
        assert!(said.contains(chinese) && said.contains("提示：") && said.contains(hint), "{args:?}: {said}");
    }
}
