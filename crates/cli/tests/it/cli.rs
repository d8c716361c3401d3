//! The command line on real files.

use crate::program::{CARD, TestDir, chat, text};
use serde_json::{Value, json};

fn import(place: &TestDir, chat: &str) -> Value {
    let chat = place.write("chat.jsonl", chat);
    let card = place.write("card.json", CARD);
    place.json(&["import", text(&chat), "--card", text(&card)])
}

#[test]
fn a_chat_file_becomes_a_story_with_exact_states() {
    let place = TestDir::new();
    let imported = import(&place, &chat());
    assert_eq!((&imported["floors"], &imported["pages"], &imported["new_pages"]), (&json!(3), &json!(4), &json!(4)));
    let story = imported["story"].as_str().unwrap();
    let path = place.json(&["path", story]);
    assert_eq!(path.as_array().unwrap().len(), 3);
    let state = |floor: &str| place.json(&["show", story, "--floor", floor])["state"].clone();
    assert_eq!(state("0"), json!({"金币": 15, "玩家": "旅人"}));
    assert_eq!(state("2"), json!({"金币": 16.5, "玩家": "旅人"}));
    let floor = place.json(&["show", story]);
    assert_eq!(floor["floor"], 2);
    assert_eq!(floor["calls"][1]["diagnostics"][0]["code"], "E-ADD-NUM");
    let other = place.json(&["show", "阿丽娅", "--page", floor["page"].as_str().unwrap()]);
    assert_eq!(other, floor);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

#[test]
fn an_inactive_greeting_with_macros_has_the_state_of_the_resolved_one() {
    let place = TestDir::new();
    let swapped = chat()
        .replace("\"swipe_id\":0", "\"swipe_id\":1")
        .replace("\"mes\":\"雨夜。@.SET(\\\"玩家\\\", \\\"旅人\\\"); @.ADD(\\\"金币\\\", 5);\"", "\"mes\":\"晴天。\"");
    let story = import(&place, &swapped)["story"].as_str().unwrap().to_owned();
    let greeting = place.json(&["show", &story, "--floor", "0"]);
    assert_eq!(greeting["state"], json!({"金币": 10}));
    let raw = greeting["pages"][0]["page"].as_str().unwrap();
    assert_eq!(place.json(&["show", &story, "--page", raw])["state"], json!({"金币": 15, "玩家": "旅人"}));
}

#[test]
fn export_gives_the_file_back() {
    let place = TestDir::new();
    let story = import(&place, &chat())["story"].as_str().unwrap().to_owned();
    let out = place.path("out.jsonl");
    place.json(&["export", &story, text(&out)]);
    let exported = std::fs::read_to_string(&out).unwrap();
    let read = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let mut without_ids = read(&exported);
    for message in &mut without_ids[1..] {
        assert!(message["extra"].as_object_mut().unwrap().remove("storeyline").is_some(), "ids are written");
        for info in message.get_mut("swipe_info").and_then(Value::as_array_mut).into_iter().flatten() {
            info["extra"].as_object_mut().unwrap().remove("storeyline");
        }
    }
    assert_eq!(without_ids, read(&chat()));

    // With its ids the file is the same story on another machine, and the same file again.
    let other = TestDir::new();
    let again = import(&other, &exported)["story"].as_str().unwrap().to_owned();
    let ids = |place: &TestDir, story: &str| {
        place.json(&["path", story]).as_array().unwrap().iter().map(|floor| floor["page"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&other, &again), ids(&place, &story));
    let twice = other.path("out.jsonl");
    other.json(&["export", &again, text(&twice)]);
    assert_eq!(std::fs::read_to_string(twice).unwrap(), exported);
}

#[test]
fn importing_a_changed_file_changes_only_what_changed() {
    let place = TestDir::new();
    let first = import(&place, &chat());
    let longer = chat() + "\n" + r#"{"name":"旅人","is_user":true,"mes":"再见","extra":{}}"#;
    let second = import(&place, &longer);
    assert_eq!(second["story"], first["story"]);
    assert_eq!((&second["floors"], &second["new_pages"]), (&json!(4), &json!(1)));
    assert_eq!(import(&place, &longer)["new_pages"], 0);
}

#[test]
fn bad_input_gets_a_clear_answer_and_nothing_is_lost() {
    let place = TestDir::new();
    let story = import(&place, &chat())["story"].as_str().unwrap().to_owned();
    let whole = chat();
    let cut = place.write("cut.jsonl", &whole[..whole.len() - 20]);
    let said = place.failure(&["import", text(&cut)]);
    assert!(said.contains("line 4 is not valid JSON") && said.contains("hint:"), "{said}");
    for (args, wanted) in [
        (vec!["import", "nowhere.jsonl"], "nowhere.jsonl"),
        (vec!["show", "nothing"], "no story is called `nothing`"),
        (vec!["show", &story, "--floor", "9"], "there is no floor 9"),
        (vec!["show", &story, "--page", "x"], "`x` is not a page"),
        (vec!["path", &format!("{story}@other")], "no branch `other`"),
        (vec!["sillytavern", "install", text(&place.path(""))], "not a SillyTavern folder"),
    ] {
        let said = place.failure(&args);
        assert!(said.contains(wanted), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    assert_eq!(place.json(&["path", &story]).as_array().unwrap().len(), 3);
}

#[test]
fn half_an_emoji_in_a_file_is_no_obstacle() {
    let place = TestDir::new();
    let broken = chat().replace("你好", "\\ud83d 你好");
    let story = import(&place, &broken)["story"].as_str().unwrap().to_owned();
    assert_eq!(place.json(&["show", &story, "--floor", "1"])["text"], "\u{fffd} 你好");
}

#[test]
fn install_can_be_repeated_checked_and_undone() {
    let place = TestDir::new();
    place.write("st/server.js", "");
    place.write("st/public/scripts/extensions/x", "");
    let config = place.write("st/config.yaml", "port: 8000\nenableServerPlugins: false\n");
    let host = place.path("st");
    assert!(place.failure(&["sillytavern", "doctor", text(&host)]).contains("problems"));
    for _ in 0..2 {
        place.json(&["sillytavern", "install", text(&host)]);
        assert_eq!(std::fs::read_to_string(&config).unwrap(), "port: 8000\nenableServerPlugins: true\n");
        let binary = place.path(if cfg!(windows) {
            "st/plugins/storeyline/bin/storeyline.exe"
        } else {
            "st/plugins/storeyline/bin/storeyline"
        });
        assert!(std::process::Command::new(binary).arg("--version").status().unwrap().success());
        assert!(place.path("st/public/scripts/extensions/third-party/storeyline/manifest.json").exists());
        let second = std::fs::read_to_string(place.path("st/plugins/zz-storeyline-var-manager.mjs")).unwrap();
        let named = second.split('\'').nth(1).unwrap();
        assert!(place.path("st/plugins").join(named).exists(), "{second}");
        place.json(&["sillytavern", "doctor", text(&host)]);
    }
    place.json(&["sillytavern", "uninstall", text(&host)]);
    assert!(!place.path("st/plugins/storeyline").exists());
    assert!(!place.path("st/plugins/zz-storeyline-var-manager.mjs").exists());
    assert!(place.path("data").exists(), "stories are kept");
}

#[test]
fn a_text_can_be_tried_on_a_state() {
    let place = TestDir::new();
    let state = place.write("state.json", r#"{"角色":{"金币":10,"名":"张三"}}"#);
    let message = place
        .write("reply.txt", "她点头。@.ADD(\"角色.金币\", (2 + 3) * 2);\n_.set('角色.新', 1);\n@.ADD(\"角色.名\", 1)");
    let args = ["apply", "--state", text(&state), "--message", text(&message)];
    let native = place.json(&args);
    assert_eq!(native["state"], json!({"角色": {"金币": 20, "名": "张三", "新": 1}}));
    assert_eq!(native["calls"][2]["diagnostics"][0]["code"], "E-ADD-NUM");
    let mvu = place.json(&[&args[..], &["--profile", "mvu"]].concat());
    assert_eq!(mvu["calls"][1]["verdict"], "failed", "MVU sets only what exists");
    let said = place.run(&args);
    let drawn = String::from_utf8(said.stderr).unwrap();
    assert!(drawn.contains("  @.ADD(\"角色.名\", 1)\n  ~~~"), "{drawn}");
    assert!(place.failure(&[&args[..], &["--profile", "x"]].concat()).contains("no profile `x`"));
    assert!(
        place.failure(&["apply", "--state", text(&message), "--message", text(&message)]).contains("not valid JSON")
    );
}

#[test]
fn the_prompt_text_comes_in_both_languages() {
    let place = TestDir::new();
    let chinese = place.json(&["prompt", "--language", "zh"])["text"].as_str().unwrap().to_owned();
    assert!(chinese.starts_with("<variable_system_functions>\n你可以使用以下函数来更新游戏状态："));
    assert!(
        chinese.contains("@.APPEND(\"path.to.array\", item); // 数组追加\n示例：@.APPEND(\"背包\", \"治疗药水\");")
    );
    let english = place.json(&["prompt", "--language", "en", "--tag", "game_state_functions"])["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(english.starts_with("<game_state_functions>\nYou can use these functions"));
}

#[test]
fn every_command_shows_an_example() {
    let place = TestDir::new();
    let mut commands = vec![Vec::<String>::new()];
    while let Some(command) = commands.pop() {
        let args: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = String::from_utf8(place.run(&args).stdout).unwrap();
        let listed = help.split("Commands:\n").nth(1).map(|list| list.split("\n\n").next().unwrap_or_default());
        let below: Vec<&str> =
            listed.unwrap_or_default().lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert!(!below.is_empty() || help.contains("Example: storeyline "), "{command:?} has no example");
        let below = below.into_iter().filter(|name| *name != "help");
        commands.extend(below.map(|name| command.iter().cloned().chain([name.to_owned()]).collect()));
    }
}
