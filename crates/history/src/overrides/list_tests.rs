//! Hand edits of lists against a naive model, and on recomputed lists.

use proptest::prelude::*;
use storeyline_state::{Object, Op, Value, json};

use super::{Override, between};

fn applied(computed: &Value, overrides: &[Override]) -> (Value, usize) {
    let mut state = computed.clone();
    let (mut ops, mut lost): (Vec<Op>, usize) = (Vec::new(), 0);
    for one in overrides {
        match one.apply(&mut state) {
            Ok(applied) => {
                ops.extend(applied.ops);
                lost += applied.lost;
            }
            Err(_) => lost += one.len(),
        }
    }
    let mut again = computed.clone();
    ops.iter().for_each(|op| op.apply(&mut again).unwrap());
    assert_eq!(again, state, "the ops lead there");
    (state, lost)
}

#[test]
fn an_edit_holds_and_what_has_no_place_is_counted() {
    let cases = [
        // computed, saved by hand, recomputed, expected, lost
        ("[1,2,3]", "[1,2,3,9]", "[1,3]", "[1,3,9]", 0),
        ("[1,2,3]", "[0,1,2,3,9]", "[1,3,4]", "[0,1,3,9,4]", 0),
        ("[1,2,3]", "[1,2,9,3]", "[2,5,3]", "[2,5,9,3]", 0),
        ("[1,2,3]", "[1,9,2,3]", "[4,2]", "[4,9,2]", 0),
        ("[1,2,3,4]", "[1,9,2,3,4,8]", "[5,6]", "[5,6,8]", 1),
        ("[]", "[9]", "[1,2]", "[1,2,9]", 0),
        ("[1,2,3]", "[1,3]", "[1,3,4]", "[1,3,4]", 0),
        ("[1,2,3]", "[1,3]", "[2,1]", "[1]", 0),
        ("[1,2,3]", "[1,3]", "[1,7,3]", "[1,7,3]", 1),
        (r#"[10,"desc"]"#, r#"[50,"desc"]"#, r#"[12,"desc"]"#, r#"[50,"desc"]"#, 0),
        ("[7,7,7,7]", "[7,7,8,7]", "[7,7,7,7,7]", "[7,7,8,7,7]", 0),
        ("[[1,2],[3]]", "[[1,2,5],[3]]", "[[0,1,2],[3]]", "[[0,1,2,5],[3]]", 0),
        (
            r#"[{"n":"a","x":1,"y":1},{"n":"b","x":1,"y":1}]"#,
            r#"[{"n":"a","x":1,"y":1},{"n":"b","x":9,"y":1}]"#,
            r#"[{"n":"b","x":2,"y":2},{"n":"c","x":2,"y":2}]"#,
            r#"[{"n":"b","x":9,"y":2},{"n":"c","x":2,"y":2}]"#,
            0,
        ),
        (r#"[{"n":"a","x":1}]"#, r#"[{"n":"a","x":5}]"#, r#"[{"n":"z","x":2}]"#, r#"[{"n":"z","x":2}]"#, 1),
        (
            r#"[{"n":"a","x":1},{"n":"b","x":1}]"#,
            r#"[{"n":"b","x":1}]"#,
            r#"[{"n":"b","x":2},{"n":"a","x":2}]"#,
            r#"[{"n":"b","x":2}]"#,
            0,
        ),
        ("[1,2]", "[1,9]", "{}", "{}", 1),
    ];
    for (computed, saved, later, wanted, lost) in cases {
        let in_state = |text: &str| json::read(&format!(r#"{{"rows":{text},"other":1}}"#)).unwrap();
        let overrides = between(&in_state(computed), &in_state(saved));
        assert_eq!(applied(&in_state(computed), &overrides), (in_state(saved), 0));
        assert_eq!(applied(&in_state(later), &overrides), (in_state(wanted), lost), "{computed} {saved} {later}");
    }
}

#[test]
fn a_list_is_spoken_of_once() {
    let read = |text: &str| json::read(text).unwrap();
    let one = between(&read(r#"{"a":[1,2]}"#), &read(r#"{"a":[1]}"#))[0].to_value();
    assert!(Override::all_from_value(&Value::list(vec![one.clone()])).is_some());
    assert_eq!(Override::all_from_value(&Value::list(vec![one.clone(), one])), None);
}

#[test]
fn long_lists_take_bounded_work() {
    let same = vec![Value::from(7); 50_000];
    let mut saved = same.clone();
    (0..same.len()).step_by(3).for_each(|index| saved[index] = Value::from(8));
    let different: Vec<Value> = (0..50_000).map(Value::from).collect();
    let turned: Vec<Value> = different.iter().rev().cloned().collect();
    for (computed, saved) in [(&same, &saved), (&different, &turned), (&different, &same), (&turned, &saved)] {
        let (computed, saved) = (Value::list(computed.clone()), Value::list(saved.clone()));
        let overrides = between(&computed, &saved);
        assert_eq!(applied(&computed, &overrides), (saved, 0));
        let _ = applied(&Value::list(vec![Value::from(7); 50_001]), &overrides);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), (0i64..3).prop_map(Value::from), "[ab]".prop_map(Value::text)];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
            prop::collection::vec(("[a-c1]", inner), 0..4).prop_map(|entries| {
                Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
            }),
        ]
    })
}

/// One row of the model: what happens to it and before it.
#[derive(Debug, Clone)]
struct Row {
    by_hand: ByHand,
    anew: Anew,
    put_by_hand: bool,
    put_anew: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ByHand {
    Nothing,
    Take,
    Change,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Anew {
    Same,
    Other,
    Gone,
}

fn any_row() -> impl Strategy<Value = Row> {
    let by_hand = prop_oneof![4 => Just(ByHand::Nothing), 1 => Just(ByHand::Take), 2 => Just(ByHand::Change)];
    let anew = prop_oneof![4 => Just(Anew::Same), 2 => Just(Anew::Other), 1 => Just(Anew::Gone)];
    let put = || prop::bool::weighted(0.2);
    (by_hand, anew, put(), put()).prop_map(|(by_hand, anew, put_by_hand, put_anew)| Row {
        // An edited item always stays here; the cases above cover that it is gone.
        anew: if by_hand != ByHand::Nothing && anew == Anew::Gone { Anew::Same } else { anew },
        by_hand,
        put_by_hand,
        put_anew,
    })
}

fn row(name: String, hand: i64, computed: i64) -> Value {
    let entries = [("name", Value::text(name)), ("hand", hand.into()), ("computed", computed.into())];
    Value::object(entries.map(|(key, value)| (key.into(), value)).into_iter().collect::<Object>())
}

/// It shares no key with the other rows; otherwise it could be matched as a changed row.
fn added(at: usize) -> Value {
    Value::object([("added".into(), Value::from(at as i64))].into_iter().collect::<Object>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn the_saved_state_is_reached_exactly(computed in any_value(), saved in any_value()) {
        let overrides = between(&computed, &saved);
        prop_assert_eq!(applied(&computed, &overrides), (saved, 0));
        let stored: Option<Vec<_>> = overrides.iter().map(|one| Override::from_value(&one.to_value())).collect();
        prop_assert_eq!(stored, Some(overrides));
    }

    #[test]
    fn edits_of_one_state_never_fail_on_another(computed in any_value(), saved in any_value(), later in any_value()) {
        let (_, lost) = applied(&later, &between(&computed, &saved));
        prop_assert!(lost <= 200);
    }

    #[test]
    fn hand_edits_hold_and_nothing_else_is_pinned(rows in prop::collection::vec(any_row(), 0..12)) {
        let (mut computed, mut saved, mut anew, mut wanted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut lost = 0;
        for (at, step) in rows.iter().enumerate() {
            // Beside a removed item an added one can be described in two ways.
            let taken = step.by_hand == ByHand::Take || at > 0 && rows[at - 1].by_hand == ByHand::Take;
            if step.put_by_hand && !taken {
                saved.push(added(at));
                let is_same = |row: Option<&Row>| row.is_none_or(|row| row.anew == Anew::Same);
                if is_same(at.checked_sub(1).map(|before| &rows[before])) || is_same(Some(step)) {
                    wanted.push(added(at));
                } else {
                    lost += 1;
                }
            }
            if step.put_anew {
                anew.push(row(format!("new {at}"), 0, 0));
                wanted.push(row(format!("new {at}"), 0, 0));
            }
            let name = || format!("row {at}");
            computed.push(row(name(), 0, 0));
            if step.by_hand != ByHand::Take {
                saved.push(row(name(), i64::from(step.by_hand == ByHand::Change), 0));
            }
            if step.anew != Anew::Gone {
                let other = i64::from(step.anew == Anew::Other);
                anew.push(row(name(), 0, other));
                if step.by_hand != ByHand::Take {
                    wanted.push(row(name(), i64::from(step.by_hand == ByHand::Change), other));
                }
            }
        }
        let overrides = between(&Value::list(computed), &Value::list(saved));
        let (state, found_lost) = applied(&Value::list(anew), &overrides);
        prop_assert_eq!(found_lost, lost);
        // On which side of a new row an added one goes is unspecified; everything else is checked.
        let without_hand = |items: &[Value]| -> Vec<Value> {
            items.iter().filter(|row| row.get("added").is_none()).cloned().collect()
        };
        let names = |items: &[Value]| {
            let mut names: Vec<String> = items.iter().map(json::write).collect();
            names.sort();
            names
        };
        let items = state.as_list().unwrap();
        prop_assert_eq!(without_hand(items), without_hand(&wanted));
        prop_assert_eq!(names(items), names(&wanted));
    }
}
