//! Tests of sync as a host sees it: after any change of a chat, every floor must have its exact state.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../host/mod.rs"]
mod host;

mod functions;

use host::{Host, by_any_key, states};
use storeyline_engine::{By, Engine, EngineError, Owner, Row};
use storeyline_state::{ChatId, PageId, json};
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::sync::{HostChange, Keep, SyncRequest};
use storeyline_wire::{JsonObject, KeepText};

const TEMPLATE: &str = r#"{"金币":10}"#;

/// Greeting, message, reply: 10 → 15 → 15 → 20.
fn story() -> (Engine, Host, storeyline_engine::OpenedChat) {
    let engine = Engine::in_memory().unwrap();
    let mut host = Host::new(1);
    let opened = host.open(&engine, None, TEMPLATE);
    host.reply("雨夜。@.ADD(\"金币\", 5);");
    host.user("你好");
    host.reply("@.ADD(\"金币\", 5);");
    host.sync(&engine);
    (engine, host, opened)
}

fn gold(engine: &Engine, opened: &storeyline_engine::OpenedChat) -> Vec<String> {
    states(engine, opened).iter().map(|state| state.replace("{\"金币\":", "").replace('}', "")).collect()
}

#[test]
fn every_floor_has_its_state() {
    let (engine, _, opened) = story();
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
}

#[test]
fn swiping_there_and_back_evaluates_only_what_is_new() {
    let (engine, mut host, opened) = story();
    host.swipe(2, "@.ADD(\"金币\", 100);");
    assert_eq!(host.sync(&engine).evaluated, 1);
    assert_eq!(gold(&engine, &opened), ["15", "15", "115"]);
    host.select(2, 0);
    assert_eq!(host.sync(&engine).evaluated, 0, "the memo knows");
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
}

#[test]
fn edits_deletions_and_moves_reach_the_later_floors() {
    let (engine, mut host, opened) = story();
    host.edit(0, "@.SET(\"金币\", 1);");
    host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["1", "1", "6"]);
    host.reply("@.SET(\"金币\", 50);");
    host.messages.swap(2, 3);
    host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["1", "1", "50", "55"]);
    host.messages.remove(0);
    host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["10", "50", "55"]);
}

#[test]
fn a_branch_shares_its_beginning() {
    let (engine, mut host, opened) = story();
    let mut branch = host.reload("branch");
    branch.chat = ChatId::from_random([2; 16]);
    let other = branch.open(&engine, Some(host.chat), "{}");
    assert_eq!(other.story, opened.story);
    branch.messages.truncate(2);
    let answer = branch.sync(&engine);
    assert_eq!(answer.evaluated, 0);
    branch.reply("@.SET(\"金币\", 0);");
    branch.sync(&engine);
    assert_eq!(gold(&engine, &other), ["15", "15", "0"]);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
    host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
}

#[test]
fn kept_floors_are_proven_by_their_digest() {
    let (engine, mut host, opened) = story();
    let page = host.reply("@.ADD(\"金币\", 1);");
    let mut request = host.request();
    let digest = digest_of(&host.rows()[..3]);
    request.keep = Keep { len: 3, digest };
    request.tail.drain(..3);
    request.messages = by_any_key(&host.messages[3..]);
    let answer = engine.sync(&Owner::local(), &request).unwrap();
    assert_eq!(answer.evaluated, 1);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
    assert_eq!(engine.floor(&Owner::local(), opened.story, opened.branch, 3, None).unwrap().page, page);

    request.seq += 1;
    request.keep.digest = "AAAAAAAAAAAAAAAAAAAAAA".into();
    assert!(matches!(engine.sync(&Owner::local(), &request), Err(EngineError::KeepMismatch)));
}

