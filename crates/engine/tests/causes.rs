//! Tests of `causes`: the result for each path equals that of a walk over the whole branch, and opening
//! a floor does not compute it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use std::collections::HashMap;

use proptest::prelude::*;
use storeyline_engine::{Durability, Engine, MAX_FLOORS_SEARCHED, Owner};
use storeyline_state::{Step, Value, json};
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::trails::Causes;
use storeyline_wire::view::{Call, Floor};
use storeyline_wire::{Change, ChangeKind, JsonObject, KeepText, Role};
use teller::Teller;

const CALLS: [&str; 14] = [
    r#"@.SET("a.b.c", 1);"#,
    r#"@.ADD("a.b.c", 1);"#,
    r#"@.ADD("a.n", 1);"#,
    r#"@.SET("a", {"b": {"c": 0, "d": []}, "n": 5});"#,
    r#"@.SET("a.b", {"c": 3});"#,
    r#"@.UNSET("a.b.c");"#,
    r#"@.UNSET("a");"#,
    r#"@.SET("list", [1, {"k": 1}, 3]);"#,
    r#"@.APPEND("list", {"k": 2});"#,
    r#"@.SET("list[1].k", 7);"#,
    r#"@.REMOVE("list", 0);"#,
    r#"@.INSERT("list", 1, "x");"#,
    r#"@.SET("other", "y");"#,
    r#"@.SET("a.n", 5);"#,
];

/// The causes as the whole branch tells them, floor by floor: the latest floor for each path that was set.
#[derive(Default)]
struct FullWalk {
    set: HashMap<Vec<Step>, usize>,
}

impl FullWalk {
    fn note(&mut self, calls: &[Call], floor: usize) {
        calls.iter().flat_map(|call| &call.ops).for_each(|op| self.note_op(op, floor));
    }

    /// A new value hides what was set below it; an item taken out of a list moves the others.
    fn note_op(&mut self, op: &Change, floor: usize) {
        let path = &op.path.0;
        let moved = matches!((op.kind, path.last()), (ChangeKind::Removed, Some(Step::Index(_))));
        let path = if moved { &path[..path.len() - 1] } else { &path[..] };
        self.set.retain(|own, _| own.len() < path.len() || own[..path.len()] != *path);
        self.set.insert(path.to_vec(), floor);
    }

    /// The latest floor that set a path, something above it, or something inside it.
    fn cause(&self, path: &[Step]) -> Option<usize> {
        let related = |own: &[Step]| own.iter().zip(path).all(|(one, other)| one == other);
        self.set.iter().filter(|(own, _)| related(own)).map(|(_, floor)| *floor).max()
    }
}

fn view(teller: &Teller, floor: usize) -> Floor {
    teller.engine.floor(&Owner::local(), teller.opened.story, teller.opened.branch, floor, None).unwrap()
}

fn causes(teller: &Teller, floor: usize, paths: &[Vec<Step>]) -> Causes {
    teller.engine.causes(&Owner::local(), teller.opened.story, teller.opened.branch, floor, paths).unwrap()
}

fn path(keys: &[&str]) -> Vec<Step> {
    keys.iter().map(|key| Step::Key((*key).into())).collect()
}

/// Every path of a state.
fn paths_in(value: &Value, at: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    found.push(at.clone());
    let kids: Vec<(Step, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, kid)| (Step::Key(key.as_str().into()), kid)).collect(),
        Value::List(list) => list.iter().enumerate().map(|(index, kid)| (Step::Index(index), kid)).collect(),
        _ => Vec::new(),
    };
    for (step, kid) in kids {
        at.push(step);
        paths_in(kid, at, found);
        at.pop();
    }
}

