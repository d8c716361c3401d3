//! Hand edits of a state: absolute changes that are applied after everything else on a page.
//!
//! An override states the value of a path, not a change of it, so it survives when the page or the
//! floors above are edited and recomputed. Inside a list it refers to single items ([`items`]).

pub mod items;

mod anchors;
#[cfg(test)]
mod list_tests;
mod pairs;

use std::collections::HashSet;

use storeyline_state::object::array_index;
use storeyline_state::op::{self, OpError};
use storeyline_state::{Change, Object, Op, Ops, StatePath, Step, Value};

use items::ItemEdit;

/// The value of a path, whatever was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Override {
    Set {
        /// Empty for the whole state.
        path: Vec<Step>,
        value: Value,
        /// Position among its siblings, if it has to be created.
        at: usize,
    },
    /// Nothing is at the path.
    Remove { path: Vec<Step> },
    /// A list that differs in some items.
    Items {
        path: Vec<Step>,
        /// In the order of the list.
        edits: Vec<ItemEdit>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    pub ops: Ops,
    /// Number of item edits whose position was not found.
    pub lost: usize,
}

/// Returns the overrides that turn one state into the other.
pub fn between(computed: &Value, saved: &Value) -> Vec<Override> {
    let mut overrides: Vec<Override> = Vec::new();
    compare(&mut Vec::new(), computed, saved, 0, &mut overrides);
    overrides
}

/// `at` is the position of the saved value among its siblings.
fn compare(path: &mut Vec<Step>, computed: &Value, saved: &Value, at: usize, overrides: &mut Vec<Override>) {
    match (computed, saved) {
        (Value::Object(old), Value::Object(new)) if !old.is_reordered(new) => {
            compare_objects(path, old, new, overrides);
        }
        (Value::List(old), Value::List(new)) => {
            let edits = items::between(old, new);
            if !edits.is_empty() {
                overrides.push(Override::Items { path: path.clone(), edits });
            }
        }
        _ if computed == saved => {}
        _ => overrides.push(Override::Set { path: path.clone(), value: saved.clone(), at }),
    }
}

fn compare_objects(path: &mut Vec<Step>, old: &Object, new: &Object, overrides: &mut Vec<Override>) {
    for (key, value) in old.iter() {
        path.push(Step::Key(key.clone()));
        match new.get(key) {
            Some(next) => compare(path, value, next, new.position(key).unwrap_or(0), overrides),
            None => overrides.push(Override::Remove { path: path.clone() }),
        }
        path.pop();
    }
    for (at, (key, value)) in new.iter().enumerate().filter(|(_, (key, _))| old.get(key).is_none()) {
        let path = [&path[..], &[Step::Key(key.clone())]].concat();
        overrides.push(Override::Set { path, value: value.clone(), at });
    }
}

impl Override {
    pub fn path(&self) -> &[Step] {
        match self {
            Override::Set { path, .. } | Override::Remove { path } | Override::Items { path, .. } => path,
        }
    }

    /// Returns the number of edits it contains.
    pub(crate) fn len(&self) -> usize {
        match self {
            Override::Items { edits, .. } => edits.len(),
            Override::Set { .. } | Override::Remove { .. } => 1,
        }
    }

    /// Tells whether the path begins with a key.
    fn begins_with(&self, key: &str) -> bool {
        matches!(self.path().first(), Some(Step::Key(first)) if first == key)
    }

    /// Applies the override and returns what changed.
    pub fn apply(&self, state: &mut Value) -> Result<Applied, OpError> {
        let op = match self {
            Override::Set { path, value, .. } if path.is_empty() => {
                let change = Change::Set { old: state.clone(), new: value.clone() };
                (state != value).then(|| Op { path: Vec::new(), change }).inspect(|_| *state = value.clone())
            }
            Override::Set { path, value, at } => set(state, path, value, *at)?,
            Override::Remove { path } => op::unset(state, &keys(path)?)?,
            Override::Items { path, edits } => {
                let Some(Value::List(list)) = state.at(path).cloned() else { return Err(OpError::NoSuchPath) };
                return Ok(items::apply(state, path, &list, edits));
            }
        };
        Ok(Applied { ops: op.into_iter().collect(), lost: 0 })
    }

    /// Parses a list of overrides. A list of the state may have only one override, because each
    /// further one would scan all its items again.
    pub fn all_from_value(value: &Value) -> Option<Vec<Override>> {
        let overrides: Vec<Override> = value.read_list(Override::from_value)?;
        let mut lists = overrides.iter().filter(|one| matches!(one, Override::Items { .. })).map(Override::path);
        let mut known = HashSet::new();
        let once = lists.all(|path| known.insert(path));
        once.then_some(overrides)
    }

