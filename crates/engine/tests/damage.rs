//! A byte that flips on the disk: `verify` finds it, says where, and mends what can be computed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use std::fs;
use std::path::Path;

use storeyline_engine::{BranchEdit, Engine, OpenedChat, Owner, Verified};
use storeyline_state::PageId;
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

fn verify(folder: &Path, repair: bool) -> Verified {
    Engine::open(folder).unwrap().verify(&Owner::local(), repair, |_| {}).unwrap()
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
        assert_eq!((problems.len(), about.len()), (1, 1), "{problems:?}");
        assert!(about[0].what.contains("text"), "{about:?}");
        assert!(!about[0].repaired, "nobody knows what stood there");
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
    let text = "第12夜 @.SET(\"n\", 700012);".as_bytes();
    let file = fs::read(folder.path().join("storeyline.db")).unwrap();
    let text_at = file.windows(text.len()).position(|window| window == text).unwrap();
    for occurrence in 0..count {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(folder.path().join("storeyline.db"), copy.path().join("storeyline.db")).unwrap();
        let at =
            file.windows(number.len()).enumerate().filter(|(_, window)| *window == number).nth(occurrence).unwrap().0;
        if (text_at..text_at + text.len()).contains(&at) {
            continue;
        }
        flip(copy.path(), number, occurrence);
        let found = verify(copy.path(), false).problems;
        assert!(!found.is_empty(), "place {occurrence} was not noticed");
        assert!(found.iter().all(|problem| (12..=13).contains(&problem.floor)), "{found:?}");
        let mended = verify(copy.path(), true).problems;
        assert!(mended.iter().all(|problem| problem.repaired), "{mended:?}");
        assert!(verify(copy.path(), false).problems.is_empty(), "mended");
        let teller = Teller::again(copy.path(), &opened);
        for floor in 0..30 {
            assert_eq!(teller.state(floor), format!("{{\"n\":{}}}", 700_000 + floor));
        }
    }
}

#[test]
fn the_last_changes_that_cannot_be_read_are_put_aside_and_the_story_goes_on() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let teller = Teller::begin(Engine::open(folder.path()).unwrap(), "{\"n\":0}");
    for floor in 0..40 {
        teller.reply(&format!("第{floor}夜 @.SET(\"n\", {});", 700_000 + floor));
    }
    // As it lies on the disk when the program is killed.
    teller.engine.back_up(&copy.path().join("storeyline.db")).unwrap();
    flip(copy.path(), "第37夜".as_bytes(), 0);
    let found = verify(copy.path(), false).problems;
    assert_eq!(found.len(), 1);
    assert!(!found[0].repaired && found[0].what.contains("3 changes"), "{found:?}");
    assert!(
        Engine::open(copy.path()).unwrap().story(&Owner::local(), teller.opened.story).is_err(),
        "nothing is guessed"
    );
    let mended = verify(copy.path(), true).problems;
    assert!(mended.len() == 1 && mended[0].repaired, "{mended:?}");
    let again = Teller::again(copy.path(), &teller.opened);
    assert_eq!(again.state(36), "{\"n\":700036}");
    for floor in 37..80 {
        again.reply(&format!("再来{floor} @.SET(\"n\", {floor});"));
    }
    assert_eq!(again.state(79), "{\"n\":79}");
    drop(again);
    assert!(verify(copy.path(), false).problems.is_empty());
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

#[test]
fn a_story_whose_beginning_cannot_be_read_is_taken_away_and_its_chat_begins_anew() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, left) = story_with_a_cut(folder.path());
    let begin = |folder: &Path| Teller::begin_chat(Engine::open(folder).unwrap(), 2, SECOND);
    let second = begin(folder.path());
    second.reply("开场 @.SET(\"m\", 2);");
    second.engine.back_up(&copy.path().join("storeyline.db")).unwrap();
    // The name of the root stands where the story was made; the file may hold old bytes of that row.
    let hash = *storeyline_history::node::root_id(second.opened.story).as_bytes();
    (0..places(copy.path(), &hash)).for_each(|_| flip(copy.path(), &hash, 0));
    let mended = verify(copy.path(), true).problems;
    assert!(mended.len() == 1 && mended[0].repaired, "{mended:?}");
    assert_eq!(verify(copy.path(), false).stories, 1, "of the second nothing is left");
    let again = begin(copy.path());
    again.reply("再开场 @.SET(\"m\", 3);");
    assert_eq!(again.state(0), "{\"m\":3}");
    drop(again);
    let first = Teller::again(copy.path(), &first);
    first.edit(&BranchEdit::Swipe { page: left }).unwrap();
    assert_eq!(first.state(29), "{\"n\":700029}", "as it was, and what followed each page is known");
    drop(first);
    assert!(verify(copy.path(), false).problems.is_empty());
}
