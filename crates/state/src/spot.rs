//! A resolved position in a state: found once, then read or written.
//!
//! In: a state and a path. Out: the value there, and the op of a write. The steps taken to find the
//! position become the path of the op.

use crate::json::MAX_DEPTH;
use crate::op::{self, Change, Op, OpError, Step};
use crate::path::{self, StatePath};
use crate::value::Value;

/// A position and its value. It is valid only for the state in which it was found.
#[derive(Debug, Clone)]
pub struct Spot {
    steps: Vec<Step>,
    value: Value,
}

impl Spot {
    /// Resolves a path. Returns `None` if nothing is there.
    pub fn find(state: &Value, path: &StatePath) -> Option<Spot> {
        let mut value = state;
        let keys = path.resolved(state);
        // One spare element, for an item of the list that is added or changed.
        let mut steps = Vec::with_capacity(keys.len() + 1);
        for key in keys {
            let (step, child) = path::step(value, key)?;
            steps.push(step);
            value = child;
        }
        Some(Spot::at(steps, value.clone()))
    }

    pub(crate) fn at(steps: Vec<Step>, value: Value) -> Spot {
        Spot { steps, value }
    }

    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the position of an item of the list at this position.
    pub fn item(mut self, index: usize) -> Option<Spot> {
        let item = self.value.as_list()?.get(index)?.clone();
        self.steps.push(Step::Index(index));
        Some(Spot { value: item, ..self })
    }

    /// Replaces the value. Returns the op, or `None` if it was equal already.
    pub fn set(self, state: &mut Value, new: Value) -> Result<Option<Op>, OpError> {
        if self.steps.len() + new.depth() > MAX_DEPTH {
            return Err(OpError::TooDeep);
        }
        if self.value == new {
            return Ok(None);
        }
        applied(state, Op { path: self.steps, change: Change::Set { old: self.value, new } }).map(Some)
    }

    /// Sets a key of the object at this position. `null` becomes the container that the key
    /// requires.
    ///
    /// Returns the op, or `None` if the value was equal already.
    pub fn put(mut self, state: &mut Value, key: &str, new: Value) -> Result<Option<Op>, OpError> {
        if let Value::Null = self.value {
            return self.set(state, op::build([key].into_iter(), new));
        }
        let object = self.value.as_object().ok_or(OpError::NoSuchPath)?;
        if let Some((own, old)) = object.entry(key) {
            self.steps.push(Step::Key(own.clone()));
            return Spot::at(self.steps, old.clone()).set(state, new);
        }
        let at = object.position_of_new(key);
        let Spot { mut steps, value } = self;
        // Drops our reference first, so that the object has one owner and is not copied.
        drop(value);
        if steps.len() + 1 + new.depth() > MAX_DEPTH {
            return Err(OpError::TooDeep);
        }
        steps.push(Step::Key(key.into()));
        applied(state, Op { path: steps, change: Change::Insert { new, at } }).map(Some)
    }

    /// Inserts an item into the list at this position; later items move down.
    pub fn insert(self, state: &mut Value, at: usize, item: Value) -> Result<Op, OpError> {
        let length = self.value.as_list().ok_or(OpError::NoSuchPath)?.len();
        if at > length {
            return Err(OpError::NoSuchIndex);
        }
        let Spot { mut steps, value } = self;
        // Drops our reference first, so that the list has one owner and is not copied.
        drop(value);
        if steps.len() + 1 + item.depth() > MAX_DEPTH {
            return Err(OpError::TooDeep);
        }
        steps.push(Step::Index(at));
        applied(state, Op { path: steps, change: Change::Insert { new: item, at } })
    }

    /// Removes the value; later items of a list move up.
    pub fn remove(self, state: &mut Value) -> Result<Op, OpError> {
        let (last, parents) = self.steps.split_last().ok_or(OpError::NoSuchPath)?;
        let at = match last {
            Step::Index(index) => *index,
            Step::Key(key) => {
                let parent = state.at(parents).and_then(Value::as_object);
                parent.and_then(|object| object.position(key)).ok_or(OpError::NoSuchPath)?
            }
        };
        applied(state, Op { path: self.steps, change: Change::Remove { old: self.value, at } })
    }
}

fn applied(state: &mut Value, op: Op) -> Result<Op, OpError> {
    op.apply(state)?;
    Ok(op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn an_item_under_a_literal_key_is_found_and_written() {
        let mut state = json::read(r#"{"a.b":[1,"why"]}"#).unwrap();
        let spot = Spot::find(&state, &"a.b".parse().unwrap()).unwrap().item(0).unwrap();
        assert_eq!(spot.value(), &Value::from(1));
        assert_eq!(spot.clone().set(&mut state, 1.into()), Ok(None));
        let op = spot.set(&mut state, 2.into()).unwrap().unwrap();
        assert_eq!(json::write(&state), r#"{"a.b":[2,"why"]}"#);
        assert_eq!(op.path, [Step::Key("a.b".into()), Step::Index(0)]);
    }

    #[test]
    fn an_item_is_added_to_a_list_that_is_not_copied() {
        let mut state = json::read(r#"{"l":[1]}"#).unwrap();
        let path = "l".parse().unwrap();
        let list = |state: &Value| state.get("l").and_then(Value::as_list).unwrap().len();
        for end in 1..4 {
            Spot::find(&state, &path).unwrap().insert(&mut state, end, Value::Null).unwrap();
            assert_eq!(list(&state), end + 1);
        }
        let far = Spot::find(&state, &path).unwrap().insert(&mut state, 9, Value::Null);
        assert_eq!(far, Err(OpError::NoSuchIndex));
        assert!(Spot::find(&state, &"l[9]".parse().unwrap()).is_none());
    }
}
