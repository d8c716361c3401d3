//! Order of keys, equality and edits of objects, against a plain vector where the object is wide.

use proptest::prelude::*;

use super::*;
use crate::value::edit;

fn keys(object: &Object) -> Vec<&str> {
    object.iter().map(|(key, _)| &**key).collect()
}

#[test]
fn integer_like_keys_come_first_in_ascending_order() {
    let object: Object =
        ["b", "10", "a", "2", "01", "4294967295"].map(|key| (key.into(), Value::Null)).into_iter().collect();
    assert_eq!(keys(&object), ["2", "10", "b", "a", "01", "4294967295"]);
}

#[test]
fn a_removed_key_can_go_back_to_its_place() {
    let mut object: Object = ["a", "b", "c"].map(|key| (key.into(), Value::Null)).into_iter().collect();
    let (at, value) = object.remove("b").unwrap();
    object.insert_at(at, "b".into(), value);
    assert_eq!(keys(&object), ["a", "b", "c"]);
}

/// Reference implementation: a plain vector of entries.
#[derive(Clone, Default)]
struct Naive(Vec<(String, i64)>);

impl Naive {
    fn insert(&mut self, key: &str, value: i64) {
        if let Some(entry) = self.0.iter_mut().find(|(own, _)| own == key) {
            entry.1 = value;
            return;
        }
        let number = |key: &str| array_index(key);
        let at = match number(key) {
            Some(new) => self.0.iter().take_while(|(own, _)| number(own).is_some_and(|own| own < new)).count(),
            None => self.0.len(),
        };
        self.0.insert(at, (key.to_owned(), value));
    }
}

fn same(value: &Value, naive: &Naive) -> Result<(), TestCaseError> {
    let object = value.as_object().unwrap();
    let own: Vec<(String, Value)> = object.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
    let wanted: Vec<(String, Value)> = naive.0.iter().map(|(key, value)| (key.clone(), (*value).into())).collect();
    prop_assert_eq!(&own, &wanted);
    for (place, (key, value)) in wanted.iter().enumerate() {
        prop_assert_eq!(object.get(key), Some(value));
        prop_assert_eq!(object.position(key), Some(place));
    }
    // A new value has no cached digest, so its hash is computed from scratch.
    let fresh = Value::object(wanted.into_iter().map(|(key, value)| (key.into(), value)).collect());
    prop_assert_eq!(value.hash(), fresh.hash());
    Ok(())
}

#[derive(Debug, Clone)]
enum Act {
    Insert(String, i64),
    Change(String, i64),
    Remove(String),
    PutBack,
    Hash,
    Fork,
    Return,
}

