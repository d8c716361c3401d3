//! Flips bytes of the database file: `verify` must find the damage, report where it is, and repair what
//! can be computed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "this test uses a part of it")]
#[path = "../../attack/src/tamper.rs"]
mod tamper;
mod teller;

use std::fs;
use std::path::Path;

use storeyline_engine::{Engine, EngineError, OpenedChat, Owner, StoreError};
use storeyline_state::PageId;
use storeyline_wire::care::Verified;
use storeyline_wire::operation::BranchEdit;
use teller::Teller;

/// How another story begins.
const SECOND: &str = "{\"m\":1}";

/// Short texts lie in the file as they are, so that a byte of them can be found there.
fn story(folder: &Path) -> OpenedChat {
    let teller = Teller::begin(Engine::open(folder).unwrap(), "{\"n\":0}");
    for floor in 0..30 {
        teller.reply(&format!("第{floor}夜 @.SET(\"n\", {});", 700_000 + floor));
    }
    teller.opened
}

/// Flips a bit of the last byte of some bytes in the file; there must be one place only.
fn flip(folder: &Path, bytes: &[u8], occurrence: usize) {
    let path = folder.join("storeyline.db");
    let mut file = fs::read(&path).unwrap();
    let places: Vec<usize> =
        file.windows(bytes.len()).enumerate().filter(|(_, window)| *window == bytes).map(|(at, _)| at).collect();
    let at = places[occurrence] + bytes.len() - 1;
    file[at] ^= 1;
    fs::write(&path, file).unwrap();
}

fn places(folder: &Path, bytes: &[u8]) -> usize {
    let file = fs::read(folder.join("storeyline.db")).unwrap();
    file.windows(bytes.len()).filter(|window| *window == bytes).count()
}

/// Returns what the tables hold. A page of the file has unused bytes too, which may be copies of rows.
fn rows(folder: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(folder.join("storeyline.db")).unwrap();
    let all = |query: &str| -> Vec<String> {
        let mut statement = database.prepare(query).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            (0..columns).map(|at| row.get_ref(at).map(|value| format!("{value:?}"))).collect()
        };
        statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    let names: Vec<String> =
        database.prepare(tables).unwrap().query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    names.iter().flat_map(|name| all(&format!("SELECT * FROM {name}"))).collect()
}

fn verify(folder: &Path, repair: bool) -> Verified {
    let engine = Engine::open(folder).unwrap();
    let owner = Owner::local();
    if repair { engine.repair(&owner, |_| {}).unwrap() } else { engine.verify(&owner, |_| {}).unwrap() }
}

#[test]
fn a_flipped_byte_of_a_text_is_found_and_cannot_be_mended() {
    let folder = tempfile::tempdir().unwrap();
    story(folder.path());
    assert!(verify(folder.path(), false).problems.is_empty());
    flip(folder.path(), "第17夜".as_bytes(), 0);
    for repair in [false, true, false] {
        let problems = verify(folder.path(), repair).problems;
        let about: Vec<_> = problems.iter().filter(|problem| problem.floor == 17).collect();
        assert_eq!(about.len(), 1, "{problems:?}");
        assert!(problems.iter().all(|problem| problem.what.contains("text")), "{problems:?}");
        assert!(problems.iter().all(|problem| !problem.repaired), "nobody knows what stood there");
    }
}

#[test]
fn a_flipped_byte_of_a_state_is_found_and_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let opened = story(folder.path());
    // The number stands in the text and in what the evaluation did; the next floor names it as the old one.
    let number = b"700012";
    let count = places(folder.path(), number);
    assert!(count >= 3, "{count} places");
    let (text, whole) = ("夜 @.SET(\"n\", ".as_bytes(), rows(folder.path()));
    let file = fs::read(folder.path().join("storeyline.db")).unwrap();
    let mut flipped = 0;
    for occurrence in 0..count {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(folder.path().join("storeyline.db"), copy.path().join("storeyline.db")).unwrap();
        let at =
            file.windows(number.len()).enumerate().filter(|(_, window)| *window == number).nth(occurrence).unwrap().0;
        flip(copy.path(), number, occurrence);
        if file[..at].ends_with(text) || rows(copy.path()) == whole {
            continue;
        }
        flipped += 1;
        let found = verify(copy.path(), false).problems;
        assert!(!found.is_empty(), "place {occurrence} was not noticed");
        let floors = found.iter().filter(|problem| !problem.branch.is_empty()).map(|problem| problem.floor);
        assert!(floors.into_iter().all(|floor| (12..=13).contains(&floor)), "{found:?}");
        let mended = verify(copy.path(), true).problems;
        assert!(mended.iter().all(|problem| problem.repaired), "{mended:?}");
        assert!(verify(copy.path(), false).problems.is_empty(), "mended");
        let teller = Teller::again(copy.path(), &opened);
        for floor in 0..30 {
            assert_eq!(teller.state(floor), format!("{{\"n\":{}}}", 700_000 + floor));
        }
    }
    assert_eq!(flipped, 2, "in the ops of its own floor and of the next one");
}

