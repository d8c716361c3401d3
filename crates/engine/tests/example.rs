//! Tests of the example story: what a newcomer finds in it, and that everybody has at most one in each language.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::thread;

use storeyline_engine::{Engine, Owner};
use storeyline_script::InProcess;
use storeyline_state::json;
use storeyline_wire::story::BegunStory;
use storeyline_wire::view::{Floor, Ref};
use storeyline_wire::{Language, RefKind, Role, Verdict};

fn engine() -> Engine {
    Engine::in_memory().unwrap().with_scripts(|| Box::new(InProcess::default()))
}

fn open(engine: &Engine, language: Language) -> BegunStory {
    engine.open_example(&Owner::local(), language, "test").unwrap()
}

fn floors(engine: &Engine, at: &BegunStory) -> Vec<Floor> {
    let owner = Owner::local();
    let total = engine.floors(&owner, at.story, at.branch, 0, 0).unwrap().total;
    (0..total).map(|floor| engine.floor(&owner, at.story, at.branch, floor, None).unwrap()).collect()
}

fn states(engine: &Engine, at: &BegunStory) -> Vec<String> {
    floors(engine, at).iter().map(|floor| json::write(&floor.state.0)).collect()
}

fn refs(engine: &Engine, at: &BegunStory) -> Vec<Ref> {
    engine.story(&Owner::local(), at.story).unwrap().story.refs
}

/// The floors that fulfil a condition.
fn those(floors: &[Floor], is: impl Fn(&Floor) -> bool) -> Vec<usize> {
    floors.iter().filter(|floor| is(floor)).map(|floor| floor.floor).collect()
}

#[test]
fn it_has_something_for_every_screen_in_both_languages() {
    for language in Language::ALL {
        let engine = engine();
        let at = open(&engine, language);
        let floors = floors(&engine, &at);
        assert_eq!(floors.len(), 40);
        let with = |wanted: Verdict| those(&floors, |floor| floor.calls.iter().any(|call| call.verdict == wanted));
        assert_eq!((with(Verdict::Failed), with(Verdict::Repaired)), (vec![10], vec![18]), "{language:?}");
        assert_eq!(those(&floors, |floor| !floor.diagnostics.is_empty()), [0; 0]);
        assert_eq!(those(&floors, |floor| floor.pages.len() > 1), [4, 12, 25]);
        assert_eq!((floors[12].pages.len(), floors[12].active), (3, 0), "the first page was chosen again");
        assert_eq!(those(&floors, |floor| floor.hidden), [19]);
        assert_eq!(those(&floors, |floor| floor.overridden), [33]);
        assert_eq!(those(&floors, |floor| floor.role == Role::Narrator), [19]);
        let refs = refs(&engine, &at);
        let kinds =
            |kind| refs.iter().filter(move |found| found.kind == kind).map(|found| (found.floors, found.shared));
        assert_eq!(kinds(RefKind::Branch).collect::<Vec<_>>(), [(40, None), (28, Some(24))]);
        assert_eq!(kinds(RefKind::Tag).collect::<Vec<_>>(), [(32, Some(32))]);
        let card = engine.story(&Owner::local(), at.story).unwrap().story.card;
        assert!(engine.template(&Owner::local(), &card).unwrap().is_some());
        let snapshots = engine.snapshots(&Owner::local(), "").unwrap();
        assert_eq!(snapshots.iter().map(|one| one.from.as_ref().unwrap().floor).collect::<Vec<_>>(), [31]);
        let verified = engine.verify(&Owner::local(), |_| {}).unwrap();
        assert!(verified.problems.is_empty(), "{verified:?}");
    }
}

#[test]
fn its_states_are_exact_and_the_same_each_time() {
    let (first, second) = (engine(), engine());
    let (at, again) = (open(&first, Language::English), open(&second, Language::English));
    let states = states(&first, &at);
    assert_eq!(states, self::states(&second, &again));
    let exact = [
        (
            2,
            r#"{"world":{"place":"The Lantern Inn","time":"20:04","weather":"rain"},"hero":{"gold":18,"hp":85,"strength":5},"Aria":{"trust":10,"mood":"wary","secrets":[]},"inn":{"till":37,"guests":2},"bag":["torch","bread"]}"#,
        ),
        (
            18,
            r#"{"world":{"place":"The cellar stairs","time":"21:40","weather":"thunderstorm","bridge":"washed away"},"hero":{"gold":18,"hp":80,"strength":6},"Aria":{"trust":30,"mood":"warm","secrets":["She was born in the north tower."]},"inn":{"till":37,"guests":3},"bag":["torch","cellar key"]}"#,
        ),
        (
            39,
            r#"{"world":{"place":"The Lantern Inn","time":"06:54","weather":"clear","bridge":"washed away","beacon":true},"hero":{"gold":15,"hp":80,"strength":7,"trade":"innkeeper's help"},"Aria":{"trust":61,"mood":"at ease","secrets":["She was born in the north tower.","The cellar leads to the tower.","The night without a light."]},"inn":{"till":40,"guests":11},"bag":["silver whistle","apron"]}"#,
        ),
    ];
    for (floor, state) in exact {
        assert_eq!(states[floor], state, "floor {floor}");
    }
}

#[test]
fn asking_again_returns_the_story_that_is_there_as_the_user_left_it() {
    let engine = engine();
    let at = open(&engine, Language::Chinese);
    engine.rename_story(&Owner::local(), at.story, "我的", "test").unwrap();
    assert_eq!(open(&engine, Language::Chinese), at);
    assert_eq!(engine.stories(&Owner::local()).unwrap()[0].title, "我的");
    let other = open(&engine, Language::English);
    assert_ne!(other.story, at.story, "every language has its own");
    engine.trash_story(&Owner::local(), at.story, "test").unwrap();
    assert_ne!(open(&engine, Language::Chinese).story, at.story, "one in the trash stays there");
    assert_eq!(engine.snapshots(&Owner::local(), "").unwrap().len(), 2, "one for each language");
}

#[test]
fn two_requests_at_once_create_one_story() {
    // In memory there is one connection, and requests would wait for each other.
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(folder.path()).unwrap().with_scripts(|| Box::new(InProcess::default()));
    // All its rows are there already, so that only the version of the template tells the requests apart.
    let other = open(&engine, Language::English);
    engine.trash_story(&Owner::local(), other.story, "test").unwrap();
    let opened: Vec<BegunStory> = thread::scope(|scope| {
        let started: Vec<_> = (0..4).map(|_| scope.spawn(|| open(&engine, Language::English))).collect();
        started.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(opened.iter().all(|one| *one == opened[0]));
    assert_ne!(opened[0].story, other.story);
    assert_eq!(engine.stories(&Owner::local()).unwrap().len(), 1);
}

#[test]
fn its_functions_are_its_own_and_those_of_the_user_stay_out() {
    let engine = engine();
    let at = open(&engine, Language::English);
    let rules = engine.story_rules(&Owner::local(), at.story).unwrap();
    let names: Vec<&str> = rules.rules.library.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["clock", "PAY"]);
    assert_eq!(engine.library_scopes(&Owner::local()).unwrap(), [""; 0], "nothing is saved for other stories");
    assert!(engine.consents(&Owner::local()).unwrap().is_empty());
}
