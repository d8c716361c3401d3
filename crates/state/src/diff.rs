//! Computes the difference of two states as ops: applied to the first state they give the second.
//!
//! Parts shared by both states are skipped by pointer, so the cost follows what changed.

use triomphe::Arc;

use crate::object::Object;
use crate::op::{Change, Op, Step};
use crate::value::Value;

/// Returns ops that turn `old` into `new`.
///
/// If only the order of keys differs, the whole object is set, so that the result is exact.
pub fn diff(old: &Value, new: &Value) -> Vec<Op> {
    let mut ops = Vec::new();
    compare(&mut Vec::new(), old, new, &mut ops);
    ops
}

fn compare(path: &mut Vec<Step>, old: &Value, new: &Value, ops: &mut Vec<Op>) {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            if !Arc::ptr_eq(a, b) && !compare_objects(path, a, b, ops) {
                push_set(path, old, new, ops);
            }
        }
        (Value::List(a), Value::List(b)) => {
            if !Arc::ptr_eq(a, b) {
                compare_lists(path, a, b, ops);
            }
        }
        _ if old == new => {}
        _ => push_set(path, old, new, ops),
    }
}

fn push_set(path: &[Step], old: &Value, new: &Value, ops: &mut Vec<Op>) {
    ops.push(Op { path: path.to_vec(), change: Change::Set { old: old.clone(), new: new.clone() } });
}

/// Returns false and pushes nothing if the order of the keys cannot be reached by removing and
/// inserting.
fn compare_objects(path: &mut Vec<Step>, old: &Object, new: &Object, ops: &mut Vec<Op>) -> bool {
    if old.is_reordered(new) {
        return false;
    }
    let mut removed = 0;
    for (position, (key, value)) in old.iter().enumerate() {
        match new.get(key) {
            Some(next) => {
                path.push(Step::Key(key.clone()));
                compare(path, value, next, ops);
                path.pop();
            }
            None => {
                path.push(Step::Key(key.clone()));
                // Each key removed before this one moved it up by one.
                let at = position - removed;
                ops.push(Op { path: path.clone(), change: Change::Remove { old: value.clone(), at } });
                path.pop();
                removed += 1;
            }
        }
    }
    for (at, (key, value)) in new.iter().enumerate() {
        if old.get(key).is_none() {
            path.push(Step::Key(key.clone()));
            ops.push(Op { path: path.clone(), change: Change::Insert { new: value.clone(), at } });
            path.pop();
        }
    }
    true
}

/// Compares lists: equal ends stay, the middle is set item by item, then items are removed or
/// inserted.
fn compare_lists(path: &mut Vec<Step>, old: &[Value], new: &[Value], ops: &mut Vec<Op>) {
    let shorter = old.len().min(new.len());
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - front);
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    let both = old_end.min(new_end);
    for index in front..both {
        path.push(Step::Index(index));
        compare(path, &old[index], &new[index], ops);
        path.pop();
    }
    let at = |index: usize, change: Change, path: &[Step]| {
        let path = path.iter().cloned().chain([Step::Index(index)]).collect();
        Op { path, change }
    };
    for index in (both.max(front)..old_end).rev() {
        ops.push(at(index, Change::Remove { old: old[index].clone(), at: index }, path));
    }
    for (index, value) in new.iter().enumerate().take(new_end).skip(both.max(front)) {
        ops.push(at(index, Change::Insert { new: value.clone(), at: index }, path));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3i64..3).prop_map(Value::from),
            "[a-c金]{0,2}".prop_map(Value::text),
        ];
        leaf.prop_recursive(3, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::list),
                prop::collection::vec(("[a-d1-3]", inner), 0..5).prop_map(|entries| {
                    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn ops_lead_from_the_old_to_the_new_state_and_back(old in any_value(), new in any_value()) {
            let ops = diff(&old, &new);
            // The cached hash must stay correct through every change.
            old.hash();
            let mut state = old.clone();
            for op in &ops {
                op.apply(&mut state).unwrap();
            }
            prop_assert_eq!(&state, &new);
            prop_assert_eq!(state.hash(), new.hash());
            for op in ops.iter().rev() {
                op.inverse().apply(&mut state).unwrap();
            }
            prop_assert_eq!(state, old);
        }

        #[test]
        fn written_json_reads_as_the_same_value(value in any_value()) {
            prop_assert_eq!(json::read(&json::write(&value)).unwrap(), value);
        }
    }

    #[test]
    fn keys_that_go_from_two_neighbours_are_counted_apart() {
        let old = json::read(r#"{"a":{"x":1,"y":2},"b":{"x":1,"z":3}}"#).unwrap();
        let new = json::read(r#"{"a":{},"b":{"z":3}}"#).unwrap();
        let mut state = old.clone();
        let ops = diff(&old, &new);
        ops.iter().for_each(|op| op.apply(&mut state).unwrap());
        assert_eq!(state, new);
        ops.iter().rev().for_each(|op| op.inverse().apply(&mut state).unwrap());
        assert_eq!(state, old);
    }

    #[test]
    fn an_equal_state_gives_no_op() {
        let state = json::read(r#"{"a":[1,{"b":2}]}"#).unwrap();
        assert!(diff(&state, &json::read(&json::write(&state)).unwrap()).is_empty());
    }
}