#[test]
fn a_damaged_row_is_named_and_nothing_is_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let first = story(folder.path());
    let second = Teller::begin_chat(Engine::open(folder.path()).unwrap(), 2, SECOND);
    second.reply("开场 @.SET(\"m\", 2);");
    let opened = second.opened.clone();
    drop(second);
    let hash = *storeyline_history::node::root_id(opened.story).as_bytes();
    (0..places(folder.path(), &hash)).for_each(|_| flip(folder.path(), &hash, 0));
    let found = verify(folder.path(), false).problems;
    assert!(found.iter().any(|problem| problem.what.contains("node")), "{found:?}");
    assert!(found.iter().all(|problem| !problem.repaired), "nobody knows what stood there");
    let damaged = Teller::again(folder.path(), &opened);
    let unread = damaged.engine.floor(&Owner::local(), opened.story, opened.branch, 0, None);
    assert!(matches!(unread, Err(EngineError::Store(StoreError::Damaged { .. }))), "{unread:?}");
    drop(damaged);
    let whole = Teller::again(folder.path(), &first);
    whole.reply("下一夜 @.SET(\"n\", 5);");
    assert_eq!(whole.state(30), "{\"n\":5}", "the other story goes on");
}

/// A story in which a swipe back brings 25 floors back; returns the page to swipe to.
fn story_with_a_cut(folder: &Path) -> (OpenedChat, PageId) {
    let opened = story(folder);
    let teller = Teller::again(folder, &opened);
    let left = teller.page(4);
    teller.alternative(4, "别的路");
    teller.edit(&BranchEdit::Cut { floor: 5 }).unwrap();
    (opened, left)
}

#[test]
fn a_repair_of_what_is_whole_keeps_where_reading_stood() {
    let folder = tempfile::tempdir().unwrap();
    let (opened, left) = story_with_a_cut(folder.path());
    assert!(verify(folder.path(), true).problems.is_empty());
    let teller = Teller::again(folder.path(), &opened);
    assert_eq!(teller.floors(), 5);
    teller.edit(&BranchEdit::Swipe { page: left }).unwrap();
    assert_eq!(teller.floors(), 30, "what followed the page when it was left");
}

/// Sets a column of a row, without its checksum.
fn set(folder: &Path, query: &str) {
    let database = rusqlite::Connection::open(folder.join("storeyline.db")).unwrap();
    assert_eq!(database.execute(query, []).unwrap(), 1, "{query}");
}

#[test]
fn a_repair_leaves_every_row_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    story_with_a_cut(folder.path());
    let whole = rows(folder.path());
    let last = "(SELECT max(id) FROM node)";
    for query in [
        // The parent is found before a node is kept where it is: those below it do not move.
        "UPDATE node SET parent = (SELECT min(id) FROM node) WHERE depth = 3".to_owned(),
        format!("UPDATE node SET hash = 5 WHERE id = {last}"),
        format!("UPDATE node SET depth = x'07' WHERE id = {last}"),
        "UPDATE page SET body = 5 WHERE id = (SELECT max(id) FROM page)".to_owned(),
        "UPDATE page SET id = 5 WHERE id = (SELECT min(id) FROM page)".to_owned(),
        "UPDATE text SET id = id + 4000 WHERE id = (SELECT min(id) FROM text)".to_owned(),
        "UPDATE story SET id = id + 4000".to_owned(),
        "UPDATE turn SET bytes = x'07' WHERE id = (SELECT min(id) FROM turn)".to_owned(),
        "UPDATE owner SET name = x'07'".to_owned(),
        "UPDATE owner SET id = 9".to_owned(),
        "UPDATE cursor SET page = x'07'".to_owned(),
    ] {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(folder.path().join("storeyline.db"), copy.path().join("storeyline.db")).unwrap();
        set(copy.path(), &query);
        assert_ne!(rows(copy.path()), whole);
        let mended = verify(copy.path(), true).problems;
        assert!(mended.iter().all(|problem| problem.repaired) && !mended.is_empty(), "{query}: {mended:?}");
        assert_eq!(rows(copy.path()), whole, "{query}");
        assert_eq!(verify(copy.path(), false).problems, [], "{query}");
    }
}

#[test]
fn words_of_another_type_are_replaced_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let opened = story(folder.path());
    set(folder.path(), "UPDATE story SET title = 5");
    set(folder.path(), "UPDATE client SET name = 6 WHERE id = (SELECT min(id) FROM client)");
    let mended = verify(folder.path(), true).problems;
    for old in ["`title` is of another type: 5", "`name` is of another type: 6"] {
        assert!(mended.iter().any(|problem| problem.what.ends_with(old) && problem.repaired), "{mended:?}");
    }
    assert_eq!(verify(folder.path(), false).problems, []);
    let teller = Teller::again(folder.path(), &opened);
    assert_eq!(teller.engine.story(&Owner::local(), opened.story).unwrap().story.title, "?");
    assert_eq!(teller.floors(), 30);
}

#[test]
fn a_ring_of_one_state_is_found_under_a_fitting_checksum() {
    let folder = tempfile::tempdir().unwrap();
    story(folder.path());
    let database = rusqlite::Connection::open(folder.path().join("storeyline.db")).unwrap();
    let row = tamper::row_at(&database, "state", 0.0).unwrap().unwrap();
    let (base, id) = (row.columns.iter().position(|name| name == "base").unwrap(), row.values[1].clone());
    assert_eq!(row.values[base], rusqlite::types::Value::Null, "the first state");
    assert!(tamper::set(folder.path(), &row, base, &id, true).unwrap());
    let found = verify(folder.path(), false).problems;
    assert!(found.iter().any(|problem| problem.what.starts_with("state")), "{found:?}");
    verify(folder.path(), true);
    assert_eq!(verify(folder.path(), false).problems, []);
}
