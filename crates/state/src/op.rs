//! Ops: changes of a state with old and new value, so that they can be applied elsewhere, undone
//! and shown.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::json::MAX_DEPTH;
use crate::list::List;
use crate::object::{Object, array_index};
use crate::path::{self, StatePath};
use crate::spot::Spot;
use crate::value::{Text, Value, edit};

/// One step of a resolved path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    Key(Text),
    Index(usize),
}

impl Step {
    /// Returns the key, or the index as a key.
    pub fn to_key(&self) -> Text {
        match self {
            Step::Key(key) => key.clone(),
            Step::Index(index) => index.to_string().into(),
        }
    }
}

/// The ops of one call. Most calls make one op, which is stored inline.
pub type Ops = SmallVec<[Op; 1]>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Op {
    /// Empty for the whole state.
    pub path: Vec<Step>,
    pub change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    Set {
        old: Value,
        new: Value,
    },
    /// A key or an item was added.
    Insert {
        new: Value,
        /// Position among its siblings.
        at: usize,
    },
    /// A key or an item was removed; later items of a list move up.
    Remove {
        old: Value,
        /// Position among its siblings.
        at: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// A step leads through a text or a number, or to a missing key.
    #[error("the path does not exist")]
    NoSuchPath,
    #[error("nested too deeply")]
    TooDeep,
    /// The index is past the end of the list, or the list would be too long.
    #[error("the list has no such place")]
    NoSuchIndex,
}

impl Op {
    /// Returns the op that undoes this one.
    pub fn inverse(&self) -> Op {
        let change = match &self.change {
            Change::Set { old, new } => Change::Set { old: new.clone(), new: old.clone() },
            Change::Insert { new, at } => Change::Remove { old: new.clone(), at: *at },
            Change::Remove { old, at } => Change::Insert { new: old.clone(), at: *at },
        };
        Op { path: self.path.clone(), change }
    }

    pub fn apply(&self, state: &mut Value) -> Result<(), OpError> {
        let Some((last, parents)) = self.path.split_last() else {
            if let Change::Set { new, .. } | Change::Insert { new, .. } = &self.change {
                *state = new.clone();
                return Ok(());
            }
            return Err(OpError::NoSuchPath);
        };
        let parent = walk(state, parents)?;
        match (parent, last) {
            (Value::Object(object), Step::Key(key)) => apply_to_object(edit(object), key, &self.change),
            (Value::List(items), Step::Index(index)) => apply_to_list(edit(items), *index, &self.change),
            _ => Err(OpError::NoSuchPath),
        }
    }
}

fn walk<'a>(state: &'a mut Value, steps: &[Step]) -> Result<&'a mut Value, OpError> {
    let mut value = state;
    for step in steps {
        value = match (value, step) {
            (Value::Object(object), Step::Key(key)) => edit(object).get_mut(key),
            (Value::List(items), Step::Index(index)) => edit(items).get_mut(*index),
            _ => None,
        }
        .ok_or(OpError::NoSuchPath)?;
    }
    Ok(value)
}

fn apply_to_object(object: &mut Object, key: &Text, change: &Change) -> Result<(), OpError> {
    match change {
        Change::Set { new, .. } => *object.get_mut(key).ok_or(OpError::NoSuchPath)? = new.clone(),
        Change::Insert { new, at } => object.insert_at(*at, key.clone(), new.clone()),
        Change::Remove { .. } => {
            object.remove(key).ok_or(OpError::NoSuchPath)?;
        }
    }
    Ok(())
}

fn apply_to_list(items: &mut List, index: usize, change: &Change) -> Result<(), OpError> {
    match change {
        Change::Set { new, .. } => *items.get_mut(index).ok_or(OpError::NoSuchPath)? = new.clone(),
        Change::Insert { new, .. } if index <= items.len() => items.insert(index, new.clone()),
        Change::Remove { .. } if index < items.len() => {
            items.remove(index);
        }
        _ => return Err(OpError::NoSuchIndex),
    }
    Ok(())
}

/// Writes a value at a path and creates missing containers as lodash's `set` does: a list if the
/// next key is an index, else an object. A text or number on the path is replaced.
///
/// Returns the op, or `None` if the value was already there.
pub fn set(state: &mut Value, path: &StatePath, new: Value) -> Result<Option<Op>, OpError> {
    let mut keys = path.resolved(state);
    let mut here: &Value = state;
    let mut steps = Vec::with_capacity(keys.len());
    while let Some(key) = keys.next() {
        let Some((step, next)) = path::step(here, key) else {
            if steps.len() + 1 + keys.len() + new.depth() > MAX_DEPTH {
                return Err(OpError::TooDeep);
            }
            let op = creation(here, steps, key, keys, new)?;
            op.apply(state)?;
            return Ok(Some(op));
        };
        steps.push(step);
        here = next;
    }
    Spot::at(steps, here.clone()).set(state, new)
}

/// Returns the op that creates a value under the first missing key.
fn creation<'a>(
    here: &Value,
    mut steps: Vec<Step>,
    first: &'a str,
    rest: impl DoubleEndedIterator<Item = &'a str>,
    new: Value,
) -> Result<Op, OpError> {
    let (step, at) = match here {
        Value::Object(object) => (Step::Key(first.into()), object.position_of_new(first)),
        Value::List(items) => {
            let at = array_index(first).ok_or(OpError::NoSuchPath)? as usize;
            if at != items.len() {
                return Err(OpError::NoSuchIndex);
            }
            (Step::Index(at), at)
        }
        leaf => {
            let new = build([first].into_iter().chain(rest), new);
            return Ok(Op { path: steps, change: Change::Set { old: leaf.clone(), new } });
        }
    };
    steps.push(step);
    Ok(Op { path: steps, change: Change::Insert { new: build(rest, new), at } })
}

