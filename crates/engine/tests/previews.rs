//! Tests of previews: they tell what a change then does, and write nothing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use std::cell::Cell;

use storeyline_engine::{Durability, Engine, OpenedChat, Owner, Reprocess};
use storeyline_functions::Library;
use storeyline_state::json;
use storeyline_wire::compare::Ripple;
use storeyline_wire::operation::{BranchEdit, EditPath};
use storeyline_wire::{Json, JsonObject, KeepText, Role};
use teller::Teller;

const FLOORS: usize = 200;

/// Every floor counts `sum` up; floor 150 sets it anew.
fn story() -> Teller {
    let teller = Teller::begin(Engine::in_memory().unwrap().with_durability(Durability::Normal), r#"{"sum":0}"#);
    for floor in 0..FLOORS {
        let words = if floor == 150 { "@.SET(\"sum\", 1000);" } else { "@.ADD(\"sum\", 1);" };
        teller.reply(words);
    }
    teller
}

fn preview(teller: &Teller, change: &BranchEdit, stop: &dyn Fn() -> bool) -> Ripple {
    let OpenedChat { story, branch, .. } = teller.opened;
    teller.engine.preview_edit(&Owner::local(), story, branch, change, stop).unwrap()
}

/// Floors whose states differ.
fn differing(before: &[String], after: &[String]) -> Vec<usize> {
    (0..before.len().min(after.len())).filter(|floor| before[*floor] != after[*floor]).collect()
}

fn states(teller: &Teller) -> Vec<String> {
    (0..teller.floors()).map(|floor| teller.state(floor)).collect()
}

#[test]
fn a_preview_tells_what_the_change_then_does() {
    let value = |text: &str| Json(json::read(text).unwrap());
    let teller = story();
    let changes = [
        BranchEdit::Set { page: teller.page(10), path: "sum".into(), value: value("70") },
        BranchEdit::Set { page: teller.page(120), path: "other".into(), value: value("{\"a\":[1]}") },
        BranchEdit::Override { page: teller.page(140), state: JsonObject(json::read(r#"{"sum":141}"#).unwrap()) },
        BranchEdit::Edit { page: teller.page(30), text: "nothing".into(), keep: KeepText::InPlace },
        BranchEdit::Edit { page: teller.page(31), text: "@.ADD(\"sum\", 1); the same".into(), keep: KeepText::InPlace },
        BranchEdit::Unset { page: teller.page(190), path: "sum".into() },
    ];
    for change in changes {
        let before = states(&teller);
        let told = preview(&teller, &change, &|| false);
        assert_eq!(states(&teller), before, "a preview writes nothing");
        teller.edit(&change).unwrap();
        let changed = differing(&before, &states(&teller));
        assert_eq!((told.changed, told.computed), (changed.len(), told.floors), "{change:?}");
        let first: Vec<usize> = told.first.iter().map(|one| one.floor).collect();
        assert_eq!(first, changed, "{change:?}");
    }
}

#[test]
fn a_preview_that_is_stopped_says_how_far_it_came() {
    let teller = story();
    let change = BranchEdit::Set { page: teller.page(0), path: "sum".into(), value: Json(json::read("9").unwrap()) };
    let looks = Cell::new(0);
    let told = preview(&teller, &change, &|| {
        looks.set(looks.get() + 1);
        true
    });
    assert!(told.computed > 0 && told.computed < FLOORS && told.floors == FLOORS, "{told:?}");
    assert_eq!((told.changed, looks.get()), (told.computed, 1));
}

#[test]
fn messages_of_the_user_do_not_count() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"sum":0}"#);
    for _ in 0..3 {
        teller.reply("@.ADD(\"sum\", 1);");
        teller.say(Role::User, "and then?");
    }
    let change = BranchEdit::Set { page: teller.page(0), path: "sum".into(), value: Json(json::read("9").unwrap()) };
    let told = preview(&teller, &change, &|| false);
    assert_eq!((told.floors, told.changed), (6, 3));
    assert_eq!(told.first.iter().map(|one| one.floor).collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn a_preview_of_a_re_process_tells_the_floors_that_change() {
    let teller = story();
    let OpenedChat { story, branch, .. } = teller.opened;
    let owner = Owner::local();
    let ripple =
        |request: &Reprocess| teller.engine.ripple_of_reprocess(&owner, story, branch, request, &|| false).unwrap();
    let same = ripple(&Reprocess::default());
    assert_eq!((same.changed, same.rules), (0, None), "nothing changed since");
    let mut rules = teller.engine.story_rules(&owner, story).unwrap().rules;
    rules.first_state = json::read(r#"{"sum":5}"#).unwrap();
    let function =
        json::read(r#"{"functions":[{"id":"1","name":"LEVELUP","type":"active","enabled":true,"executor":"return"}]}"#);
    rules.library = Library::from_value(&function.unwrap()).unwrap();
    let told = ripple(&Reprocess { what_if: Some(rules.clone()), ..Reprocess::default() });
    let step = told.rules.unwrap();
    assert_eq!(
        (step.floors, step.settings, step.functions),
        (FLOORS, vec!["first_state".into()], vec!["LEVELUP".into()])
    );
    let one = Reprocess { from: 3, to: Some(5), what_if: Some(rules), ..Reprocess::default() };
    assert_eq!(ripple(&one).rules.unwrap().floors, 2, "only what is re-processed");
    assert_eq!((told.floors, told.changed), (FLOORS, 150), "floor 150 sets the sum anew");
    assert_eq!(teller.state(0), r#"{"sum":1}"#);
}

#[test]
fn a_path_by_steps_is_exact_whatever_is_in_its_keys() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"a":{"b":1},"a.b":2,"":{"[0]":3},"l":[1,2]}"#);
    teller.reply("x");
    let page = teller.page(0);
    let steps = |text: &str| EditPath::Steps(serde_json::from_str(text).unwrap());
    let set = |path: &str, value: &str| {
        let value = Json(json::read(value).unwrap());
        teller.edit(&BranchEdit::Set { page, path: steps(path), value }).map(drop)
    };
    set(r#"["a.b"]"#, "20").unwrap();
    set(r#"["a","b"]"#, "10").unwrap();
    set(r#"["","[0]"]"#, "30").unwrap();
    set(r#"["l",1]"#, "12345678901234567890").unwrap();
    set(r#"["new"]"#, "null").unwrap();
    assert_eq!(teller.state(0), r#"{"a":{"b":10},"a.b":20,"":{"[0]":30},"l":[1,12345678901234567890],"new":null}"#);
    teller.edit(&BranchEdit::Unset { page, path: steps(r#"["a.b"]"#) }).unwrap();
    assert_eq!(teller.state(0), r#"{"a":{"b":10},"":{"[0]":30},"l":[1,12345678901234567890],"new":null}"#);
    assert!(teller.edit(&BranchEdit::Unset { page, path: steps(r#"["no"]"#) }).is_err());
    assert!(set(r#"["a","b","c"]"#, "1").is_err(), "a number has no keys");
}

#[test]
fn a_large_value_is_not_told_once_per_floor() {
    let teller = story();
    let large = format!("{:?}", "x".repeat(300_000));
    let change = BranchEdit::Set { page: teller.page(0), path: "big".into(), value: Json(json::read(&large).unwrap()) };
    let told = preview(&teller, &change, &|| false);
    assert_eq!((told.changed, told.first.len()), (FLOORS, FLOORS), "every floor is counted and named");
    let values = told.first.iter().flat_map(|one| &one.state).filter_map(|change| change.new.as_ref());
    let bytes: usize = values.map(|value| json::write(value).len()).sum();
    assert!(bytes < 600_000, "{bytes} bytes");
}
