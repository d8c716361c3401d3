//! Valid and broken histories.

use super::*;

fn read(text: &str) -> ChatHistory {
    read_as(text, "test").unwrap()
}

fn read_as(text: &str, mark: &str) -> Result<ChatHistory, ChatHistoryError> {
    ChatHistory::from_value(&json::read(text)?, mark)
}

fn codes(history: &ChatHistory) -> Vec<&str> {
    history.remarks.iter().map(|remark| remark.diagnostic.code.as_str()).collect()
}

/// Returns all ids of a branch.
fn ids(history: &ChatHistory, branch: usize) -> Vec<PageId> {
    history.branches[branch].turns.iter().flat_map(|turn| &turn.pages).map(|page| page.page).collect()
}

/// Makes a history whose turns have one page each: `id text`.
fn simple(branches: &[(&str, &[&str])]) -> ChatHistory {
    let turn = |(index, page): (usize, &&str)| {
        let (id, text) = page.split_once(' ').unwrap();
        format!(
            r#""{index}":{{"role":"user","activePageIndex":0,"pages":{{"0":{{"id":"{id}","role":"user","content":"{text}"}}}}}}"#
        )
    };
    let branch = |(name, turns): &(&str, &[&str])| {
        format!(r#""{name}":{{{}}}"#, turns.iter().enumerate().map(turn).collect::<Vec<_>>().join(","))
    };
    let branches: Vec<String> = branches.iter().map(branch).collect();
    read(&format!(r#"{{"branches":{{{}}},"activeBranch":"main"}}"#, branches.join(",")))
}

const SEED: &str = r#"{"branches":{"main":{
    "0":{"role":"user","pages":{"0":{"id":"u1","role":"user","content":"去\r\n吧","timestamp":5}},"activePageIndex":0},
    "3":{"role":"assistant","pages":{
        "10":{"id":"a2","role":"assistant","content":"右","timestamp":7,"isValid":false},
        "2":{"id":"00000000-0000-4000-8000-00000000000a","role":"assistant","content":"左","timestamp":6}},"activePageIndex":10},
    "4":{"role":"assistant","pages":{"0":{"id":"s1","role":"summary","content":"…"}},"activePageIndex":0}},
  "分支":{"0":{"role":"user","pages":{"0":{"id":"u1","role":"user","content":"回来","timestamp":5}},"activePageIndex":0}}},
  "activeBranch":"分支","metadata":{"u1":{"branchId":"main","turnIndex":0,"pageIndex":0}}}"#;

#[test]
fn a_history_is_read() {
    let history = read(SEED);
    assert_eq!(codes(&history), [""; 0]);
    let [main, other] = &history.branches[..] else { panic!() };
    assert_eq!((main.active, other.active, other.name.as_str()), (false, true, "分支"));
    let roles: Vec<_> = main.turns.iter().map(|turn| turn.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "summary"]);
    assert_eq!(main.turns[2].role.role(), Role::Summary);
    let turn = &main.turns[1];
    assert_eq!((turn.active, turn.pages[1].text.as_str(), turn.pages[1].valid), (1, "右", false));
    assert_eq!(turn.pages[0].page, "00000000-0000-4000-8000-00000000000a".parse().unwrap());
    assert_eq!((turn.pages[0].time, turn.pages[0].valid), (Some(6), true));
    assert_eq!(main.turns[0].pages[0].text, "去\n吧");
    assert_eq!(main.turns[0].pages[0].page, other.turns[0].pages[0].page, "edited in one branch");
}