/// The chain of `docs/api.md`, written a second time.
/// The digest of the first floors, as a client computes it.
fn digest_of(rows: &[Row]) -> String {
    let mut digest = None;
    for row in rows {
        let pages: Vec<String> = row.pages.iter().map(|(id, h)| format!("[\"{id}\",\"{h}\"]")).collect();
        let (id, h) = row.pages[row.active];
        let (role, name, active) = (row.role.as_str(), &row.name, row.active);
        let line = format!("[\"{id}\",\"{h}\",\"{role}\",\"{name}\",false,{active},[{}]]", pages.join(","));
        digest = storeyline_history_digest(digest, &line);
    }
    digest.unwrap_or_default()
}

#[test]
fn a_correction_by_hand_is_not_taken_back_by_a_host_that_keeps_everything() {
    let engine = Engine::in_memory().unwrap();
    let mut host = Host::new(1);
    let opened = host.open(&engine, None, r#"{"金币":1}"#);
    host.reply("一");
    let page = host.reply("@.ADD(\"金币\", 1);");
    let base = host.sync(&engine).node;
    let correct = BranchEdit::Override { page, state: JsonObject(json::read(r#"{"金币":1000}"#).unwrap()) };
    engine.edit_branch(&Owner::local(), opened.story, opened.branch, &correct, By::client("test")).unwrap();

    let keeping = |host: &mut Host, base| {
        let request = host.request();
        let digest = digest_of(&host.rows()[..2]);
        let tail = request.tail[2..].to_vec();
        let messages = by_any_key(&host.messages[2..]);
        SyncRequest { base, keep: Keep { len: 2, digest }, tail, messages, ..request }
    };
    let request = keeping(&mut host, base);
    let answer = engine.sync(&Owner::local(), &request).unwrap();
    assert_eq!(gold(&engine, &opened), ["1", "1000"]);
    assert_eq!(
        answer.state.unwrap().hash,
        engine.floor(&Owner::local(), opened.story, opened.branch, 1, None).unwrap().hash
    );
    assert!(answer.apply.is_empty());

    host.reply("@.ADD(\"金币\", 5);");
    let late = keeping(&mut host, base);
    engine.sync(&Owner::local(), &late).unwrap();
    assert_eq!(gold(&engine, &opened), ["1", "1000", "1005"], "also not by one that did not hear of it yet");
}

fn storeyline_history_digest(before: Option<String>, line: &str) -> Option<String> {
    Some(storeyline_state::text::hash(&(before.unwrap_or_default() + line)).to_string())
}

#[test]
fn what_storeyline_changed_comes_back_to_the_host() {
    let (engine, mut host, opened) = story();
    let page = host.swipe(2, "@.ADD(\"金币\", 100);");
    host.sync(&engine);
    let first: PageId = host.rows()[2].pages[0].0;
    engine
        .edit_branch(
            &Owner::local(),
            opened.story,
            opened.branch,
            &BranchEdit::Select { page: first },
            By::client("test"),
        )
        .unwrap();
    let answer = host.sync(&engine);
    assert_eq!(answer.apply, [HostChange::Select { floor: 2, page: first, index: 0 }]);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);

    let text = "@.SET(\"金币\", 3);".to_owned();
    let greeting = host.rows()[0].pages[0].0;
    let edit = BranchEdit::Edit { page: greeting, text: text.clone(), keep: KeepText::InPlace };
    engine.edit_branch(&Owner::local(), opened.story, opened.branch, &edit, By::client("test")).unwrap();
    host.reply("@.ADD(\"金币\", 1);");
    let answer = host.sync(&engine);
    assert_eq!(answer.apply, [HostChange::Edit { floor: 0, page: greeting, text }]);
    assert_eq!(gold(&engine, &opened), ["3", "3", "8", "9"], "both sides' changes");
    assert!(host.sync(&engine).apply.is_empty());
    let _ = page;
}

#[test]
fn a_closed_chat_gets_the_change_when_it_is_opened_again() {
    let (engine, host, opened) = story();
    let greeting = host.rows()[0].pages[0].0;
    let edit = BranchEdit::Edit { page: greeting, text: "@.SET(\"金币\", 3);".into(), keep: KeepText::InPlace };
    engine.edit_branch(&Owner::local(), opened.story, opened.branch, &edit, By::client("test")).unwrap();
    let mut again = host.reload("again");
    assert_eq!(again.sync(&engine).apply.len(), 1);
    assert_eq!(gold(&engine, &opened), ["3", "3", "8"]);
}

#[test]
fn a_file_that_was_saved_before_its_last_answer_came_is_as_it_was_reported() {
    let (engine, mut host, opened) = story();
    let stale = host.base;
    let greeting = host.rows()[0].pages[0].0;
    host.edit(0, "@.SET(\"金币\", 7);");
    host.sync(&engine);
    engine.undo(&Owner::local(), opened.story, opened.branch, None, "test").unwrap();
    let mut again = host.reload("again");
    again.base = stale;
    let answer = again.sync(&engine);
    let text = "雨夜。@.ADD(\"金币\", 5);".to_owned();
    assert_eq!(answer.apply, [HostChange::Edit { floor: 0, page: greeting, text }], "the undo reaches the host");
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
}

#[test]
fn what_came_back_can_be_deleted_before_the_host_has_told_of_it() {
    let (engine, mut host, opened) = story();
    host.messages.remove(2);
    host.sync(&engine);
    engine.undo(&Owner::local(), opened.story, opened.branch, None, "test").unwrap();
    let request = host.request();
    let answer = engine.sync(&Owner::local(), &request).unwrap();
    assert!(!answer.apply.is_empty(), "the reply comes back");
    // The host carries it out, and before it says so the player deletes the reply again: the chat is as it was reported.
    host.base = answer.head;
    let answer = host.sync(&engine);
    assert_eq!((answer.apply, answer.head), (Vec::new(), answer.node));
    assert_eq!(gold(&engine, &opened), ["15", "15"]);
}

#[test]
fn changes_of_the_same_page_become_two_branches() {
    let (engine, mut host, opened) = story();
    let greeting = host.rows()[0].pages[0].0;
    let edit = BranchEdit::Edit { page: greeting, text: "@.SET(\"金币\", 3);".into(), keep: KeepText::InPlace };
    engine.edit_branch(&Owner::local(), opened.story, opened.branch, &edit, By::client("test")).unwrap();
    host.edit(0, "@.SET(\"金币\", 7);");
    let answer = host.sync(&engine);
    assert_eq!(answer.notices.iter().map(|notice| notice.code.as_str()).collect::<Vec<_>>(), ["forked"]);
    assert_ne!(answer.branch, opened.branch);
    assert_eq!(gold(&engine, &opened), ["3", "3", "8"], "the old branch is unchanged");
    let forked = storeyline_engine::OpenedChat { branch: answer.branch, ..opened };
    assert_eq!(gold(&engine, &forked), ["7", "7", "12"]);
    assert!(host.sync(&engine).notices.is_empty());
}

#[test]
fn a_second_window_that_is_behind_catches_up() {
    let (engine, mut host, opened) = story();
    let mut behind = host.reload("second window");
    behind.sync(&engine);
    host.reply("@.ADD(\"金币\", 1);");
    host.sync(&engine);
    let answer = behind.sync(&engine);
    assert!(matches!(answer.apply[..], [HostChange::Replace { floor: 3, .. }]));
    assert_eq!(behind.rows(), host.rows());
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
}

#[test]
fn a_window_that_opens_before_the_other_has_saved_takes_nothing_away() {
    let (engine, mut host, opened) = story();
    let mut second = host.reload("second window");
    host.reply("@.ADD(\"金币\", 1);");
    host.sync(&engine);
    let answer = second.sync(&engine);
    assert!(matches!(answer.apply[..], [HostChange::Replace { floor: 3, .. }]), "{:?}", answer.apply);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
}

#[test]
fn a_window_that_has_heard_nothing_yet_takes_nothing_away() {
    let (engine, mut host, opened) = story();
    let mut second = host.reload("second window");
    second.base = None;
    host.reply("@.ADD(\"金币\", 1);");
    host.sync(&engine);
    assert!(matches!(second.sync(&engine).apply[..], [HostChange::Replace { floor: 3, .. }]));
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
}

#[test]
fn what_is_heard_twice_is_done_once() {
    let (engine, mut host, opened) = story();
    host.edit(2, "@.ADD(\"金币\", 7);");
    let request = SyncRequest { messages: by_any_key(&host.messages), ..host.request() };
    let first = engine.sync(&Owner::local(), &request).unwrap();
    let mut second = host.reload("second window");
    second.base = first.node;
    second.edit(2, "@.ADD(\"金币\", 9);");
    second.sync(&engine);
    let again = engine.sync(&Owner::local(), &request).unwrap();
    assert_eq!(again.node, first.node);
    assert!(again.notices.is_empty() && !again.apply.is_empty(), "it is told what happened since");
    assert_eq!(gold(&engine, &opened), ["15", "15", "24"]);
}

#[test]
fn a_file_that_lost_its_end_is_right_when_it_is_opened() {
    let (engine, mut host, opened) = story();
    host.reply("@.ADD(\"金币\", 1);");
    host.sync(&engine);
    let mut again = host.reload("after a crash");
    again.messages.pop();
    assert!(again.sync(&engine).apply.is_empty());
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
    engine.undo(&Owner::local(), opened.story, opened.branch, None, "test").unwrap();
    assert_eq!(again.sync(&engine).apply.len(), 1, "what it lost comes back");
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
}

#[test]
fn a_page_that_lost_its_id_gets_it_back() {
    let (engine, host, opened) = story();
    let old = host.rows()[1].pages[0].0;
    let mut again = host.reload("after a crash!");
    let last = again.messages.pop().unwrap();
    again.messages.pop();
    again.user("你好");
    let other_name = json::write(&again.messages[1]).replace("旅人", "路人");
    again.messages[1] = json::read(&other_name).unwrap();
    again.messages.push(last);
    let answer = again.sync(&engine);
    assert_eq!(answer.adopt, [(1, old)]);
    assert_eq!(gold(&engine, &opened), ["15", "15", "20"]);
}

#[test]
fn equal_texts_keep_their_own_messages() {
    let engine = Engine::in_memory().unwrap();
    let mut host = Host::new(1);
    let opened = host.open(&engine, None, TEMPLATE);
    for _ in 0..3 {
        host.user("继续");
        host.reply("@.ADD(\"金币\", 1);");
    }
    host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["10", "11", "11", "12", "12", "13"]);
}

#[test]
fn bad_requests_change_nothing() {
    let (engine, mut host, opened) = story();
    let before = gold(&engine, &opened);
    let mut empty = host.request();
    empty.tail.clear();
    assert!(matches!(engine.sync(&Owner::local(), &empty), Err(EngineError::EmptyPath)));
    let mut unknown = host.request();
    unknown.chat = ChatId::from_random([99; 16]);
    assert!(matches!(engine.sync(&Owner::local(), &unknown), Err(EngineError::UnknownChat(_))));
    let mut twice = host.request();
    twice.tail[1].swipes = twice.tail[0].swipes.clone();
    assert!(matches!(engine.sync(&Owner::local(), &twice), Err(EngineError::BadRow { floor: 1, .. })));
    let mut nowhere = host.request();
    nowhere.tail[1].active = 5;
    assert!(matches!(engine.sync(&Owner::local(), &nowhere), Err(EngineError::BadRow { floor: 1, .. })));
    host.sync(&engine);
    let mut old = host.request();
    old.seq = 0;
    assert!(matches!(engine.sync(&Owner::local(), &old), Err(EngineError::OldSeq { .. })));
    assert_eq!(gold(&engine, &opened), before);
}

#[test]
fn a_broken_call_is_reported_once_and_the_others_apply() {
    let (engine, mut host, opened) = story();
    host.reply("@.ADD(\"金币\", \"很多\"); @.ADD(\"金币\", 1);");
    let answer = host.sync(&engine);
    assert_eq!(answer.diagnostics.len(), 1);
    assert_eq!(answer.diagnostics[0].source, "@.ADD(\"金币\", \"很多\");");
    assert_eq!(answer.diagnostics[0].floor, 3);
    assert!(host.sync(&engine).diagnostics.is_empty());
    assert_eq!(gold(&engine, &opened), ["15", "15", "20", "21"]);
}

#[test]
fn a_file_gives_the_same_ids_and_states_as_sync() {
    let (engine, mut host, opened) = story();
    host.swipe(2, "@.ADD(\"金币\", 100);");
    host.sync(&engine);
    let exported = engine.export(&Owner::local(), opened.story, opened.branch).unwrap();
    let other = Engine::in_memory().unwrap();
    let request = storeyline_engine::ImportRequest {
        text: exported.clone(),
        file: "chat".into(),
        title: "t".into(),
        card: Some(storeyline_engine::Card { template: Some(json::read(TEMPLATE).unwrap()), ..Default::default() }),
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    };
    let imported = other.import(&Owner::local(), &request).unwrap();
    assert_eq!((imported.floors, imported.pages, imported.new_pages), (3, 4, 4));
    let again = other.import(&Owner::local(), &request).unwrap();
    assert_eq!((again.story, again.new_pages, again.evaluated), (imported.story, 0, 0));
    let same = storeyline_engine::OpenedChat { story: imported.story, branch: imported.branch, ..opened.clone() };
    assert_eq!(states(&other, &same), states(&engine, &opened));
    assert_eq!(other.export(&Owner::local(), imported.story, imported.branch).unwrap(), exported);
    assert!(other.verify(&Owner::local(), |_| ()).unwrap().problems.is_empty());
}

#[test]
fn the_client_is_told_ops_only_when_they_lead_exactly_there() {
    let (engine, mut host, _) = story();
    let have = host.sync(&engine).state.unwrap().hash;
    host.reply("@.SET(\"a\", 1); @.SET(\"金币\", 0);");
    host.sync(&engine);
    let mut request = host.request();
    request.have = Some(have);
    let state = engine.sync(&Owner::local(), &request).unwrap().state.unwrap();
    assert_eq!((state.value, state.ops.map(|ops| ops.len())), (None, Some(2)));
    host.reply("@.SET(\"1\", 1);");
    host.sync(&engine);
    let mut request = host.request();
    request.have = Some(have);
    let state = engine.sync(&Owner::local(), &request).unwrap().state.unwrap();
    assert!(state.value.is_some() || state.ops.is_some());
}

#[test]
fn a_file_with_the_id_of_another_chat_becomes_a_branch_of_its_own() {
    let (engine, _, opened) = story();
    let before = gold(&engine, &opened);
    // Another file in the host, whose metadata names the chat of the first.
    let mut other = Host::new(1).reload("client x");
    other.reply("别的故事。@.SET(\"金币\", 0);");
    other.user("另一句");
    let answer = other.sync(&engine);
    assert_ne!(answer.branch, opened.branch);
    assert_eq!(answer.notices[0].code, "forked");
    assert_eq!(gold(&engine, &opened), before, "the branch did not move");
}

#[test]
fn a_reloaded_chat_in_which_everything_was_replaced_stays_its_branch() {
    let (engine, host, opened) = story();
    // The host saved the file before the page was reloaded, and reports it for the first time now.
    let mut again = host.reload("after reload");
    again.messages.clear();
    again.reply("重新开始。@.SET(\"金币\", 1);");
    let answer = again.sync(&engine);
    assert_eq!((answer.branch, answer.notices.len()), (opened.branch, 0));
    assert_eq!(gold(&engine, &opened), ["1"]);
}
