//! Counts the work of a change: evaluated floors, rows read and written, pages of the write-ahead log.
//! Time is measured by the benchmarks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use std::path::Path;

use storeyline_engine::{Durability, Engine, OpenedChat, Owner, Work};
use storeyline_state::PageId;
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::story::NewRef;
use storeyline_wire::{KeepText, RefKind};
use teller::Teller;

/// Every floor sets `n` to its number and counts `sum` up.
fn long_story(engine: Engine, floors: usize) -> Teller {
    let teller = Teller::begin(engine.with_durability(Durability::Normal), "{}");
    for floor in 0..floors {
        teller.reply(&format!("{floor} @.SET(\"n\", {floor}); @.ADD(\"sum\", 1);"));
    }
    teller
}

fn rewrite(teller: &Teller, page: PageId, text: &str) -> (Vec<usize>, Work) {
    let before = teller.engine.work();
    let change = BranchEdit::Edit { page, text: text.into(), keep: KeepText::InPlace };
    let evaluated = teller.edit(&change).unwrap().evaluated;
    let after = teller.engine.work();
    (evaluated, Work { read: after.read - before.read, written: after.written - before.written })
}

#[test]
fn an_edit_of_an_early_floor_evaluates_the_later_ones_once() {
    let teller = long_story(Engine::in_memory().unwrap(), 1_000);
    let page = teller.page(4);
    let (evaluated, work) = rewrite(&teller, page, "@.SET(\"n\", 4); @.ADD(\"sum\", 100);");
    assert_eq!(evaluated, (4..1_000).collect::<Vec<_>>());
    // Per floor a node with its state, and an evaluation. A few whole states besides.
    let floors = 996;
    assert!((2 * floors..2 * floors + 120).contains(&work.written), "{} rows", work.written);
    assert_eq!(teller.state(999), r#"{"n":999,"sum":1099}"#);
}

#[test]
fn an_edit_that_leaves_the_state_as_it_was_evaluates_one_floor() {
    let teller = long_story(Engine::in_memory().unwrap(), 1_000);
    let page = teller.page(4);
    let (evaluated, work) = rewrite(&teller, page, "other words @.SET(\"n\", 4); @.ADD(\"sum\", 1);");
    assert_eq!(evaluated, [4], "the memo answers for all the others");
    let floors = 996;
    assert!((floors..floors + 20).contains(&work.written), "{} rows", work.written);
}

#[test]
fn a_change_that_is_overwritten_soon_stops_there() {
    let teller = long_story(Engine::in_memory().unwrap(), 1_000);
    let page = teller.page(4);
    let (evaluated, _) = rewrite(&teller, page, "@.SET(\"n\", 77); @.ADD(\"sum\", 1);");
    assert_eq!(evaluated, [4, 5], "floor 5 sets it to what it was");
}

#[test]
fn a_change_that_is_overwritten_far_below_stops_there_too() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), "{}");
    for floor in 0..1_000 {
        let mark = if [4, 700].contains(&floor) { format!("@.SET(\"mark\", {floor});") } else { String::new() };
        teller.reply(&format!("{floor} @.SET(\"n\", {floor}); {mark}"));
    }
    let page = teller.page(4);
    let (evaluated, _) = rewrite(&teller, page, "@.SET(\"n\", 4); @.SET(\"mark\", 5);");
    assert_eq!(evaluated, (4..=700).collect::<Vec<_>>(), "floor 700 sets it to what it was");
    let (evaluated, _) = rewrite(&teller, page, "again @.SET(\"n\", 4); @.SET(\"mark\", 5);");
    assert_eq!(evaluated, [4], "what was evaluated just now is known");
}