#[test]
fn a_history_inside_a_chat_is_noticed() {
    let inside = |variables: &str| {
        let header = format!(r#"{{"user_name":"u","chat_metadata":{{"variables":{variables}}}}}"#);
        super::is_inside(&json::read(&header).unwrap())
    };
    assert!(inside(&format!(r#"{{"plugin_storage":{{"llm_history":{SEED}}}}}"#)));
    assert!(inside(r#"{"plugin_storage":"{\"llm_history\":{}}"}"#));
    assert!(inside(r#"{"llm_history":"{}"}"#));
    assert!(!inside(r#"{"plugin_storage":{"llm_history":null},"n":1}"#));
    assert!(!super::is_inside(&json::read(r#"{"chat_metadata":[]}"#).unwrap()));
}

#[test]
fn a_history_is_found_where_a_host_keeps_it() {
    let bare = read(SEED);
    assert_eq!(read(&format!(r#"{{"llm_history":{SEED}}}"#)), bare);
    assert_eq!(read(&format!(r#"{{"plugin_storage":{{"llm_history":{SEED}}}}}"#)), bare);
    let mut text = String::new();
    json::write_text(&mut text, SEED);
    assert_eq!(read(&format!(r#"{{"plugin_storage":{{"llm_history":{text}}}}}"#)), bare);
}

#[test]
fn an_id_means_the_same_page_in_every_branch_of_one_history() {
    let history = simple(&[("main", &["a x", "b y"]), ("other", &["a x", "b edited", "c z"])]);
    assert_eq!(ids(&history, 0), ids(&history, 1)[..2]);
    assert_eq!(history, simple(&[("main", &["a x", "b y"]), ("other", &["a x", "b edited", "c z"])]));
    let elsewhere = read_as(SEED, "another file").unwrap();
    assert_ne!(ids(&elsewhere, 0)[0], ids(&read(SEED), 0)[0], "`u1` of another history");
    assert_eq!(ids(&elsewhere, 0)[1], ids(&read(SEED), 0)[1], "a UUID is the same everywhere");
}

#[test]
fn an_id_that_stands_twice_in_a_branch_is_told_apart_by_its_text() {
    let history = simple(&[("main", &["a x", "b y", "a z", "a x"]), ("other", &["b y", "a z"])]);
    let main = ids(&history, 0);
    assert_eq!(main.iter().collect::<std::collections::HashSet<_>>().len(), 4);
    assert_eq!(main[0], ids(&simple(&[("main", &["a x"])]), 0)[0], "the first keeps it");
    assert_eq!(ids(&history, 1), main[1..3], "the same page in a branch where it stands alone");
    assert_eq!(codes(&history), ["W-HISTORY-ID"; 3]);
}

#[test]
fn gaps_and_odd_entries_are_mended_and_told() {
    let history = read(
        r#"{"branches":{"a":{"x":{},"7":{"pages":{"0":{"content":5}}},"9":{"role":"?","pages":{
            "1":{"content":"one"},"4":{"content":"four"},"5":[]},"activePageIndex":3}},
            "b":[null,{"role":"user","content":"flat","id":"q"},{"pages":[{"content":"one","id":""}]}], "c":"no"},
            "activeBranch":"lost"}"#,
    );
    assert_eq!(
        codes(&history),
        ["W-HISTORY-KEY", "W-HISTORY-TURN", "W-HISTORY-PAGE", "W-HISTORY-ACTIVE", "W-HISTORY-KEY", "W-HISTORY-BRANCH"]
    );
    for remark in &history.remarks {
        assert!(!remark.location.words().zh.is_empty());
    }
    let [a, b, c] = &history.branches[..] else { panic!() };
    assert!(a.active && !b.active && !c.active && c.turns.is_empty());
    assert_eq!((a.turns.len(), a.turns[0].active, a.turns[0].role), (1, 0, HistoryRole::Assistant));
    assert_eq!((b.turns[0].role, b.turns[0].pages[0].text.as_str()), (HistoryRole::User, "flat"));
}

#[test]
fn what_is_no_history_is_refused_with_words() {
    let error = |text: &str| read_as(text, "").unwrap_err().to_string();
    assert_eq!(
        error(r#"{"first_mes":""}"#),
        "the file is not a chat history: it has no `branches`, it looks like a character card"
    );
    assert_eq!(error(r#"{"branches":{"main":{}}}"#), "the chat history has no message");
    assert!(error("{").starts_with("the history is not valid JSON"));
    assert!(error(r#"{"plugin_storage":{"llm_history":"{"}}"#).starts_with("the history is not valid JSON"));
}

#[test]
fn an_id_repeated_without_end_costs_what_the_file_does() {
    crate::linear_time::assert_linear(1_500, |size| {
        let turns: Vec<String> = (0..size).map(|turn| format!(r#""{turn}":{{"id":"a","content":"x"}}"#)).collect();
        let text = format!(r#"{{"branches":{{"main":{{{}}}}}}}"#, turns.join(","));
        move || {
            let history = read(&text);
            assert_eq!((history.branches[0].turns.len(), history.remarks.len()), (size, MAX_REMARKS));
        }
    });
}
