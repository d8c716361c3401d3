//! Tests of the garbage collection beside an owner who writes all the time.

use std::sync::atomic::{AtomicUsize, Ordering};

use storeyline_engine::{Collect, Durability, Engine, Owner};
use storeyline_state::PageId;
use storeyline_wire::Role;
use storeyline_wire::care::Collected;
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};

use crate::teller::Teller;

const ROUNDS: usize = 300;

fn text(round: usize) -> String {
    format!("第{round}种 @.SET(\"n\", {round});")
}

/// Appends a page with the id that a host gave it: the same page again is the same row.
fn append(teller: &Teller, id: u128, round: usize) {
    let page = NewPage { page: Some(PageId::from_random(id.to_le_bytes())), text: text(round), time: Some(0) };
    teller.edit(&BranchEdit::Append(NewTurn { role: Role::Assistant, name: "x".into(), page })).unwrap();
}

fn delete_last(teller: &Teller, floor: usize) {
    teller.edit(&BranchEdit::Delete { floor, count: 1 }).unwrap();
}

#[test]
fn nothing_live_is_collected_while_its_owner_writes() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Teller::begin(Engine::open(folder.path()).unwrap().with_durability(Durability::Normal), "{}");
    let collector = Teller::again(folder.path(), &writer.opened);
    writer.reply("@.SET(\"n\", -1);");
    let (done, mut runs) = (AtomicUsize::new(0), 0);
    let request = Collect { undo_days: 0, trash_days: 0, shrink: false, ..Collect::default() };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..ROUNDS {
                // A page goes, another one comes and goes, so that nothing holds the first any more; and it is back.
                for id in [round, ROUNDS + round] {
                    append(&writer, id as u128, round);
                    delete_last(&writer, round + 1);
                }
                append(&writer, round as u128, round);
                done.store(round + 1, Ordering::Relaxed);
            }
        });
        while done.load(Ordering::Relaxed) < ROUNDS {
            collector.engine.collect(&Owner::local(), request).unwrap();
            runs += 1;
        }
    });
    assert!(runs > 1, "it was collected meanwhile");
    let rest = collector.engine.collect(&Owner::local(), request).unwrap();
    assert!(!rest.unfinished, "nobody writes now");
    assert_eq!(collector.engine.collect(&Owner::local(), request).unwrap(), Collected::default());
    let read = Teller::again(folder.path(), &writer.opened);
    let verified = read.engine.verify(&Owner::local(), |_| {}).unwrap();
    assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    let texts = read.texts();
    assert_eq!(texts.len(), 1 + ROUNDS);
    for (round, found) in texts[1..].iter().enumerate() {
        assert_eq!((found, read.state(round + 1)), (&text(round), format!("{{\"n\":{round}}}")));
    }
}

#[test]
fn what_was_thrown_away_just_now_goes_if_nothing_is_to_stay() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let teller = Teller::begin(Engine::open(folder.path()).unwrap().with_durability(Durability::Normal), "{}");
        teller.engine.trash_story(&Owner::local(), teller.opened.story, "test").unwrap();
        let request = Collect { undo_days: 0, trash_days: 0, shrink: false, ..Collect::default() };
        teller.engine.collect(&Owner::local(), request).unwrap();
        let trash = teller.engine.trashed_stories(&Owner::local()).unwrap();
        assert!(trash.is_empty(), "in the same millisecond too");
    }
}
