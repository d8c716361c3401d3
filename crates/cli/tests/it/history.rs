//! A story played by commands alone: every change, undone and redone.

use serde_json::{Value, json};

use crate::program::{CARD, TestDir, chat, text};

/// A story of three floors: greeting, message, reply; 16.5 coins at the end.
struct Story {
    place: TestDir,
    id: String,
}

impl Story {
    fn new() -> Story {
        let place = TestDir::new();
        let (chat, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", CARD));
        let imported = place.json(&["import", text(&chat), "--card", text(&card)]);
        let id = imported["story"].as_str().unwrap().to_owned();
        Story { place, id }
    }

    /// Runs a command on the story; `@NAME` after the command selects a branch of it.
    fn run(&self, command: &str, args: &[&str]) -> Value {
        let (words, target) = self.words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).chain([target.as_str()]).collect();
        self.place.json(&[&words[..], args].concat())
    }

    fn fail(&self, command: &str, args: &[&str]) -> String {
        let (words, target) = self.words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).chain([target.as_str()]).collect();
        self.place.failure(&[&words[..], args].concat())
    }

    fn words(&self, command: &str) -> (Vec<String>, String) {
        let (command, branch) = command
            .split_once('@')
            .map_or((command, String::new()), |(command, branch)| (command.trim(), format!("@{branch}")));
        (command.split(' ').map(str::to_owned).collect(), format!("{}{branch}", self.id))
    }

    fn floors(&self) -> Vec<Value> {
        self.run("path", &[]).as_array().unwrap().clone()
    }

    fn coins(&self) -> Value {
        self.run("show", &[])["state"]["金币"].clone()
    }

    fn reply(&self, words: &str) -> Value {
        self.run("append", &["--role", "assistant", "--text", words])
    }
}

