//! Function libraries: new pages use the newest, cards carry theirs, a function is tried out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use storeyline_engine::authors::{Library, Scope, exchange};
use storeyline_engine::{Engine, EngineError, LibraryImport, Owner, Reprocess, Tried};
use storeyline_state::{Value, json};
use storeyline_wire::library::{CarriedStatus, KeptLibrary, ReportCarried, ReportedCarried, TryPlace};
use teller::Teller;

const CARD: &str = "card.png";

/// A function that adds to `n`.
fn adds(name: &str, amount: i64) -> String {
    format!(
        r#"{{"id":"{name}","name":"{name}","implementation":{{"steps":[{{"function":"ADD","args":["n",{amount}]}}]}}}}"#
    )
}

fn file(functions: &[String]) -> Value {
    json::read(&format!("[{}]", functions.join(","))).unwrap()
}

fn library(functions: &[String]) -> Library {
    exchange::read(&file(functions), Scope::Card).library
}

fn report(engine: &Engine, functions: &Value) -> ReportedCarried {
    let report = ReportCarried { card: CARD.into(), name: "Aria".into(), functions: functions.clone().into() };
    engine.report_carried(&Owner::local(), &report).unwrap()
}

fn status(engine: &Engine) -> CarriedStatus {
    engine.shown_library(&Owner::local(), CARD).unwrap().carried.unwrap().status
}