#[test]
fn swiping_back_evaluates_nothing() {
    let teller = long_story(Engine::in_memory().unwrap(), 1_000);
    let first = teller.page(4);
    let second = teller.alternative(4, "@.SET(\"n\", 0); @.ADD(\"sum\", 50);");
    assert_eq!(teller.state(999), r#"{"n":999,"sum":1049}"#);
    let select = |page| {
        let before = teller.engine.work().written;
        let evaluated = teller.edit(&BranchEdit::Select { page }).unwrap().evaluated;
        (evaluated, teller.engine.work().written - before)
    };
    let (evaluated, _) = select(first);
    assert_eq!(evaluated, Vec::<usize>::new(), "the states are known");
    assert_eq!(teller.state(999), r#"{"n":999,"sum":1000}"#);
    let (evaluated, written) = select(second);
    assert_eq!(
        (evaluated, written),
        (Vec::new(), 3),
        "the second time the nodes are there too: the operation, the ref, where reading stood"
    );
}

/// Rows and pages of the log that one thing costs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cost {
    read: u64,
    written: u64,
    pages: i64,
}

/// Does one thing several times, each in a program that was just started, so that the log holds nothing
/// else. The least counts: a page of the database that is full becomes two now and then, at any length.
fn cost(folder: &Path, opened: &OpenedChat, mut work: impl FnMut(&Teller)) -> Cost {
    let costs: Vec<Cost> = (0..9).map(|_| cost_once(folder, opened, &mut work)).collect();
    let least = |key: fn(&Cost) -> i64| costs.iter().map(key).min().unwrap_or_default();
    Cost {
        read: least(|cost| cost.read as i64) as u64,
        written: least(|cost| cost.written as i64) as u64,
        pages: least(|cost| cost.pages),
    }
}

fn cost_once(folder: &Path, opened: &OpenedChat, work: &mut impl FnMut(&Teller)) -> Cost {
    let teller = Teller::again(folder, opened);
    // The states at the end are at hand, as they are in play.
    teller.state(teller.floors() - 2);
    teller.state(teller.floors() - 1);
    let before = teller.engine.work();
    work(&teller);
    let after = teller.engine.work();
    let log = std::fs::metadata(folder.join("storeyline.db-wal")).unwrap().len();
    // A header, then for each page a small header and the page.
    let pages = (log as i64 - 32) / (2_048 + 24);
    Cost { read: after.read - before.read, written: after.written - before.written, pages }
}

fn measure(floors: usize) -> Vec<(&'static str, Cost)> {
    let folder = tempfile::tempdir().unwrap();
    let told = long_story(Engine::open(folder.path()).unwrap(), floors);
    let opened = told.opened.clone();
    let first = told.page(floors - 1);
    drop(told);
    let (story, branch) = (opened.story, opened.branch);
    let owner = Owner::local();
    let cost = |work: &mut dyn FnMut(&Teller)| cost(folder.path(), &opened, work);
    let new_swipe = cost(&mut |teller| _ = teller.alternative(floors - 1, "@.ADD(\"sum\", 2);"));
    let mut other = first;
    let swipe = cost(&mut |teller| {
        let page = std::mem::replace(&mut other, teller.page(floors - 1));
        teller.edit(&BranchEdit::Swipe { page }).unwrap();
    });
    let append = cost(&mut |teller| _ = teller.reply("@.ADD(\"sum\", 1);"));
    let mut made = branch;
    let create = cost(&mut |teller| {
        let (middle, kind) = (Some(floors as u32 / 2), RefKind::Branch);
        made = teller
            .engine
            .create_ref(
                &owner,
                story,
                &NewRef { from: branch, floor: middle, kind, name: "b".into(), note: String::new(), switch: false },
                "test",
            )
            .unwrap()
            .id;
    });
    let mut next = made;
    let switch = cost(&mut |teller| {
        teller.engine.switch_branch(&owner, story, next, "test").unwrap();
        next = if next == made { branch } else { made };
    });
    vec![("new swipe", new_swipe), ("swipe", swipe), ("append", append), ("branch", create), ("switch", switch)]
}

#[test]
fn the_last_floor_costs_the_same_at_any_length() {
    let (short, long) = (measure(1_000), measure(10_000));
    for ((what, short), (_, long)) in short.iter().zip(&long) {
        // The next node up and the jump of a node may be one and the same. A branch from the middle climbs
        // there: as many looks as the length has binary digits.
        let climb = if *what == "branch" { 16 } else { 2 };
        assert!(long.read.abs_diff(short.read) <= climb, "{what}: {short:?}, {long:?}");
        assert_eq!(long.written, short.written, "{what}");
        assert!((long.pages - short.pages).abs() <= 2, "{what}: {short:?}, {long:?}");
    }
}
