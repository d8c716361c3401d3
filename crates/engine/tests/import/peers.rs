//! Tests of what other tools left in files: histories with branches, and the states that they stored.

use std::path::Path;

use storeyline_engine::{By, Card, Engine, EngineError, ImportRequest, Stored, VarSystemStates, is_history, replay};
use storeyline_functions::script::NoScripts;
use storeyline_state::json;
use storeyline_wire::Role;
use storeyline_wire::operation::BranchEdit;

use crate::{FIRST, chat, ids, owner, request, state, stats};

const HISTORY: &str = r#"{"branches":{"main":{
    "0":{"role":"user","pages":{"0":{"id":"u1","role":"user","content":"去吧","timestamp":5}},"activePageIndex":0},
    "1":{"role":"assistant","pages":{
        "0":{"id":"a1","role":"assistant","content":"@.ADD(\"金币\", 1);","timestamp":6},
        "1":{"id":"a2","role":"assistant","content":"@.ADD(\"金币\", 100);","timestamp":7,"isValid":false}},"activePageIndex":1},
    "2":{"role":"assistant","pages":{"0":{"id":"s1","role":"summary","content":"@.ADD(\"金币\", 7);"}},"activePageIndex":0}},
  "分支":{
    "0":{"role":"user","pages":{"0":{"id":"u1","role":"user","content":"去吧","timestamp":5}},"activePageIndex":0},
    "1":{"role":"assistant","pages":{"0":{"id":"a1","role":"assistant","content":"@.ADD(\"金币\", 2);","timestamp":6}},"activePageIndex":0}},
  "空":{}},
  "activeBranch":"分支"}"#;