fn act() -> impl Strategy<Value = Act> {
    let key = || prop_oneof![(0..70u32).prop_map(|n| n.to_string()), (0..70u32).prop_map(|n| format!("k{n}"))];
    prop_oneof![
        5 => (key(), 0..9i64).prop_map(|(key, value)| Act::Insert(key, value)),
        3 => (key(), 0..9i64).prop_map(|(key, value)| Act::Change(key, value)),
        2 => key().prop_map(Act::Remove),
        1 => Just(Act::PutBack),
        1 => Just(Act::Hash),
        1 => Just(Act::Fork),
        1 => Just(Act::Return),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_and_trees_do_what_a_naive_row_does(acts in prop::collection::vec(act(), 1..200)) {
        let mut value = Value::empty_object();
        let mut naive = Naive::default();
        let mut removed: Option<(usize, String, Value)> = None;
        let mut fork = (value.clone(), naive.clone());
        for act in acts {
            let Value::Object(shared) = &mut value else { unreachable!() };
            match act {
                Act::Insert(key, number) => {
                    edit(shared).insert(key.as_str().into(), number.into());
                    naive.insert(&key, number);
                    removed = None;
                }
                Act::Change(key, number) => {
                    if let Some(slot) = edit(shared).get_mut(&key) {
                        *slot = number.into();
                        naive.insert(&key, number);
                    }
                    removed = None;
                }
                Act::Remove(key) => {
                    if let Some((at, old)) = edit(shared).remove(&key) {
                        prop_assert_eq!(&naive.0.remove(at).0, &key);
                        removed = Some((at, key, old));
                    }
                }
                Act::PutBack => {
                    if let Some((at, key, old)) = removed.take() {
                        edit(shared).insert_at(at, key.as_str().into(), old.clone());
                        naive.0.insert(at, (key, old.as_number().unwrap().as_i64().unwrap()));
                    }
                }
                Act::Hash => {
                    value.hash();
                }
                Act::Fork => fork = (value.clone(), naive.clone()),
                Act::Return => {
                    (value, naive) = fork.clone();
                    removed = None;
                }
            }
        }
        same(&value, &naive)?;
        same(&fork.0, &fork.1)?;
    }
}

#[test]
fn a_key_goes_back_between_two_neighbours_again_and_again() {
    let mut object: Object = (0..60).map(|n| (format!("k{n}").into(), Value::Null)).collect();
    for n in 0..200 {
        object.insert_at(30, format!("new{n}").into(), Value::Null);
    }
    let keys = keys(&object);
    assert_eq!((keys[29], keys[30], keys[229], keys[230]), ("k29", "new199", "new0", "k30"));
}

#[test]
fn the_hash_of_a_wide_object_follows_its_changes() {
    let mut value = Value::object((0..20_000u32).map(|n| (format!("k{n}").into(), Value::Null)).collect());
    value.hash();
    let Value::Object(shared) = &mut value else { unreachable!() };
    for n in 0..300u32 {
        edit(shared).remove(&format!("k{}", n * 7)).unwrap();
        edit(shared).insert(n.to_string().into(), Value::Null);
    }
    let same = Value::object(value.as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.clone())).collect());
    assert_eq!(value.hash(), same.hash());
}

#[test]
fn changed_entries_of_a_tree_count_and_older_versions_keep_theirs() {
    let mut naive = Naive::default();
    (0..100).for_each(|n| naive.insert(&format!("k{n}"), n));
    let entries = naive.0.iter().map(|(key, value)| (key.as_str().into(), (*value).into()));
    let mut value = Value::object(entries.collect());
    value.hash();
    for round in 0..300i64 {
        // A clone of the state before must not see the change; in every third round there is no
        // clone.
        let before = (round % 3 > 0).then(|| (value.clone(), naive.clone()));
        let Value::Object(shared) = &mut value else { unreachable!() };
        // Some entries are changed again and again.
        let key = format!("k{}", 99 - round * 7 % 38 / (1 + round % 2));
        match round % 10 {
            3 => {
                let (at, old) = edit(shared).remove(&key).unwrap();
                naive.0.remove(at);
                let at = round as usize % 50;
                edit(shared).insert_at(at, key.as_str().into(), old.clone());
                naive.0.insert(at, (key, old.as_number().unwrap().as_i64().unwrap()));
            }
            7 => {
                // Always before the same key, until no rank is left.
                let at = edit(shared).position("k60").unwrap();
                edit(shared).insert_at(at, format!("new{round}").into(), round.into());
                naive.0.insert(at, (format!("new{round}"), round));
            }
            _ => {
                *edit(shared).get_mut(&key).unwrap() = (-round).into();
                naive.insert(&key, -round);
            }
        }
        same(&value, &naive).unwrap();
        before.iter().for_each(|(before, naive)| same(before, naive).unwrap());
    }
}

#[test]
fn integer_like_keys_ascend_whatever_their_number() {
    let object: Object = (0..50_000u32).rev().map(|n| (n.to_string().into(), Value::Null)).collect();
    assert!(keys(&object).into_iter().eq((0..50_000u32).map(|n| n.to_string())));
}
