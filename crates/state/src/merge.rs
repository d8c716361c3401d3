//! Three-way merge of states: combines what two sides made of a common base.
//!
//! A change of one side is taken, an equal change of both sides once. Different changes of the same
//! path are a conflict: ours stays, and the path is listed. Shared parts are skipped by pointer.
//! What the sides are (branches, clients) is not known here.
//!
//! - **Objects** are merged key by key; removing a key that the other side changed is a conflict. Keys
//!   are in our order, or in theirs if only they changed it; the keys that only the other side has
//!   follow at the end, as JavaScript would add them.
//! - **Lists** are compared with the base item by item. Ranges that one side replaced are taken;
//!   items that both inserted at the same index, most often at the end, are all taken, ours before
//!   theirs, equal ones once; a range that both replaced by the same number of items is merged item
//!   by item. Anything else is a conflict of the whole list, because items cannot be matched.

use std::collections::HashMap;
use std::ops::Range;

use crate::align::{Hunk, hunks};
use crate::id::StateHash;
use crate::object::Object;
use crate::op::Step;
use crate::value::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The merged state; in a conflict it has our value.
    pub state: Value,
    /// Paths that both sides changed differently, in the order of the result.
    pub conflicts: Vec<Conflict>,
}

/// A path that both sides changed differently. `None` means that the path does not exist on that
/// side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub path: Vec<Step>,
    pub base: Option<Value>,
    /// Our value, which is in the merged state.
    pub ours: Option<Value>,
    pub theirs: Option<Value>,
}

pub fn merge(base: &Value, ours: &Value, theirs: &Value) -> Merged {
    let mut merger = Merger { path: Vec::new(), conflicts: Vec::new() };
    let state = merger.value(Some(base), Some(ours), Some(theirs)).expect("no side removed the whole state");
    Merged { state, conflicts: merger.conflicts }
}

struct Merger {
    path: Vec<Step>,
    conflicts: Vec<Conflict>,
}

impl Merger {
    fn value(&mut self, base: Option<&Value>, ours: Option<&Value>, theirs: Option<&Value>) -> Option<Value> {
        if ours == theirs || theirs == base {
            return ours.cloned();
        }
        if ours == base {
            return theirs.cloned();
        }
        let nothing = Object::default();
        match (base, ours, theirs) {
            (Some(Value::Object(base)), Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
                Some(self.objects(base, ours, theirs))
            }
            // Both created an object where there was nothing.
            (None, Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
                Some(self.objects(&nothing, ours, theirs))
            }
            (Some(Value::List(was)), Some(Value::List(own)), Some(Value::List(other))) => {
                let merged = self.lists(was, own, other);
                merged.or_else(|| self.conflict(base.cloned(), ours.cloned(), theirs.cloned()))
            }
            _ => self.conflict(base.cloned(), ours.cloned(), theirs.cloned()),
        }
    }

    fn conflict(&mut self, base: Option<Value>, ours: Option<Value>, theirs: Option<Value>) -> Option<Value> {
        self.conflicts.push(Conflict { path: self.path.clone(), base, ours: ours.clone(), theirs });
        ours
    }

    fn at(&mut self, step: Step, base: Option<&Value>, ours: Option<&Value>, theirs: Option<&Value>) -> Option<Value> {
        self.path.push(step);
        let merged = self.value(base, ours, theirs);
        self.path.pop();
        merged
    }

    fn objects(&mut self, base: &Object, ours: &Object, theirs: &Object) -> Value {
        let theirs_lead = base.is_reordered(theirs) && !base.is_reordered(ours);
        let (first, second) = if theirs_lead { (theirs, ours) } else { (ours, theirs) };
        let mut merged = Object::default();
        let more = second.iter().filter(|(key, _)| first.get(key).is_none());
        for (key, _) in first.iter().chain(more) {
            let value = self.at(Step::Key(key.clone()), base.get(key), ours.get(key), theirs.get(key));
            if let Some(value) = value {
                merged.insert(key.clone(), value);
            }
        }
        Value::object(merged)
    }

