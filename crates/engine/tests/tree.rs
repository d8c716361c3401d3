//! Tests of the tree of a story: chains and forks, marked floors, pages beside the active ones, the places of a page,
//! the log of all branches, and the validity of a page.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use storeyline_engine::{By, Durability, Engine, OpenedChat, Owner};
use storeyline_state::{PageId, RefId};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::story::NewRef;
use storeyline_wire::tree::{Graph, Marks, MarksQuery, StoryLogQuery};
use storeyline_wire::{OperationKind, RefKind, Role};
use teller::Teller;

fn story(floors: usize) -> Teller {
    let teller = Teller::begin(Engine::in_memory().unwrap().with_durability(Durability::Normal), r#"{"gold":0}"#);
    for floor in 0..floors {
        teller.reply(&format!("floor {floor} @.ADD(\"gold\", 1);"));
    }
    teller
}

fn fork(teller: &Teller, floor: u32, name: &str, kind: RefKind) -> RefId {
    let OpenedChat { story, branch, .. } = teller.opened;
    let new = NewRef { kind, from: branch, floor: Some(floor), name: name.into(), note: String::new(), switch: false };
    teller.engine.create_ref(&Owner::local(), story, &new, "test").unwrap().id
}

fn on(teller: &Teller, branch: RefId, change: &BranchEdit) -> Option<PageId> {
    teller.engine.edit_branch(&Owner::local(), teller.opened.story, branch, change, By::client("test")).unwrap().page
}

fn append(teller: &Teller, branch: RefId, text: &str) -> PageId {
    let page = NewPage { page: None, text: text.into(), time: Some(0) };
    let turn = NewTurn { role: Role::Assistant, name: "x".into(), page };
    on(teller, branch, &BranchEdit::Append(turn)).unwrap()
}

fn graph(teller: &Teller) -> Graph {
    teller.engine.graph(&Owner::local(), teller.opened.story).unwrap()
}

/// Every chain as `parent: from-to`.
fn chains(graph: &Graph) -> Vec<String> {
    let shown = |parent: Option<usize>| parent.map_or("-".to_owned(), |parent| parent.to_string());
    graph.chains.iter().map(|chain| format!("{}: {}-{}", shown(chain.parent), chain.from, chain.to)).collect()
}

fn marks(teller: &Teller, query: &MarksQuery) -> Vec<usize> {
    let Marks { marks, more } = teller.engine.marks(&Owner::local(), teller.opened.story, query, &|| false).unwrap();
    assert!(!more);
    marks.into_iter().map(|mark| mark.floor).collect()
}

#[test]
fn a_straight_story_is_one_chain_with_both_ends() {
    let graph = graph(&story(100));
    assert_eq!(chains(&graph), ["-: 0-99"]);
    let floors: Vec<usize> = graph.chains[0].lines.iter().map(|line| line.floor).collect();
    assert_eq!(floors, [0, 1, 2, 97, 98, 99]);
    assert_eq!((graph.refs.len(), graph.refs[0].floor, graph.left_out), (1, 99, 0));
}

#[test]
fn branches_leave_where_they_differ_and_tags_lie_on_chains() {
    let teller = story(30);
    let one = fork(&teller, 10, "one", RefKind::Branch);
    append(&teller, one, "other words");
    append(&teller, one, "and more");
    let two = fork(&teller, 20, "two", RefKind::Branch);
    append(&teller, two, "elsewhere");
    let OpenedChat { story, .. } = teller.opened;
    // A branch of a branch.
    let new = NewRef {
        kind: RefKind::Branch,
        from: one,
        floor: Some(11),
        name: "three".into(),
        note: String::new(),
        switch: false,
    };
    let three = teller.engine.create_ref(&Owner::local(), story, &new, "test").unwrap().id;
    append(&teller, three, "not the same");
    let tag = fork(&teller, 5, "tag", RefKind::Tag);
    let still = fork(&teller, 8, "still", RefKind::Branch);

    let graph = graph(&teller);
    assert_eq!(chains(&graph), ["-: 0-29", "0: 11-12", "0: 21-21", "1: 12-12"]);
    let place = |id: RefId| graph.refs.iter().find(|place| place.branch == id).map(|place| (place.chain, place.floor));
    assert_eq!(place(tag), Some((0, 5)));
    assert_eq!(place(still), Some((0, 8)));
    assert_eq!((place(one), place(two), place(three)), (Some((1, 12)), Some((2, 21)), Some((3, 12))));
    let floors: Vec<usize> = graph.chains[0].lines.iter().map(|line| line.floor).collect();
    // Both ends, the floors with a tag, a branch or a fork, and two floors around each; small gaps are closed.
    assert_eq!(floors, [(0..=12).collect::<Vec<_>>(), (18..=22).collect(), (27..=29).collect()].concat());

    // The path of the current branch is the first chain.
    teller.engine.switch_branch(&Owner::local(), story, three, "test").unwrap();
    let graph = teller.engine.graph(&Owner::local(), story).unwrap();
    assert_eq!(chains(&graph)[0], "-: 0-12");
    assert_eq!(graph.chains[0].branch, three);

    // What is in the trash is not drawn.
    teller.engine.trash_ref(&Owner::local(), story, two, "test").unwrap();
    let graph = teller.engine.graph(&Owner::local(), story).unwrap();
    assert!(graph.refs.iter().all(|place| place.branch != two));
}

#[test]
fn the_cost_of_the_graph_does_not_grow_with_the_story() {
    let work = |floors: usize| {
        let teller = story(floors);
        fork(&teller, 10, "tag", RefKind::Tag);
        graph(&teller).chains[0].lines.len()
    };
    assert_eq!(work(60), work(600));
}

#[test]
fn marks_are_failed_calls_hand_edits_and_changes_of_a_path() {
    let teller = story(5);
    teller.reply("@.ADD(\"gold\", \"a lot\");");
    teller.reply("@.SET(\"hero.name\", \"Bo\");");
    let other = fork(&teller, 3, "other", RefKind::Branch);
    append(&teller, other, "@.ADD(\"gold\", \"even more\");");
    let set = BranchEdit::Set { page: teller.page(2), path: "gold".into(), value: storeyline_wire::Json(7.into()) };
    teller.edit(&set).unwrap();
    let found = |failed, overridden, path: Option<&str>| {
        marks(&teller, &MarksQuery { failed, overridden, path: path.map(ToOwned::to_owned) })
    };
    let mut failed = found(true, false, None);
    failed.sort_unstable();
    assert_eq!(failed, [4, 5]);
    assert_eq!(found(false, true, None), [2]);
    assert_eq!(found(false, false, Some("hero")), [6]);
    assert_eq!(found(false, false, Some("nothing")), [0_usize; 0]);
    assert_eq!(found(false, false, None), [0_usize; 0]);
    // The other branch has floors 2 and 3 of its own since the hand edit.
    assert!(found(false, false, Some("gold")).len() > 5);
}

#[test]
fn pages_beside_the_active_one_tell_what_follows_them() {
    let teller = story(3);
    let first = teller.page(1);
    let second = teller.alternative(1, "another");
    teller.reply("below the other page");
    teller.reply("and one more");
    teller.edit(&BranchEdit::Swipe { page: first }).unwrap();
    let branch = fork(&teller, 0, "reads it", RefKind::Branch);
    on(
        &teller,
        branch,
        &BranchEdit::Append(NewTurn {
            role: Role::Assistant,
            name: "x".into(),
            page: NewPage { page: None, text: "own".into(), time: Some(0) },
        }),
    );
    let OpenedChat { story, branch: main, .. } = teller.opened;
    let found = teller.engine.siblings(&Owner::local(), story, main, 0, 100).unwrap();
    assert_eq!(found.floors.len(), 1);
    let floor = &found.floors[0];
    let shown: Vec<_> = floor.pages.iter().map(|page| (page.page, page.continues)).collect();
    assert_eq!((floor.floor, shown), (1, vec![(first, None), (second, Some(3))]));
    assert!(floor.pages.iter().all(|page| page.valid && page.branches.is_empty()));

    // A branch that leaves here by another page is named at that page.
    let other = fork(&teller, 1, "by the other page", RefKind::Branch);
    on(&teller, other, &BranchEdit::Select { page: second });
    let found = teller.engine.siblings(&Owner::local(), story, main, 1, 1).unwrap();
    let branches: Vec<_> = found.floors[0].pages.iter().map(|page| page.branches.clone()).collect();
    assert_eq!(branches, [vec![], vec![other]]);
}

#[test]
fn a_page_is_found_on_all_branches() {
    let teller = story(4);
    let other = fork(&teller, 2, "other", RefKind::Branch);
    let own = append(&teller, other, "only here");
    let (story, page) = (teller.opened.story, teller.page(1));
    let alternative = teller.alternative(3, "another");
    let places = |page| teller.engine.places_of_page(&Owner::local(), story, page).unwrap().places;
    let shown = |page| {
        let mut found: Vec<_> =
            places(page).iter().map(|place| (place.name.clone(), place.floor, place.number)).collect();
        found.sort();
        found
    };
    assert_eq!(shown(page), [("main".to_owned(), 1, 1), ("other".to_owned(), 1, 1)]);
    assert_eq!(shown(own), [("other".to_owned(), 3, 1)]);
    assert_eq!(shown(alternative), [("main".to_owned(), 3, 2)]);
    assert_eq!(shown(PageId::from_random([9; 16])), []);
    teller.edit(&BranchEdit::Delete { floor: 0, count: 1 }).unwrap();
    assert_eq!(shown(page), [("main".to_owned(), 0, 1), ("other".to_owned(), 1, 1)]);
}

#[test]
fn the_log_of_a_story_has_all_branches_in_the_order_of_time() {
    let teller = story(3);
    let other = fork(&teller, 1, "other", RefKind::Branch);
    append(&teller, other, "there");
    teller.reply("here");
    on(&teller, other, &BranchEdit::Cut { floor: 1 });
    let story = teller.opened.story;
    let log = |limit, before, deleted| {
        teller.engine.story_log(&Owner::local(), story, &StoryLogQuery { limit, before, deleted }).unwrap()
    };
    let all = log(1000, None, false);
    let shown: Vec<_> = all
        .operations
        .iter()
        .take(4)
        .map(|one| (one.name.as_str(), one.operation.kind, one.operation.floors))
        .collect();
    use OperationKind::{Append, CreateBranch, Delete};
    assert_eq!(shown, [("other", Delete, -2), ("main", Append, 1), ("other", Append, 1), ("other", CreateBranch, 2)]);
    assert!(!all.more);

    // By pages of two it is the same.
    let (mut pieces, mut before) = (Vec::new(), None);
    loop {
        let piece = log(2, before, false);
        before = piece.operations.last().map(|one| one.at);
        pieces.extend(piece.operations);
        if !piece.more {
            break;
        }
    }
    assert_eq!(pieces, all.operations);

    let deleted = log(1000, None, true).operations;
    assert_eq!(deleted.len(), 1);
    teller.engine.undo(&Owner::local(), story, other, Some(deleted[0].operation.operation), "test").unwrap();
    assert!(log(1000, None, true).operations.is_empty());
}

#[test]
fn a_page_that_is_not_valid_has_the_state_above_it() {
    let teller = story(4);
    let (page, before) = (teller.page(1), teller.state(3));
    let OpenedChat { story, branch, .. } = teller.opened;
    let lines = || teller.engine.floors(&Owner::local(), story, branch, 0, 10).unwrap().floors;
    let said = || teller.engine.messages_for_prompt(&Owner::local(), story, branch).unwrap().len();
    let marked = teller.edit(&BranchEdit::Validity { page, valid: false }).unwrap();
    assert_eq!((teller.state(1), teller.state(3)), (r#"{"gold":1}"#.to_owned(), r#"{"gold":3}"#.to_owned()));
    let valid: Vec<bool> = lines().iter().map(|line| line.valid).collect();
    assert_eq!((valid, said()), (vec![true, false, true, true], 3));
    assert_eq!(lines()[1].role, Role::Assistant);
    assert_eq!(
        teller.edit(&BranchEdit::Validity { page, valid: false }).unwrap().operation,
        None,
        "it is not valid already"
    );

    // Back again, and by undo.
    teller.edit(&BranchEdit::Validity { page, valid: true }).unwrap();
    assert_eq!((teller.state(3), said()), (before.clone(), 4));
    teller.engine.undo(&Owner::local(), story, branch, None, "test").unwrap();
    assert_eq!(said(), 3);
    teller.engine.undo(&Owner::local(), story, branch, marked.operation, "test").unwrap();
    assert_eq!((teller.state(3), said()), (before, 4));
}