#[test]
fn a_function_counts_from_the_next_reply_and_older_floors_follow_by_reprocessing() {
    let (owner, teller) = (Owner::local(), Teller::begin(Engine::in_memory().unwrap(), r#"{"n":0}"#));
    let engine = &teller.engine;
    teller.reply("@.UP();");
    let mut up = library(&[adds("UP", 1)]);
    let version = engine.put_library(&owner, "", &up, Some(0)).unwrap();
    teller.reply("@.UP();");
    up.functions[0].enabled = false;
    engine.put_library(&owner, "", &up, Some(version)).unwrap();
    teller.reply("@.UP();");
    assert_eq!([0, 1, 2].map(|floor| teller.state(floor)), [r#"{"n":0}"#, r#"{"n":1}"#, r#"{"n":1}"#]);
    assert!(matches!(engine.put_library(&owner, "", &up, Some(version)), Err(EngineError::LibraryMoved)));
    up.functions[0].enabled = true;
    engine.put_library(&owner, "", &up, None).unwrap();
    assert_eq!(teller.state(2), r#"{"n":1}"#, "stored states stay");
    engine.reprocess(&owner, teller.opened.story, teller.opened.branch, &Reprocess::default(), "test").unwrap();
    assert_eq!([0, 1, 2].map(|floor| teller.state(floor)), [r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#]);
}

#[test]
fn an_import_is_off_unless_named_and_one_that_is_too_large_changes_nothing() {
    let (owner, engine) = (Owner::local(), Engine::in_memory().unwrap());
    let text = Value::text(
        "// mine\n[\n  {name: 'UP', implementation: {steps: []}},\n  {name: 'DOWN', implementation: {steps: []}},\n];",
    );
    let enable = ["DOWN".to_owned()];
    let import =
        |file, dry_run| engine.import_library(&owner, &LibraryImport { scope: CARD, file, enable: &enable, dry_run });
    assert_eq!(import(&text, true).unwrap().imported.len(), 2);
    assert!(engine.library(&owner, CARD).unwrap().is_empty(), "a dry run");
    assert!(import(&text, false).unwrap().imported.iter().all(|one| !one.duplicate));
    let on: Vec<bool> = engine.library(&owner, CARD).unwrap().functions.iter().map(|one| one.enabled).collect();
    assert_eq!(on, [false, true]);
    assert!(import(&text, true).unwrap().imported.iter().all(|one| one.duplicate));
    let broken = Value::text("[\n  {name: 'UP', executor: '1'},\n  {name: 'B', ]]}\n  {]\n");
    let problem = &import(&broken, false).unwrap().problems[0];
    assert!(problem.en.contains("line 3"), "{}", problem.en);
    let many: Vec<String> = (0..5_000).map(|number| adds(&format!("F{number}"), 1)).collect();
    assert!(matches!(import(&file(&many), false), Err(EngineError::LargeLibrary { count: 5_000, .. })));
    assert_eq!(engine.library(&owner, CARD).unwrap().functions.len(), 2);
    assert!(engine.library(&Owner::named("other"), CARD).unwrap().is_empty());
}

#[test]
fn what_is_saved_for_a_card_goes_into_the_card_and_needs_no_permission() {
    let (owner, teller) = (Owner::local(), Teller::begin(Engine::in_memory().unwrap(), r#"{"n":0}"#));
    let engine = &teller.engine;
    let authors = file(&[adds("UP", 1)]);
    assert!(!report(engine, &authors).changed, "it is seen for the first time");
    let shown = engine.shown_library(&owner, CARD).unwrap();
    let carried = shown.carried.unwrap();
    assert_eq!((shown.version, carried.status, carried.allow), (0, CarriedStatus::Same, None));
    assert_eq!(shown.library.0.get("functions").unwrap().as_list().unwrap().len(), 1, "it is shown, and does not run");
    teller.reply("@.UP();");
    let mine = [adds("UP", 10)];
    engine.put_library(&owner, CARD, &library(&mine), Some(0)).unwrap();
    assert_eq!(status(engine), CarriedStatus::SavedChanged);
    teller.reply("@.UP();");
    assert_eq!([0, 1].map(|floor| teller.state(floor)), [r#"{"n":0}"#, r#"{"n":10}"#], "in place of the card's");
    let written = exchange::export(&engine.library(&owner, CARD).unwrap());
    let reported = report(engine, written.get("functions").unwrap());
    let carried = reported.library.carried.unwrap();
    assert_eq!((reported.changed, carried.status, carried.allow), (true, CarriedStatus::Same, Some(true)));
}

#[test]
fn a_card_that_changed_is_followed_and_two_changes_are_put_to_the_user() {
    let (owner, engine) = (Owner::local(), Engine::in_memory().unwrap());
    let names = || -> Vec<String> {
        engine.library(&owner, CARD).unwrap().functions.into_iter().map(|function| function.name).collect()
    };
    let written = |functions: &[String]| {
        let exported = exchange::export(&library(functions));
        exported.get("functions").unwrap().clone()
    };
    report(&engine, &written(&[adds("A", 1)]));
    engine.put_library(&owner, CARD, &library(&[adds("B", 1)]), None).unwrap();
    report(&engine, &written(&[adds("B", 1)]));
    report(&engine, &written(&[adds("C", 1)]));
    assert_eq!((names(), status(&engine)), (vec!["C".to_owned()], CarriedStatus::Same), "the card had B already");
    engine.put_library(&owner, CARD, &library(&[adds("B", 1)]), None).unwrap();
    report(&engine, &written(&[adds("E", 1)]));
    assert_eq!((names(), status(&engine)), (vec!["B".to_owned()], CarriedStatus::BothChanged));
    engine.choose_library(&owner, CARD, KeptLibrary::Saved).unwrap();
    assert_eq!((names(), status(&engine)), (vec!["B".to_owned()], CarriedStatus::SavedChanged));
    report(&engine, &written(&[adds("D", 1)]));
    assert_eq!(status(&engine), CarriedStatus::BothChanged);
    let shown = engine.choose_library(&owner, CARD, KeptLibrary::Carried).unwrap();
    assert_eq!((names(), shown.carried.unwrap().status), (vec!["D".to_owned()], CarriedStatus::Same));
}

#[test]
fn a_function_is_tried_on_a_floor_without_a_trace() {
    let (owner, teller) = (Owner::local(), Teller::begin(Engine::in_memory().unwrap(), r#"{"n":5}"#));
    let engine = &teller.engine;
    engine.put_library(&owner, "", &library(&[adds("UP", 1), adds("TWICE", 100)]), None).unwrap();
    teller.reply("@.UP(); @.ADD(\"x\", \"a lot\");");
    let steps = r#"{"name":"TWICE","enabled":false,"implementation":{"steps":[{"function":"UP","args":[]},{"function":"UP","args":[]}]}}"#;
    let tried = Tried::read(&json::read(steps).unwrap()).unwrap();
    let place = TryPlace { story: teller.opened.story, branch: teller.opened.branch, floor: 0 };
    let done = engine.try_function(&owner, &tried, "@.TWICE();", Some(&place), None, "").unwrap();
    assert_eq!(json::write(&done.evaluation.state), r#"{"n":8}"#);
    assert_eq!(teller.state(0), r#"{"n":6}"#);
    let stranger = engine.try_function(&Owner::named("other"), &tried, "@.TWICE();", Some(&place), None, "");
    assert!(matches!(stranger, Err(EngineError::UnknownStory(_))));
    let uses = engine.function_uses(&owner, teller.opened.story, teller.opened.branch).unwrap();
    let seen: Vec<_> = uses.uses.iter().map(|one| (one.name.as_str(), one.used, one.failed, one.last_failed)).collect();
    assert_eq!((seen, uses.floors), (vec![("ADD", 0, 1, Some(0)), ("UP", 1, 0, None)], 1));
}