    /// Returns `None` if the changes of the two sides cannot be separated.
    fn lists(&mut self, base: &[Value], ours: &[Value], theirs: &[Value]) -> Option<Value> {
        let conflicts = self.conflicts.len();
        let mut merged = Vec::with_capacity(ours.len());
        let mut done = 0;
        for region in regions(hunks(base, ours), hunks(base, theirs)) {
            merged.extend_from_slice(&base[done..region.base.start]);
            done = region.base.end;
            let sides = [&base[region.base], &ours[region.ours], &theirs[region.theirs]];
            if self.region(sides, &mut merged).is_none() {
                self.conflicts.truncate(conflicts);
                return None;
            }
        }
        merged.extend_from_slice(&base[done..]);
        Some(Value::list(merged))
    }

    fn region(&mut self, [base, ours, theirs]: [&[Value]; 3], merged: &mut Vec<Value>) -> Option<()> {
        if theirs == base || theirs == ours {
            merged.extend_from_slice(ours);
        } else if ours == base {
            merged.extend_from_slice(theirs);
        } else if base.is_empty() {
            merged.extend_from_slice(ours);
            merged.extend(without(theirs, ours));
        } else if ours.len() == base.len() && theirs.len() == base.len() {
            for ((base, ours), theirs) in base.iter().zip(ours).zip(theirs) {
                let item = self.at(Step::Index(merged.len()), Some(base), Some(ours), Some(theirs));
                merged.push(item.expect("no side removed an item"));
            }
        } else {
            return None;
        }
        Some(())
    }
}

/// A range of the base that at least one side changed, and the matching range of each side.
struct Region {
    base: Range<usize>,
    ours: Range<usize>,
    theirs: Range<usize>,
}

/// Joins the hunks of both sides that overlap in the base or insert at the same index.
fn regions(ours: Vec<Hunk>, theirs: Vec<Hunk>) -> Vec<Region> {
    let mut all: Vec<(bool, Hunk)> = ours.into_iter().map(|hunk| (true, hunk)).collect();
    all.extend(theirs.into_iter().map(|hunk| (false, hunk)));
    all.sort_by_key(|(_, hunk)| (hunk.old.start, hunk.old.end));
    let mut regions: Vec<Region> = Vec::new();
    // How far each side is ahead of the base after the hunks seen so far.
    let mut shifts = [0isize; 2];
    for (is_ours, hunk) in all {
        let moved = |at: usize, shift: isize| (at as isize + shift) as usize;
        let begin = [moved(hunk.old.start, shifts[0]), moved(hunk.old.start, shifts[1])];
        shifts[usize::from(!is_ours)] += hunk.new.len() as isize - hunk.old.len() as isize;
        let joins = regions.last().is_some_and(|last| last.base.end > hunk.old.start || last.base == hunk.old);
        if !joins {
            let (ours, theirs) = (begin[0]..begin[0], begin[1]..begin[1]);
            regions.push(Region { base: hunk.old.clone(), ours, theirs });
        }
        let region = regions.last_mut().expect("one was pushed");
        region.base.end = region.base.end.max(hunk.old.end);
        region.ours.end = moved(region.base.end, shifts[0]);
        region.theirs.end = moved(region.base.end, shifts[1]);
    }
    regions
}

/// Returns the items that are not in `others`. Each item of `others` cancels one equal item.
fn without(items: &[Value], others: &[Value]) -> Vec<Value> {
    // The hash only narrows the search: equality is decided by the values.
    let mut known: HashMap<StateHash, Vec<&Value>> = HashMap::new();
    for other in others {
        known.entry(other.hash()).or_default().push(other);
    }
    let is_new = |item: &&Value| {
        let alike = known.get_mut(&item.hash());
        let same = alike.and_then(|alike| alike.iter().position(|other| other == item).map(|at| alike.swap_remove(at)));
        same.is_none()
    };
    items.iter().filter(is_new).cloned().collect()
}

#[cfg(test)]
mod tests {

    use proptest::prelude::*;

    use super::*;
    use crate::{json, op};

