//! Two programs with the same database: what one has written the other must see at once, and both can
//! continue.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use std::path::Path;

use storeyline_engine::{Collect, Engine, Owner, Search};
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::{Cursor, KeepText};
use teller::Teller;

fn two(folder: &Path) -> [Teller; 2] {
    let one = Teller::begin(Engine::open(folder).unwrap(), "{\"n\":-1}");
    let other = Teller::again(folder, &one.opened);
    [one, other]
}

fn words(floor: usize) -> String {
    format!("第{floor}夜 @.SET(\"n\", {floor});")
}

#[test]
fn they_write_in_turn_and_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let tellers = two(folder.path());
    for floor in 0..150 {
        // Each writes seven floors in a row, so that their ids come from both blocks.
        let [writer, reader] = if (floor / 7) % 2 == 0 { [0, 1] } else { [1, 0] };
        tellers[writer].reply(&words(floor));
        let reader = &tellers[reader];
        assert_eq!(reader.floors(), floor + 1);
        assert_eq!(reader.state(floor), format!("{{\"n\":{floor}}}"));
        if floor % 25 == 24 {
            assert_eq!(reader.texts(), (0..=floor).map(words).collect::<Vec<_>>());
            assert_eq!(reader.engine.counts(&Owner::local()).unwrap().floors, floor as u64 + 1);
        }
    }
    for teller in &tellers {
        let verified = teller.engine.verify(&Owner::local(), |_| {}).unwrap();
        assert_eq!((verified.floors, verified.problems), (150, Vec::new()));
    }
}

#[test]
fn what_one_changes_the_other_finds() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = two(folder.path());
    let owner = Owner::local();
    let page = one.reply(&words(0));
    one.reply(&words(1));
    let edit = BranchEdit::Edit { page, text: "雨停了 @.SET(\"n\", 77);".into(), keep: KeepText::InPlace };
    other.edit(&edit).unwrap();
    let alternative = one.alternative(1, "别的 @.ADD(\"n\", 1);");
    assert_eq!(other.state(1), "{\"n\":78}");
    other.edit(&BranchEdit::Swipe { page: one.page(1) }).unwrap();
    assert_eq!(other.page(1), alternative);
    let found = |teller: &Teller, words: &str| {
        let search = Search { words: &[words.to_owned()], story: None, limit: 9, stop: &|| false };
        teller.engine.search(&owner, &search).unwrap().total
    };
    assert_eq!((found(&one, "雨停了"), found(&other, "别的")), (1, 1));
    let operations = one.engine.feed_after(&owner, Cursor(0), 100).unwrap();
    assert_eq!(operations, other.engine.feed_after(&owner, Cursor(0), 100).unwrap());
    assert_eq!(other.engine.last_change(&owner).unwrap(), operations.last().unwrap().0);
    one.engine.collect(&owner, Collect::default()).unwrap();
    other.reply(&words(2));
    assert_eq!(one.state(2), "{\"n\":2}");
    assert_eq!(one.engine.stats(&owner).unwrap().floors, 3);
}

#[test]
fn what_is_taken_back_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = two(folder.path());
    one.reply(&words(0));
    for floor in 1..50 {
        // Tried and taken back: the numbers are given again.
        one.engine.verify(&Owner::local(), |_| {}).unwrap();
        let refused = other.edit(&BranchEdit::Delete { floor: floor + 7, count: 1 });
        assert!(refused.is_err());
        other.reply(&words(floor));
        assert_eq!(one.state(floor), format!("{{\"n\":{floor}}}"));
    }
    drop(other);
    assert_eq!(one.texts().len(), 50);
    drop(one);
}