/// Asks for all paths at once and for each alone: the filter is used for few paths only.
fn check(teller: &Teller) {
    let mut walk = FullWalk::default();
    for floor in 0..teller.floors() {
        let view = view(teller, floor);
        walk.note(&view.calls, floor);
        let mut paths = vec![path(&["a", "gone"]), path(&["nowhere"])];
        paths_in(&view.state, &mut Vec::new(), &mut paths);
        let wanted: Vec<Option<usize>> = paths.iter().map(|path| walk.cause(path)).collect();
        assert_eq!(causes(teller, floor, &paths).floors, wanted, "floor {floor}, {paths:?}");
        for (path, wanted) in paths.iter().zip(&wanted) {
            assert_eq!(causes(teller, floor, std::slice::from_ref(path)).floors, [*wanted], "floor {floor}, {path:?}");
        }
    }
}

fn say(teller: &Teller, (is_user, calls): &(bool, Vec<usize>)) {
    let text: String = calls.iter().map(|call| CALLS[*call]).collect();
    teller.say(if *is_user { Role::User } else { Role::Assistant }, &text);
}

fn a_turn() -> impl Strategy<Value = (bool, Vec<usize>)> {
    (prop::bool::weighted(0.3), prop::collection::vec(0..CALLS.len(), 0..4))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn causes_are_those_of_the_whole_walk(
        turns in prop::collection::vec(a_turn(), 1..14),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4, 0..CALLS.len()), 0..4),
    ) {
        let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"a": {"b": {"c": 0}}, "list": [1, 2]}"#);
        turns.iter().for_each(|turn| say(&teller, turn));
        for (at, kind, call) in edits {
            let (floor, text) = (at.index(teller.floors()), CALLS[call].to_owned());
            let page = teller.page(floor);
            match kind {
                0 => _ = teller.edit(&BranchEdit::Edit { page, text, keep: KeepText::InPlace }).unwrap(),
                1 => _ = teller.alternative(floor, &text),
                2 if teller.floors() > 1 => _ = teller.edit(&BranchEdit::Delete { floor, count: 1 }).unwrap(),
                _ => {
                    let state = json::read(r#"{"a": {"n": 9}, "list": [1]}"#).unwrap();
                    let is_user = view(&teller, floor).role == Role::User;
                    if !is_user {
                        teller.edit(&BranchEdit::Override { page, state: JsonObject(state) }).unwrap();
                    }
                }
            }
        }
        check(&teller);
    }
}

#[test]
fn a_search_that_is_too_long_says_where_it_stopped() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"first": 1}"#);
    let floors = MAX_FLOORS_SEARCHED + 100;
    for floor in 0..floors {
        let early = if floor == 3 { "@.SET(\"early\", 1);" } else { "" };
        teller.reply(&format!("{early} @.SET(\"n\", {floor});"));
    }
    let paths = [path(&["n"]), path(&["early"]), path(&["first"])];
    let found = causes(&teller, floors - 1, &paths);
    assert_eq!(found, Causes { floors: vec![Some(floors - 1), None, None], searched_from: 100 });
    let found = causes(&teller, found.searched_from - 1, &paths[1..]);
    assert_eq!(found, Causes { floors: vec![Some(3), None], searched_from: 0 });
    assert_eq!(causes(&teller, 5, &[]).floors, []);
}

#[test]
fn opening_a_floor_reads_as_many_rows_at_any_height() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(folder.path()).unwrap().with_durability(Durability::Normal);
    let told = Teller::begin(engine, "{}");
    for floor in 0..1_500 {
        told.reply(&format!("@.SET(\"n\", {floor});"));
        told.say(Role::User, "go on");
    }
    let (opened, last) = (told.opened.clone(), told.floors() - 1);
    drop(told);
    let cost = |floor: usize| {
        // A program that was just started remembers nothing.
        let teller = Teller::again(folder.path(), &opened);
        let before = teller.engine.work().read;
        assert_eq!(view(&teller, floor).from, Some((floor - 1) / 2 * 2));
        teller.engine.work().read - before
    };
    let costs: Vec<u64> = [11, 101, 1_001, last].into_iter().map(cost).collect();
    // Finding the floor costs the binary digits of the length; rebuilding its state, the steps from the last
    // state that is stored whole.
    assert!(costs.iter().all(|cost| *cost <= 100), "{costs:?}");
}