    /// Returns the merged state and the paths of its conflicts.
    fn merged(base: &str, ours: &str, theirs: &str) -> (String, Vec<String>) {
        let read = |text| json::read(text).unwrap();
        let merged = merge(&read(base), &read(ours), &read(theirs));
        (json::write(&merged.state), paths(&merged))
    }

    fn paths(merged: &Merged) -> Vec<String> {
        let step = |step: &Step| match step {
            Step::Key(key) => format!("/{key}"),
            Step::Index(index) => format!("/{index}"),
        };
        let mut paths: Vec<String> =
            merged.conflicts.iter().map(|conflict| conflict.path.iter().map(step).collect()).collect();
        paths.sort();
        paths
    }

    #[test]
    fn changes_of_both_sides_are_taken() {
        let cases = [
            // base, ours, theirs, result, conflicts
            (r#"{"a":1,"b":1}"#, r#"{"a":2,"b":1}"#, r#"{"a":1,"b":2}"#, r#"{"a":2,"b":2}"#, ""),
            (r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#, r#"{"a":2}"#, "/a"),
            (r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":2}"#, r#"{"a":2}"#, ""),
            (r#"{"a":1}"#, r#"{"a":1,"x":1}"#, r#"{"a":1,"y":2}"#, r#"{"a":1,"x":1,"y":2}"#, ""),
            (r#"{"a":{"b":1}}"#, "{}", r#"{"a":{"b":2}}"#, "{}", "/a"),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#, "{}", r#"{"a":{"b":2}}"#, "/a"),
            (r#"{"a":1,"b":2}"#, r#"{"b":2}"#, r#"{"a":1}"#, "{}", ""),
            ("{}", r#"{"n":{"x":1,"z":1}}"#, r#"{"n":{"y":1,"z":2}}"#, r#"{"n":{"x":1,"z":1,"y":1}}"#, "/n/z"),
            (r#"{"a":1}"#, r#"{"a":{"x":1}}"#, r#"{"a":{"y":1}}"#, r#"{"a":{"x":1}}"#, "/a"),
            (r#"{"a":1,"b":2}"#, r#"{"a":5,"b":2}"#, r#"{"b":2,"a":1}"#, r#"{"b":2,"a":5}"#, ""),
            (
                r#"{"2":0,"b":0}"#,
                r#"{"2":0,"3":1,"b":0}"#,
                r#"{"1":1,"2":0,"b":0}"#,
                r#"{"1":1,"2":0,"3":1,"b":0}"#,
                "",
            ),
            ("1", "2", "3", "2", ""),
        ];
        for (base, ours, theirs, wanted, conflicts) in cases {
            let conflicts: Vec<&str> = conflicts.split_whitespace().collect();
            let (state, found) = merged(base, ours, theirs);
            assert_eq!(state, wanted);
            if base != "1" {
                assert_eq!(found, conflicts, "{base} {ours} {theirs}");
            }
        }
        assert_eq!(merged("1", "2", "3").1, [""], "the whole state");
    }

    #[test]
    fn lists_keep_what_both_sides_added() {
        let cases = [
            ("[1]", "[1,2]", "[1,3]", "[1,2,3]", 0),
            ("[1]", "[1,2,4,2]", "[1,4,2,3]", "[1,2,4,2,3]", 0),
            ("[1]", "[1,2]", "[1,2,2]", "[1,2,2]", 0),
            ("[1]", "[0,1]", "[1,2]", "[0,1,2]", 0),
            ("[1,2,3]", "[2,3]", "[1,2,3,4]", "[2,3,4]", 0),
            ("[1,2,3]", "[1,9,3]", "[1,2,3,4]", "[1,9,3,4]", 0),
            ("[1,2,3]", "[1,2]", "[9,2,3]", "[9,2]", 0),
            ("[1,2,3]", "[7,2,8]", "[1,6,3]", "[7,6,8]", 0),
            ("[1,2,3]", "[7,2,3]", "[8,2,3]", "[7,2,3]", 1),
            ("[1,2,3]", "[]", "[1,9,3]", "[]", 1),
            ("[1,2,3]", "[0,1,2,3,4]", "[1,3]", "[0,1,3,4]", 0),
            ("[1,2,3,4,5]", "[9,2,3,5]", "[1,2,8,3,4,5,6]", "[9,2,8,3,5,6]", 0),
            ("[1,2]", "[2]", "[1]", "[]", 0),
            ("[1,2,3,4]", "[1,2,3]", "[9,2,3,5,6]", "[1,2,3]", 1),
            ("[1,2,3]", "[0,1,7,3]", "[1,8,3]", "[0,1,7,3]", 1),
            (r#"[{"n":1,"m":1}]"#, r#"[{"n":2,"m":1}]"#, r#"[{"n":1,"m":2}]"#, r#"[{"n":2,"m":2}]"#, 0),
        ];
        for (base, ours, theirs, wanted, conflicts) in cases {
            let (state, found) = merged(base, ours, theirs);
            assert_eq!((state.as_str(), found.len()), (wanted, conflicts), "{base} {ours} {theirs}");
        }
    }

    #[test]
    fn a_conflict_names_all_three_values() {
        let read = |text| json::read(text).unwrap();
        let merged = merge(&read(r#"{"a":[1]}"#), &read("{}"), &read(r#"{"a":[2]}"#));
        let wanted = Conflict {
            path: vec![Step::Key("a".into())],
            base: Some(read("[1]")),
            ours: None,
            theirs: Some(read("[2]")),
        };
        assert_eq!(merged.conflicts, [wanted]);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(Value::Null), (0i64..3).prop_map(Value::from), "[ab]".prop_map(Value::text)];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
                prop::collection::vec(("[a-c1]", inner), 0..4).prop_map(|entries| {
                    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
                }),
            ]
        })
    }

    /// A few writes, so that sides have much in common with their base.
    fn edits() -> impl Strategy<Value = Vec<(String, Option<Value>)>> {
        prop::collection::vec(("[a-c1](\\.[a-c01]){0,2}", prop::option::weighted(0.8, any_value())), 0..4)
    }

    fn edited(base: &Value, edits: &[(String, Option<Value>)]) -> Value {
        let mut state = base.clone();
        for (path, value) in edits {
            let path = path.parse().unwrap();
            // A write that does not apply changes nothing.
            let _ = match value {
                Some(value) => op::set(&mut state, &path, value.clone()),
                None => op::unset(&mut state, &path),
            };
        }
        state
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn one_side_alone_is_taken_whole(base in any_value(), side in any_value()) {
            for (ours, theirs) in [(&side, &base), (&base, &side), (&side, &side)] {
                prop_assert_eq!(merge(&base, ours, theirs), Merged { state: side.clone(), conflicts: Vec::new() });
            }
        }

        #[test]
        fn both_sides_see_the_same_conflicts(base in any_value(), one in edits(), two in edits()) {
            let (one, two) = (edited(&base, &one), edited(&base, &two));
            let (there, back) = (merge(&base, &one, &two), merge(&base, &two, &one));
            prop_assert_eq!(paths(&there), paths(&back));
            prop_assert!(there.state.depth() <= one.depth().max(two.depth()));
            // Merging the result into the other side again must not change it.
            let again = merge(&two, &there.state, &two);
            prop_assert_eq!(again, Merged { state: there.state, conflicts: Vec::new() });
        }

        #[test]
        fn edits_of_different_keys_commute(base in any_value(), one in any_value(), two in any_value(), three in any_value()) {
            let object = |x: &Value, y: &Value| {
                let entries = [("x", x), ("y", y), ("z", &three)];
                Value::object(entries.into_iter().map(|(key, value)| (key.into(), value.clone())).collect())
            };
            let start = object(&base, &base);
            let (left, right) = (object(&one, &base), object(&base, &two));
            let wanted = Merged { state: object(&one, &two), conflicts: Vec::new() };
            prop_assert_eq!(&merge(&start, &left, &right), &wanted);
            prop_assert_eq!(&merge(&start, &right, &left), &wanted);
        }
    }
}