/// Wraps a value in the containers that the keys require.
pub(crate) fn build<'a>(keys: impl DoubleEndedIterator<Item = &'a str>, value: Value) -> Value {
    keys.rev().fold(value, |inner, key| {
        if array_index(key) == Some(0) {
            Value::list(vec![inner])
        } else {
            Value::object([(key.into(), inner)].into_iter().collect())
        }
    })
}

/// Appends an item to the list at a path.
pub fn append(state: &mut Value, path: &StatePath, item: Value) -> Result<Op, OpError> {
    let spot = Spot::find(state, path).ok_or(OpError::NoSuchPath)?;
    let end = spot.value().as_list().ok_or(OpError::NoSuchPath)?.len();
    spot.insert(state, end, item)
}

/// Inserts an item into the list at a path; later items move down.
pub fn insert_item(state: &mut Value, path: &StatePath, at: usize, item: Value) -> Result<Op, OpError> {
    Spot::find(state, path).ok_or(OpError::NoSuchPath)?.insert(state, at, item)
}

/// Removes the value at a path; later items of a list move up. Returns `None` if there is no value.
pub fn unset(state: &mut Value, path: &StatePath) -> Result<Option<Op>, OpError> {
    Spot::find(state, path).map(|spot| spot.remove(state)).transpose()
}

/// Converts an op to a JSON value for storing.
pub fn to_value(op: &Op) -> Value {
    let path = Value::list(op.path.iter().map(step_to_value).collect());
    let at = |at: usize| Value::from(at as i64);
    Value::list(match &op.change {
        Change::Set { old, new } => vec!["set".into(), path, old.clone(), new.clone()],
        Change::Insert { new, at: place } => vec!["insert".into(), path, new.clone(), at(*place)],
        Change::Remove { old, at: place } => vec!["remove".into(), path, old.clone(), at(*place)],
    })
}

/// Converts a step to a JSON value for storing.
pub fn step_to_value(step: &Step) -> Value {
    match step {
        Step::Key(key) => Value::Text(key.clone()),
        Step::Index(index) => Value::from(*index as i64),
    }
}

/// Parses the output of [`to_value`].
pub fn from_value(value: &Value) -> Option<Op> {
    let [kind, path, first, second] = value.as_list()? else {
        return None;
    };
    let path = path.read_list(step_from_value)?;
    let change = match kind.as_text()? {
        "set" => Change::Set { old: first.clone(), new: second.clone() },
        "insert" => Change::Insert { new: first.clone(), at: second.as_number()?.as_index()? },
        "remove" => Change::Remove { old: first.clone(), at: second.as_number()?.as_index()? },
        _ => return None,
    };
    Some(Op { path, change })
}

/// Parses the output of [`step_to_value`].
pub fn step_from_value(value: &Value) -> Option<Step> {
    match value {
        Value::Text(key) => Some(Step::Key(key.as_str().into())),
        Value::Number(index) => index.as_index().map(Step::Index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn after_set(state: &str, path: &str, value: &str) -> Result<String, OpError> {
        let mut state = json::read(state).unwrap();
        let before = state.clone();
        let op = set(&mut state, &path.parse().unwrap(), json::read(value).unwrap())?;
        if let Some(op) = op {
            let mut back = state.clone();
            op.inverse().apply(&mut back).unwrap();
            assert_eq!(back, before, "undone");
            assert_eq!(from_value(&to_value(&op)), Some(op));
        }
        Ok(json::write(&state))
    }

    #[test]
    fn set_creates_what_is_missing() {
        let cases = [
            ("{}", "角色.金币", "5", r#"{"角色":{"金币":5}}"#),
            ("{}", "a[0].b", "1", r#"{"a":[{"b":1}]}"#),
            (r#"{"a":[1]}"#, "a[1]", "2", r#"{"a":[1,2]}"#),
            (r#"{"a":"text"}"#, "a.b", "1", r#"{"a":{"b":1}}"#),
            (r#"{"b":1,"3":1}"#, "2", "0", r#"{"2":0,"3":1,"b":1}"#),
            (r#"{"a":1}"#, "a", "1", r#"{"a":1}"#),
        ];
        for (state, path, value, wanted) in cases {
            assert_eq!(after_set(state, path, value).unwrap(), wanted, "{path}");
        }
    }

    #[test]
    fn set_refuses_holes_and_names_in_lists() {
        assert_eq!(after_set(r#"{"a":[]}"#, "a[5]", "1"), Err(OpError::NoSuchIndex));
        assert_eq!(after_set(r#"{"a":[]}"#, "a.name", "1"), Err(OpError::NoSuchPath));
    }

    #[test]
    fn unset_closes_gaps_and_can_be_undone() {
        for (state, path, wanted) in [
            (r#"{"a":1,"b":2,"c":3}"#, "b", r#"{"a":1,"c":3}"#),
            (r#"{"a":[1,2,3]}"#, "a[1]", r#"{"a":[1,3]}"#),
            (r#"{"a":1}"#, "x.y", r#"{"a":1}"#),
        ] {
            let before = json::read(state).unwrap();
            let mut value = before.clone();
            if let Some(op) = unset(&mut value, &path.parse().unwrap()).unwrap() {
                let mut back = value.clone();
                op.inverse().apply(&mut back).unwrap();
                assert_eq!(back, before);
            }
            assert_eq!(json::write(&value), wanted);
        }
    }
}