#[test]
fn a_history_becomes_a_story_with_its_branches() {
    let engine = Engine::in_memory().unwrap();
    assert!(is_history(HISTORY) && !is_history(&chat(&FIRST)) && !is_history(r#"{"chat_metadata":{}}"#));
    let answer = engine.import_history(&owner(), &request(HISTORY)).unwrap();
    let [story] = &answer.stories[..] else { panic!() };
    let [main, other] = &story.refs[..] else { panic!() };
    assert_eq!((main.file.as_str(), other.file.as_str()), ("main", "分支"));
    assert_eq!(engine.current_branch(&owner(), story.story).unwrap(), Some(other.branch));
    let lines = engine.floors(&owner(), story.story, main.branch, 0, 9).unwrap().floors;
    let roles: Vec<Role> = lines.iter().map(|line| line.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Summary]);
    assert_eq!(state(&engine, main, 2), r#"{"金币":10}"#, "neither an invalid page nor a summary counts");
    assert_eq!(state(&engine, other, 1), r#"{"金币":12}"#, "edited in this branch");
    let (ours, theirs) = (ids(&engine, main), ids(&engine, other));
    assert_eq!((ours[0][0], ours[1][0]), (theirs[0][0], theirs[1][0]), "one page in both branches");
    assert_eq!(engine.stats(&owner()).unwrap().nodes, 4, "the first floor is stored once");
    let refs = engine.refs(&owner(), story.story).unwrap();
    let find = |id| refs.iter().find(|branch| branch.id == id).unwrap();
    assert_eq!(find(other.branch).origin, Some(find(main.branch).key));

    // Again: nothing; changed: the same pages.
    let all = stats(&engine);
    let again = engine.import_history(&owner(), &request(HISTORY)).unwrap();
    assert_eq!((again.stories[0].story, stats(&engine)), (story.story, all));
    let changed = HISTORY.replace("\"activePageIndex\":1", "\"activePageIndex\":0").replace("去吧", "来吧");
    let again = engine.import_history(&owner(), &request(&changed)).unwrap();
    assert_eq!(again.stories[0].refs[0].new_pages, 0);
    assert_eq!(state(&engine, main, 2), r#"{"金币":11}"#);
    assert!(engine.verify(&owner(), |_| {}).unwrap().problems.is_empty());
}

#[test]
fn a_file_that_is_no_history_is_refused_with_words() {
    let engine = Engine::in_memory().unwrap();
    for (text, words) in [
        (r#"{"branches":{"main":{}}}"#, "the chat history has no message"),
        (r#"{"branches":5"#, "the history is not valid JSON"),
    ] {
        let refused = engine.import_history(&owner(), &request(text)).unwrap_err().to_string();
        assert!(refused.starts_with(words), "{refused}");
    }
    assert_eq!(stats(&engine).0, 0);
}

/// MVU's chat: the peer lost the swipe of floor 2 and added to the wrong state on floor 4.
const MVU: &str = r#"{"chat_metadata":{"integrity":"mvu"}}
{"name":"A","mes":"hi","variables":[{"stat_data":{"金币":10}}]}
{"name":"U","is_user":true,"mes":"go","variables":[{"stat_data":{"金币":10}}]}
{"name":"A","mes":"_.add('金币', 1);","swipe_id":1,"swipes":["_.add('金币', 5);","_.add('金币', 1);"],"variables":[{"stat_data":{"金币":15}},{"stat_data":{"金币":11}}]}
{"name":"U","is_user":true,"mes":"go","variables":[{"stat_data":{"金币":15}}]}
{"name":"A","mes":"_.add('金币', 1);","variables":[{"stat_data":{"金币":16}}]}"#;

#[test]
fn stored_states_are_compared_and_taken_if_they_are_trusted() {
    let engine = Engine::in_memory().unwrap();
    let plain = ImportRequest { card: None, ..request(MVU) };
    let mut compared = Vec::new();
    replay(&plain, |_| {}, None, &mut NoScripts, |floor| compared.push(floor.differs)).unwrap();
    assert_eq!(compared, [false, false, false, true, true].map(Some), "a trial run compares as the import does");
    let imported = engine.import(&owner(), &plain).unwrap();
    assert_eq!(state(&engine, &imported, 4), r#"{"金币":12}"#);
    assert_eq!((imported.stored.found, imported.stored.overridden.len()), (5, 0));
    assert_eq!(imported.stored.differing, [3, 4]);

    let trusting = Stored { trust: true, snapshots: None };
    let trusted = engine.import_with(&owner(), &plain, &trusting).unwrap();
    assert_eq!((trusted.stored.overridden.as_slice(), trusted.stored.differing.len()), (&[3][..], 0));
    assert_eq!(
        (state(&engine, &trusted, 3), state(&engine, &trusted, 4)),
        (r#"{"金币":15}"#.into(), r#"{"金币":16}"#.into())
    );
    let all = stats(&engine);
    let again = engine.import_with(&owner(), &plain, &trusting).unwrap();
    assert_eq!((again.stored, again.evaluated, stats(&engine)), (trusted.stored, 0, all));
    engine.undo(&owner(), imported.story, imported.branch, None, "t").unwrap();
    assert_eq!(state(&engine, &imported, 4), r#"{"金币":12}"#);
    assert!(engine.verify(&owner(), |_| {}).unwrap().problems.is_empty());
}

#[test]
fn a_sam_block_is_compared_too() {
    let block = |gold: i32| format!(r#"<SAMCheckpoint>{{\"static\":{{\"金币\":{gold}}}}}</SAMCheckpoint>"#);
    let text = format!(
        "{{\"chat_metadata\":{{\"integrity\":\"s\"}}}}\n{{\"name\":\"A\",\"mes\":\"{}\"}}\n{{\"name\":\"A\",\"mes\":\"{}\"}}",
        block(1),
        block(2)
    );
    let engine = Engine::in_memory().unwrap();
    let plain = ImportRequest { card: None, ..request(&text) };
    let imported = engine.import(&owner(), &plain).unwrap();
    assert_eq!((imported.stored.found, imported.stored.differing.last()), (2, Some(&1)));
    let trusted = engine.import_with(&owner(), &plain, &Stored { trust: true, snapshots: None }).unwrap();
    assert!(state(&engine, &trusted, 1).contains(r#""金币":2"#), "{}", state(&engine, &trusted, 1));
}

#[test]
fn snapshots_of_varsystem_count_where_they_differ() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/varsystem/var-manager.db");
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("var-manager.db");
    std::fs::copy(path, &copy).unwrap();
    let snapshots = VarSystemStates::open(&copy).unwrap();
    let text = r#"{"chat_metadata":{"integrity":"v"}}
{"name":"A","mes":"hi","swipes_info":[{"st_var_system_snapshot_id":"snap-0"}]}
{"name":"U","is_user":true,"mes":"go"}
{"name":"A","mes":"@.ADD(\"金币\", 2);","swipe_id":0,"swipes":["@.ADD(\"金币\", 2);","@.ADD(\"金币\", 2);!"],"swipes_info":[{"st_var_system_snapshot_id":"snap-2"},{"st_var_system_snapshot_id":"snap-2-other"}]}
{"name":"U","is_user":true,"mes":"go"}
{"name":"A","mes":"@.ADD(\"金币\", 3);","swipes_info":[{"st_var_system_snapshot_id":"snap-4"}]}
{"name":"A","mes":"!","swipes_info":[{"st_var_system_snapshot_id":"lost"}]}"#;
    let template = r#"{"金币":10,"note":"x","link":{"__vmRef":77}}"#;
    let card = Card { template: Some(json::read(template).unwrap()), ..Card::default() };
    let asked = ImportRequest { card: Some(card), ..request(text) };
    let engine = Engine::in_memory().unwrap();
    let stored = Stored { trust: false, snapshots: Some(&snapshots) };
    let imported = engine.import_with(&owner(), &asked, &stored).unwrap();
    assert_eq!(state(&engine, &imported, 0), template, "sorted keys make no difference, and a user's value stays data");
    assert_eq!(imported.stored.overridden, [2]);
    let long = "一段很长的文字，超过三十二个单位，所以插件把它放进值池里，而不是写在结构里。";
    assert_eq!(
        state(&engine, &imported, 5),
        format!(r#"{{"金币":15,"note":"{long}","link":{{"__vmRef":77}}}}"#),
        "a damaged or lost snapshot counts as absent"
    );
    let other = ids(&engine, &imported)[2][1];
    let select = BranchEdit::Select { page: other };
    engine.edit_branch(&owner(), imported.story, imported.branch, &select, By::client("t")).unwrap();
    assert!(state(&engine, &imported, 2).starts_with(r#"{"金币":50"#), "each page has its own");
    assert!(matches!(VarSystemStates::open(Path::new("no such file")), Err(EngineError::Foreign(_))));
}