#[test]
fn a_message_is_appended_and_the_name_is_remembered() {
    let story = Story::new();
    let done = story.run("append", &["--role", "user", "--text", "再来一杯"]);
    assert_eq!((&done["floors"], &done["late"]), (&json!(4), &json!(false)));
    story.reply(r#"@.ADD("金币", 3.5);"#);
    let shown = story.run("show", &[]);
    assert_eq!((&shown["floor"], &shown["name"], &shown["state"]["金币"]), (&json!(4), &json!("阿丽娅"), &json!(20)));
    story.run("append", &["--role", "narrator", "--name", "旁白", "--at", "1", "--text", r#"@.SET("金币", 1);"#]);
    assert_eq!(story.coins(), json!(6));
    assert!(story.fail("append", &["--role", "summary", "--text", "x"]).contains("--name"));
}

#[test]
fn a_text_comes_from_a_file_or_from_standard_input() {
    let story = Story::new();
    let file = story.place.write("reply.txt", "一行\r\n两行\n");
    story.run("append", &["--role", "user", "--file", text(&file)]);
    assert_eq!(story.run("show", &[])["text"], "一行\n两行", "the last line break is the editor's");
    let said = story.place.run_with(&["edit", &story.id, "--json"], "从管道来\n");
    assert!(said.status.success());
    assert_eq!(story.run("show", &[])["text"], "从管道来");
}

#[test]
fn a_swipe_brings_back_what_followed() {
    let story = Story::new();
    let first = story.floors()[2]["page"].as_str().unwrap().to_owned();
    story.run("append", &["--role", "user", "--text", "然后呢"]);
    let second = story.run("alternative", &["--floor", "2", "--text", r#"@.ADD("金币", 100);"#]);
    assert_eq!((&second["floors"], &story.coins()), (&json!(4), &json!(115)), "what follows stays");
    let second = second["page"].as_str().unwrap().to_owned();
    let back = story.run("swipe", &["--page", &first[..8]]);
    assert_eq!((&back["floors"], &story.coins()), (&json!(4), &json!(16.5)), "as it was when it was left");
    let again = story.run("swipe", &["--floor", "2", "--number", "2"]);
    assert_eq!((&again["floors"], &again["page"]), (&json!(4), &json!(second)));
    let kept = story.run("swipe", &["--page", &first, "--keep-below"]);
    assert_eq!((&kept["floors"], &story.coins()), (&json!(4), &json!(16.5)));
    assert!(story.fail("swipe", &["--floor", "2", "--number", "3"]).contains("`3` is not a page"));
}

#[test]
fn floors_are_edited_deleted_moved_and_hidden_and_all_of_it_is_taken_back() {
    let story = Story::new();
    let edited = story.run("edit", &["--floor", "0", "--text", r#"@.SET("金币", 1);"#]);
    assert_eq!((&edited["evaluated"], &story.coins()), (&json!([0, 2]), &json!(2.5)), "later floors follow");
    story.run("edit", &["--floor", "0", "--as-alternative", "--text", "又一个开场"]);
    assert_eq!(story.floors()[0]["pages"], 3);
    let page = story.floors()[0]["page"].as_str().unwrap().to_owned();
    story.run("delete", &["--page", &page, "--keep-only"]);
    assert_eq!((&story.floors()[0]["pages"], &story.coins()), (&json!(1), &json!(11.5)));
    story.run("move", &["2", "0"]);
    assert_eq!(story.floors()[0]["name"], "阿丽娅");
    story.run("hide", &["2"]);
    let messages = story.run("messages", &[]);
    assert_eq!(messages.as_array().unwrap().len(), 2, "hidden floors are not for a model");
    assert_eq!((&messages[1]["role"], &messages[1]["floor"]), (&json!("assistant"), &json!(1)));
    story.run("hide", &["2", "--show"]);
    story.run("delete", &["--floor", "1", "--and-below"]);
    assert_eq!(story.floors().len(), 1);
    assert!(story.fail("delete", &["--floor", "0"]).contains("at least one floor"));
    for _ in 0..7 {
        story.run("undo", &[]);
    }
    assert_eq!((story.floors().len(), story.coins()), (3, json!(16.5)));
    for _ in 0..7 {
        story.run("redo", &[]);
    }
    assert_eq!(story.floors().len(), 1);
    assert!(story.fail("redo", &[]).contains("nothing to redo"));
    assert_eq!(story.place.json(&["verify"])["problems"], json!([]));
}

#[test]
fn one_operation_in_the_middle_is_taken_back_and_a_later_one_in_its_way_is_named() {
    let story = Story::new();
    let edit = story.run("edit", &["--floor", "2", "--text", "没有调用"])["operation"].to_string();
    story.run("append", &["--role", "user", "--text", "后来"]);
    let undone = story.run("undo", &[&edit]);
    assert_eq!((&undone["floors"], &story.coins()), (&json!(4), &json!(16.5)));
    let log = story.run("log", &["--operations"]);
    let operations = log["operations"].as_array().unwrap();
    let kinds: Vec<&str> = operations.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["undo", "append", "edit", "create_branch"]);
    assert_eq!((&operations[2]["undone"], &operations[0]["undoes"]), (&json!(true), &operations[2]["operation"]));
    assert_eq!((&operations[2]["floor"], &operations[2]["client"]), (&json!(2), &json!("cli")));
    assert_eq!(story.run("log", &["--operations", "--limit", "2"])["operations"].as_array().unwrap().len(), 2);
    story.run("redo", &[&edit]);
    assert_eq!(story.coins(), json!(15));

    let first = story.run("edit", &["--floor", "2", "--text", "一"])["operation"].to_string();
    let second = story.run("edit", &["--floor", "2", "--text", "二"])["operation"].to_string();
    let said = story.fail("undo", &[&first]);
    assert!(said.contains(&format!("the later operation {second} (edit)")) && said.contains("hint:"), "{said}");
}

#[test]
fn a_state_is_corrected_by_hand_and_the_correction_is_forgotten() {
    let story = Story::new();
    story.run("set", &["金币", "-5", "--floor", "0"]);
    assert_eq!(story.coins(), json!(-3.5), "later floors follow");
    story.run("set", &["背包[0]", "剑"]);
    story.run("set", &["玩家", "--remove"]);
    let floor = story.run("show", &[]);
    assert_eq!(floor["state"], json!({"金币": -3.5, "背包": ["剑"]}));
    assert_eq!((&floor["overridden"], &story.floors()[1]["overridden"]), (&json!(true), &json!(false)));
    story.run("override", &["--clear"]);
    assert_eq!(story.run("show", &[])["state"], json!({"金币": -3.5, "玩家": "旅人"}));
    let state = story.place.write("state.json", r#"{"金币": 7.10}"#);
    story.run("override", &["--floor", "2", "--state", text(&state)]);
    let printed = story.place.run(&["show", &story.id, "--json"]);
    assert!(String::from_utf8(printed.stdout).unwrap().contains(r#""state":{"金币":7.1"#));
    assert!(story.fail("set", &["没有", "--remove"]).contains("does not exist"));
}

#[test]
fn branches_grow_apart_are_compared_grafted_and_merged() {
    let story = Story::new();
    let made = story.run("branch create", &["--floor", "1", "--name", "如果", "--switch"]);
    assert_eq!((&made["floors"], &made["current"], &made["kind"]), (&json!(2), &json!(true), &json!("branch")));
    story.reply(r#"@.SET("好感", 1); @.SET("金币", 99);"#);
    assert_eq!(story.coins(), json!(99), "without a name the current branch is meant");
    assert_eq!(story.run("show @chat", &[])["state"]["金币"], json!(16.5));

    let two = |one: &str, other: &str| story.place.json(&["diff", &format!("{}{one}", story.id), other]);
    let compared = two("@chat", "@如果");
    assert_eq!((&compared["shared"], &compared["ours"]["name"]), (&json!(2), &json!("chat")));
    assert_eq!(compared["theirs"]["floors"][0]["text"], r#"@.SET("好感", 1); @.SET("金币", 99);"#);
    let gold = json!({"path": ["金币"], "kind": "changed", "old": 16.5, "new": 99});
    assert_eq!(compared["state"], json!([gold, {"path": ["好感"], "kind": "added", "new": 1}]));
    let floors = two("@chat:0", ":2");
    assert_eq!(floors["state"], json!([{"path": ["金币"], "kind": "changed", "old": 15, "new": 16.5}]));
    assert_eq!(two("@chat:2", "@如果:2")["state"], compared["state"]);

    let said = story.fail("branch merge @chat", &["如果"]);
    assert!(said.contains("both branches changed the same place") && said.contains("--prefer"), "{said}");
    let looked = story.run("branch merge @chat", &["如果", "--dry-run"]);
    assert_eq!((&looked["merged"], &looked["base"]), (&json!(false), &json!(1)));
    assert_eq!(looked["conflicts"], json!([{"path": ["金币"], "base": 15, "ours": 16.5, "theirs": 99}]));
    let merged = story.run("branch merge @chat", &["如果", "--prefer", "ours"]);
    assert_eq!(
        (&merged["merged"], &merged["state"]["好感"], &merged["state"]["金币"]),
        (&json!(true), &json!(1), &json!(16.5))
    );
    assert_eq!(story.run("show @chat", &[])["state"], merged["state"]);

    let grafted = story.run("branch graft @chat", &["如果", "2", "1", "3"]);
    assert_eq!(grafted["floors"], 4);
    assert_eq!(story.run("show @chat", &[])["state"]["金币"], 99);
    assert!(story.fail("branch graft @chat", &["如果", "2", "1", "0"]).contains("is on this branch already"));

    story.run("edit @如果", &["--floor", "1", "--all-branches", "--text", "都改"]);
    for branch in ["path @chat", "path @如果"] {
        assert_eq!(story.run(branch, &[])[1]["preview"], "都改");
    }
}

#[test]
fn a_long_call_is_shown_as_it_was_written() {
    let story = Story::new();
    let call = format!("@.SET(\"信\", \"{}\");", "很长".repeat(200));
    story.run("edit", &["--floor", "2", "--text", &call]);
    let shown = String::from_utf8(story.place.run(&["show", &story.id, "--floor", "2"]).stdout).unwrap();
    assert_eq!(shown.matches(&call).count(), 2, "in the text, and as a call: {shown}");
}

#[test]
fn branches_and_tags_are_drawn_renamed_thrown_away_and_brought_back() {
    let story = Story::new();
    story.run("branch create", &["--floor", "1", "--name", "如果"]);
    story.run("append @如果", &["--role", "user", "--text", "走吧"]);
    story.run("branch create @如果", &["--name", "更远"]);
    let tag = story.run("tag create", &["存档", "--floor", "0", "--note", "开头"]);
    assert_eq!((&tag["kind"], &tag["note"], &tag["floors"]), (&json!("tag"), &json!("开头"), &json!(1)));
    let operations = story.run("log @存档", &["--operations"]);
    assert_eq!(operations["operations"].as_array().unwrap().len(), 1, "a tag and its note are one change");
    let log = story.run("log", &[]);
    let names: Vec<&str> = log["refs"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["chat", "存档", "如果", "更远"], "each below the one it came from, by floor");
    assert_eq!((&log["refs"][2]["shared"], &log["refs"][3]["from"]), (&json!(2), &log["refs"][2]["ref"]));
    let drawn = String::from_utf8(story.place.run(&["log", &story.id]).stdout).unwrap();
    assert!(drawn.contains("● chat") && drawn.contains("├─ ◆ 存档") && drawn.contains("   └─ ○ 更远"), "{drawn}");
    assert!(!drawn.contains('\u{1b}'), "no colour in a pipe");

    let renamed = story.run("branch rename @如果", &["假如", "--colour", "#f80"]);
    assert_eq!((&renamed["name"], &renamed["colour"]), (&json!("假如"), &json!("#f80")));
    let again = story.run("branch rename @假如", &["假如"]);
    assert_eq!((&again["ref"], again.get("operation")), (&renamed["ref"], Some(&Value::Null)), "nothing changed");
    story.run("branch switch @假如", &[]);
    story.run("branch delete @假如", &[]);
    assert_eq!(story.run("branch list", &[]).as_array().unwrap().len(), 2);
    assert_eq!(story.run("branch list", &["--trash"]).as_array().unwrap().len(), 3);
    let log = story.run("log", &[]);
    let further = log["refs"].as_array().unwrap().iter().find(|one| one["name"] == "更远").unwrap();
    assert_eq!((&further["from"], &further["shared"]), (&renamed["ref"], &json!(3)), "also of one in the trash");
    let drawn = String::from_utf8(story.place.run(&["log", &story.id]).stdout).unwrap();
    let line = drawn.lines().find(|line| line.contains("更远")).unwrap();
    let hangs = line.trim_start().starts_with("└─ ○ 更远") && line.contains("forked after #1");
    assert!(hangs, "it hangs on the next one that is there: {drawn}");
    assert!(story.fail("path @假如", &[]).contains("in the trash"));
    let back = story.run("branch restore @假如", &[]);
    assert_eq!(back["trashed"], Value::Null);
    story.run("undo @假如", &[]);
    assert!(story.fail("show @假如", &[]).contains("branch restore"), "a restore can be undone");
    story.run("undo @假如", &[]);
    story.run("show @假如", &[]);

    assert_eq!(story.run("tag list", &[])[0]["name"], "存档");
    assert!(story.fail("append @存档", &["--role", "user", "--name", "旅人", "--text", "x"]).contains("never changed"));
    story.run("branch create", &["--from", "存档", "--name", "自存档"]);
    story.run("tag delete @存档", &[]);
    assert_eq!(story.run("tag list", &[]), json!([]));
}

#[test]
fn rules_are_tried_before_they_are_changed_and_reach_old_floors_by_reprocessing() {
    let story = Story::new();
    let library = story.place.write(
        "rules.json",
        r#"{"version":"1.0","functions":[{"name":"税","type":"passive","enabled":true,"executor":"_.set(snapshot, '税', 1);"}]}"#,
    );
    let tried = story.run("reprocess", &["--library", text(&library), "--from", "2"]);
    assert_eq!((tried.get("operation"), &tried["floors"]), (Some(&Value::Null), &json!(1)), "nothing is written");
    assert_eq!(tried["changed"], json!([{"floor": 2, "state": [{"path": ["税"], "kind": "added", "new": 1}]}]));
    assert_eq!(story.run("reprocess", &["--dry-run"])["changed"], json!([]));

    let set = story.run("rules", &["set", "--library", text(&library), "--user-calls", "on"]);
    assert_eq!((&set["rules"]["user_calls"], &set["rules"]["profile"]), (&json!(true), &json!("native")));
    assert_eq!(story.run("rules", &[])["rules"], set["rules"]);
    assert!(story.fail("rules", &["set"]).contains("--profile"));
    assert_eq!(story.run("show", &[])["state"].get("税"), None, "old pages keep their rules");
    assert_eq!(story.run("reprocess", &["--to", "0"])["changed"].as_array().unwrap().len(), 3);
    assert_eq!(story.run("show", &[])["state"]["税"], 1);
    story.run("undo", &[]);
    story.run("undo", &[]);
    assert_eq!(story.run("rules", &["show"])["rules"]["user_calls"], false);
    assert!(story.fail("reprocess", &["--library", "nowhere.json"]).contains("nowhere.json"));
}

#[test]
fn under_the_manual_policy_later_floors_wait() {
    let story = Story::new();
    assert_eq!(story.run("settings", &[])["edit_policy"], "auto");
    story.run("settings", &["--edit-policy", "manual"]);
    story.run("edit", &["--floor", "0", "--text", "晴天"]);
    assert_eq!((&story.coins(), &story.floors()[2]["stale"]), (&json!(16.5), &json!(true)));
    assert_eq!(story.run("show", &[])["stale"], true);
    assert_eq!(story.place.json(&["verify"])["stale"], 3);
    story.run("reprocess", &[]);
    assert_eq!((&story.coins(), &story.floors()[2]["stale"]), (&json!(11.5), &json!(false)));
}

#[test]
fn a_file_is_read_into_a_story_that_is_there() {
    let story = Story::new();
    let other = story.place.write("other.jsonl", &chat().replace("\"one\"", "\"two\"").replace("你好", "再会"));
    let imported = story.place.json(&["import", text(&other), "--into", "阿丽娅"]);
    assert_eq!(imported["story"], story.id.as_str());
    assert_eq!(story.run("branch list", &[]).as_array().unwrap().len(), 2);
    assert_eq!(story.run("show @other", &["--floor", "1"])["text"], "再会");
    assert_eq!(story.place.json(&["verify", "--repair"])["problems"], json!([]));
}

#[test]
fn what_goes_wrong_is_told_in_both_languages_with_the_next_step() {
    let story = Story::new();
    story.run("tag create", &["存档"]);
    story.run("branch create", &["--name", "双"]);
    story.run("branch create", &["--name", "双"]);
    let bad = [
        ("undo", vec!["99"], "there is no operation 99", "没有操作 99", "log --operations"),
        ("edit", vec!["--floor", "9", "--text", "x"], "there is no floor 9", "没有第 9 层", "storeyline path"),
        (
            "edit",
            vec!["--page", "zzzz", "--text", "x"],
            "`zzzz` is not a page",
            "不是这条分支上的页",
            "storeyline show",
        ),
        ("move", vec!["1", "9"], "no floor 9", "没有第 9 层", "storeyline path"),
        ("hide @存档", vec!["0"], "is a tag", "是标签", "branch create --from"),
        ("branch switch @存档", vec![], "is a tag", "是标签", "branch create --from"),
        ("branch delete", vec![], "was not said", "没有写明", "@"),
        ("tag delete @chat", vec![], "is a branch", "是分支", "branch delete"),
        ("branch restore @chat", vec![], "not in the trash", "不在回收站", "log --trash"),
        ("path @双", vec![], "several branches", "好几条分支", "branch list"),
        ("redo", vec![], "nothing to redo", "没有可以重做", "log --operations"),
        ("set", vec!["__proto__", "1"], "cannot be a key", "“__proto__”", "storeyline show"),
    ];
    for (command, args, english, chinese, hint) in bad {
        let said = story.fail(command, &args);
        assert!(said.contains(english) && said.contains("hint:") && said.contains(hint), "{command} {args:?}: {said}");
        let (words, target) = story.words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).chain([target.as_str()]).chain(args).collect();
        let said = story.place.chinese(&words);
        assert!(said.contains(chinese) && said.contains("提示：") && said.contains(hint), "{words:?}: {said}");
    }
    let said = story.place.failure(&["path", "nothing", "--json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert!(said["error"]["hint"].as_str().unwrap().contains("stories"));
}

#[test]
fn a_data_folder_that_cannot_be_used_is_told_apart() {
    let place = TestDir::new();
    place.write("data/storeyline.db", "this is a diary, not a database, and it must not be touched");
    let said = place.failure(&["stories"]);
    assert!(said.contains("is not a database of Storeyline") && said.contains("--data"), "{said}");
    assert!(place.chinese(&["stories"]).contains("不是 Storeyline 的数据库"));
    let kept = std::fs::read_to_string(place.path("data/storeyline.db")).unwrap();
    assert!(kept.starts_with("this is a diary"));
}

#[test]
fn the_last_branch_of_a_story_stays() {
    let story = Story::new();
    let said = story.fail("branch delete @chat", &[]);
    assert!(said.contains("last branch") && said.contains("branch create"), "{said}");
    assert_eq!(story.floors().len(), 3);
}