    /// Returns the override as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let path = |path: &[Step]| Value::list(path.iter().map(op::step_to_value).collect());
        Value::list(match self {
            Override::Set { path: place, value, at } => vec![path(place), value.clone(), Value::from(*at as i64)],
            Override::Remove { path: place } => vec![path(place)],
            Override::Items { path: place, edits } => {
                vec![path(place), Value::list(edits.iter().map(ItemEdit::to_value).collect())]
            }
        })
    }

    /// Parses the output of [`Override::to_value`].
    pub fn from_value(value: &Value) -> Option<Override> {
        let path = |path: &Value| path.read_list(op::step_from_value);
        match value.as_list()? {
            [place] => Some(Override::Remove { path: path(place)? }),
            [place, edits] => {
                Some(Override::Items { path: path(place)?, edits: edits.read_list(ItemEdit::from_value)? })
            }
            [place, value, at] => {
                Some(Override::Set { path: path(place)?, value: value.clone(), at: at.as_number()?.as_index()? })
            }
            _ => None,
        }
    }
}

fn keys(path: &[Step]) -> Result<StatePath, OpError> {
    StatePath::from_steps(path).map_err(|_| OpError::NoSuchPath)
}

/// Inserts a new key of an existing object at its stored position; anything else is created as
/// `SET` does.
fn set(state: &mut Value, path: &[Step], value: &Value, at: usize) -> Result<Option<Op>, OpError> {
    let (last, parents) = path.split_last().ok_or(OpError::NoSuchPath)?;
    let parent = state.at(parents).and_then(Value::as_object);
    match (parent, last) {
        (Some(object), Step::Key(key)) if object.get(key).is_none() => {
            let change = Change::Insert { new: value.clone(), at: fitting(object, key, at) };
            let op = Op { path: path.to_vec(), change };
            op.apply(state)?;
            Ok(Some(op))
        }
        _ => op::set(state, &keys(path)?, value.clone()),
    }
}

/// Adjusts a position to JavaScript's order: numbers ascending, then the others.
fn fitting(object: &Object, key: &str, at: usize) -> usize {
    const LAST_INDEX: &str = "4294967294";
    match array_index(key) {
        Some(_) => object.position_of_new(key),
        None => at.clamp(object.position_of_new(LAST_INDEX), object.len()),
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn applied(computed: &str, overrides: &[Override]) -> String {
        let mut state = json::read(computed).unwrap();
        let before = state.clone();
        let ops: Vec<Op> = overrides.iter().flat_map(|one| one.apply(&mut state).unwrap().ops).collect();
        let mut again = before;
        ops.iter().for_each(|op| op.apply(&mut again).unwrap());
        assert_eq!(again, state, "the ops lead there");
        json::write(&state)
    }

    #[test]
    fn a_saved_state_is_reached_exactly_and_again_later() {
        let cases = [
            (r#"{"a":1,"b":2}"#, r#"{"a":5,"b":2}"#, r#"{"b":9,"c":1}"#, r#"{"a":5,"b":9,"c":1}"#),
            (r#"{"a":1,"b":2}"#, r#"{"x":0,"a":1,"b":2}"#, r#"{"a":3}"#, r#"{"x":0,"a":3}"#),
            (r#"{"a":1,"b":2}"#, r#"{"b":2}"#, r#"{"a":7,"b":8}"#, r#"{"b":8}"#),
            (r#"{"a":[1,2,3]}"#, r#"{"a":[1,3]}"#, r#"{"a":[0,1,2,3]}"#, r#"{"a":[0,1,3]}"#),
            (
                r#"{"a":{"b":[{"n":1},{"n":2}]}}"#,
                r#"{"a":{"b":[{"n":1},{"n":5}]}}"#,
                r#"{"a":{"b":[{"n":1},{"n":3}]}}"#,
                r#"{"a":{"b":[{"n":1},{"n":5}]}}"#,
            ),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, r#"{"a":1,"b":3}"#, r#"{"b":2,"a":1}"#),
            (r#"{"a":1}"#, r#"{"3":0,"a":1}"#, r#"{"2":1,"4":1,"x":1}"#, r#"{"2":1,"3":0,"4":1,"x":1}"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#, r#"{"a":"text"}"#, r#"{"a":{"b":2}}"#),
        ];
        for (computed, saved, later, wanted) in cases {
            let overrides = between(&json::read(computed).unwrap(), &json::read(saved).unwrap());
            assert_eq!(applied(computed, &overrides), saved);
            assert_eq!(applied(later, &overrides), wanted, "{overrides:?}");
            let stored: Option<Vec<_>> = overrides.iter().map(|one| Override::from_value(&one.to_value())).collect();
            assert_eq!(stored, Some(overrides));
        }
    }
}
