//! Hand edits of a state: absolute changes that are applied after everything else on a page.
//!
//! An override says what a place *is*, not how it changes, so it survives when the page or the
//! floors above are edited and computed again.

use storeyline_state::diff::diff;
use storeyline_state::object::array_index;
use storeyline_state::op::{self, OpError};
use storeyline_state::{Change, Object, Op, StatePath, Step, Value};

/// What a place is, whatever was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Override {
    /// It is this.
    Set {
        /// Where; empty means the whole state.
        path: Vec<Step>,
        /// What.
        value: Value,
        /// Its place among its siblings, if it has to be made.
        at: usize,
    },
    /// It is not there.
    Remove {
        /// Where.
        path: Vec<Step>,
    },
}

/// Returns what makes one state of another.
pub fn between(computed: &Value, saved: &Value) -> Vec<Override> {
    let mut overrides: Vec<Override> = Vec::new();
    for op in diff(computed, saved) {
        // Indexes mean something else when items come or go: then the list as a whole is said.
        let list = op.path.iter().position(|step| matches!(step, Step::Index(_)));
        let path = list.map_or(&op.path[..], |list| &op.path[..list]);
        if overrides.last().is_some_and(|last| last.path() == path && list.is_some()) {
            continue;
        }
        let path = path.to_vec();
        overrides.push(match get(saved, &path) {
            Some(value) => Override::Set { at: place(saved, &path), value: value.clone(), path },
            None => Override::Remove { path },
        });
    }
    overrides
}

/// The place of a key among its siblings.
fn place(state: &Value, path: &[Step]) -> usize {
    let Some((Step::Key(key), parents)) = path.split_last() else { return 0 };
    get(state, parents).and_then(Value::as_object).and_then(|object| object.position(key)).unwrap_or(0)
}

fn get<'a>(state: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(state, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}

/// Puts later overrides on top of earlier ones: a place that is said again is said once.
pub fn joined(earlier: &[Override], later: Vec<Override>) -> Vec<Override> {
    let hidden = |own: &Override| later.iter().any(|new| own.path().starts_with(new.path()));
    let mut kept: Vec<Override> = earlier.iter().filter(|own| !hidden(own)).cloned().collect();
    kept.extend(later);
    kept
}

impl Override {
    /// Returns the place.
    pub fn path(&self) -> &[Step] {
        match self {
            Override::Set { path, .. } | Override::Remove { path } => path,
        }
    }

    /// Makes the place what it is said to be; returns what that changed.
    pub fn apply(&self, state: &mut Value) -> Result<Option<Op>, OpError> {
        match self {
            Override::Set { path, value, .. } if path.is_empty() => {
                if state == value {
                    return Ok(None);
                }
                let op = Op { path: Vec::new(), change: Change::Set { old: state.clone(), new: value.clone() } };
                op.apply(state)?;
                Ok(Some(op))
            }
            Override::Set { path, value, at } => set(state, path, value, *at),
            Override::Remove { path } => op::unset(state, &keys(path)?),
        }
    }

    /// Returns the override as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let path = |path: &[Step]| Value::list(path.iter().map(op::step_to_value).collect());
        Value::list(match self {
            Override::Set { path: place, value, at } => vec![path(place), value.clone(), Value::from(*at as i64)],
            Override::Remove { path: place } => vec![path(place)],
        })
    }

    /// Reads what [`Override::to_value`] wrote.
    pub fn from_value(value: &Value) -> Option<Override> {
        let path = |path: &Value| path.as_list()?.iter().map(op::step_from_value).collect::<Option<Vec<_>>>();
        match value.as_list()? {
            [place] => Some(Override::Remove { path: path(place)? }),
            [place, value, at] => {
                Some(Override::Set { path: path(place)?, value: value.clone(), at: at.as_number()?.as_index()? })
            }
            _ => None,
        }
    }
}

fn keys(path: &[Step]) -> Result<StatePath, OpError> {
    let keys = path.iter().map(|step| match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string().into(),
    });
    StatePath::from_keys(keys).map_err(|_| OpError::NoSuchPath)
}

/// A new key of an object that is there comes to where it was; anything else is made as `SET` does.
fn set(state: &mut Value, path: &[Step], value: &Value, at: usize) -> Result<Option<Op>, OpError> {
    let (last, parents) = path.split_last().ok_or(OpError::NoSuchPath)?;
    let parent = get(state, parents).and_then(Value::as_object);
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

/// JavaScript's order comes first: numbers ascending, then the others.
fn fitting(object: &Object, key: &str, at: usize) -> usize {
    const LAST_INDEX: &str = "4294967294";
    match array_index(key) {
        Some(_) => object.place_of_new(key),
        None => at.clamp(object.place_of_new(LAST_INDEX), object.len()),
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn applied(computed: &str, overrides: &[Override]) -> String {
        let mut state = json::read(computed).unwrap();
        let before = state.clone();
        let ops: Vec<Op> = overrides.iter().filter_map(|one| one.apply(&mut state).unwrap()).collect();
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
            (r#"{"a":[1,2,3]}"#, r#"{"a":[1,3]}"#, r#"{"a":[4]}"#, r#"{"a":[1,3]}"#),
            (
                r#"{"a":{"b":[{"n":1},{"n":2}]}}"#,
                r#"{"a":{"b":[{"n":1},{"n":5}]}}"#,
                "{}",
                r#"{"a":{"b":[{"n":1},{"n":5}]}}"#,
            ),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, r#"{"a":1,"b":3}"#, r#"{"b":2,"a":1}"#),
            (r#"{"a":1}"#, r#"{"3":0,"a":1}"#, r#"{"2":1,"4":1,"x":1}"#, r#"{"2":1,"3":0,"4":1,"x":1}"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#, r#"{"a":"text"}"#, r#"{"a":{"b":2}}"#),
        ];
        for (computed, saved, later, wanted) in cases {
            let overrides = between(&json::read(computed).unwrap(), &json::read(saved).unwrap());
            assert_eq!(applied(computed, &overrides), saved);
            assert_eq!(applied(saved, &overrides), saved, "once is enough");
            assert_eq!(applied(later, &overrides), wanted, "{overrides:?}");
            let stored: Option<Vec<_>> = overrides.iter().map(|one| Override::from_value(&one.to_value())).collect();
            assert_eq!(stored, Some(overrides));
        }
    }

    #[test]
    fn a_place_that_is_said_again_is_said_once() {
        let [first, second] = [r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#]
            .map(|saved| between(&json::read(r#"{"a":{"b":0}}"#).unwrap(), &json::read(saved).unwrap()));
        assert_eq!(joined(&first, second.clone()), second);
    }
}
