//! What counts for all calls of a message: the version, the round, the state's flags, short names,
//! and the places that DEL left empty.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use storeyline_state::object::array_index;
use storeyline_state::{StatePath, Value};

use crate::draft::Refusal;
use crate::profile::SamVersion;

/// How many values a message may add that stand in no text.
const MAX_GROWTH: usize = 50_000;

/// The common ground of a message's calls.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(super) version: SamVersion,
    pub(super) round: i64,
    /// `disable_dtype_mutation`: a value keeps its type.
    pub(super) locked: bool,
    /// Version 6: a key that begins with `_` is read-only.
    pub(super) read_only: bool,
    /// `uniquely_identified`: a key that occurs once stands for its path.
    names: HashMap<Arc<str>, Option<StatePath>>,
    holes: RefCell<Vec<Hole>>,
    /// How many values came into the state that no text holds.
    grown: Cell<usize>,
}

/// An item that DEL emptied; the list closes up when the message ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hole {
    pub(super) list: Vec<Arc<str>>,
    pub(super) at: usize,
}

impl Batch {
    /// Reads the flags of a state, and its short names where they are wanted.
    pub(super) fn new(version: SamVersion, round: i64, state: &Value) -> Batch {
        let flag = |key: &str| state.get(key).and_then(Value::as_bool) == Some(true);
        let mut names = HashMap::new();
        if let Some(root) = state.get("static").filter(|_| flag("uniquely_identified")) {
            collect(root, &mut Vec::new(), &mut names);
        }
        Batch {
            version,
            round,
            locked: flag("disable_dtype_mutation"),
            read_only: version == SamVersion::V6,
            names,
            holes: RefCell::new(Vec::new()),
            grown: Cell::new(0),
        }
    }

    /// Makes room for values that stand in no text: nulls that fill a list, copies. A short message
    /// must not make a huge state.
    pub(super) fn grow(&self, values: usize) -> Result<(), Refusal> {
        let grown = self.grown.get().saturating_add(values);
        if grown > MAX_GROWTH {
            return Err(Refusal::new(
                "E-GROWTH",
                "这条消息让状态增大太多，没有执行。",
                "This message makes the state grow too much; nothing was done.",
            ));
        }
        self.grown.set(grown);
        Ok(())
    }

    /// Returns the path that a short name stands for.
    pub(super) fn named(&self, name: &str) -> Option<StatePath> {
        self.names.get(name)?.clone()
    }

    pub(super) fn holes(&self) -> Vec<Hole> {
        self.holes.borrow().clone()
    }

    /// Puts back what [`Batch::holes`] returned: a call that fails changes nothing.
    pub(super) fn restore(&self, holes: Vec<Hole>) {
        *self.holes.borrow_mut() = holes;
    }

    pub(super) fn add_hole(&self, list: Vec<Arc<str>>, at: usize) {
        let hole = Hole { list, at };
        if !self.holes.borrow().contains(&hole) {
            self.holes.borrow_mut().push(hole);
        }
    }

    /// Follows the items of a list that move up because others were taken out; `gone` is in ascending order.
    pub(super) fn items_removed(&self, list: &[Arc<str>], gone: &[usize]) {
        let moved = |hole: Hole| -> Option<Hole> {
            if hole.list == list {
                return Some(Hole { at: place_after(gone, hole.at)?, ..hole });
            }
            Some(Hole { list: after_removal(list, gone, hole.list)?, ..hole })
        };
        let holes = self.holes.take();
        self.restore(holes.into_iter().filter_map(moved).collect());
    }
}

/// Returns where an item stands after others were taken out; nothing if it is one of them.
fn place_after(gone: &[usize], at: usize) -> Option<usize> {
    gone.binary_search(&at).err().map(|before| at - before)
}

/// Returns the keys that lead to the same place after items of a list were taken out; nothing if
/// they led into one of them.
pub(super) fn after_removal(list: &[Arc<str>], gone: &[usize], mut keys: Vec<Arc<str>>) -> Option<Vec<Arc<str>>> {
    if keys.len() <= list.len() || !keys.starts_with(list) {
        return Some(keys);
    }
    let Some(index) = array_index(&keys[list.len()]).map(|index| index as usize) else { return Some(keys) };
    keys[list.len()] = Arc::from(place_after(gone, index)?.to_string());
    Some(keys)
}

/// Notes the path of every key; nothing where a key occurs twice. Lists are not searched.
fn collect(value: &Value, keys: &mut Vec<Arc<str>>, names: &mut HashMap<Arc<str>, Option<StatePath>>) {
    let Value::Object(object) = value else { return };
    for (key, inner) in object.iter() {
        keys.push(key.clone());
        let path = StatePath::from_keys(keys.clone()).ok();
        names.entry(key.clone()).and_modify(|known| *known = None).or_insert(path);
        collect(inner, keys, names);
        keys.pop();
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn a_key_that_occurs_twice_has_no_short_name() {
        let state = json::read(r#"{"uniquely_identified":true,"static":{"a":{"hp":1,"x":2},"b":{"hp":3}}}"#).unwrap();
        let batch = Batch::new(SamVersion::V4_2, 0, &state);
        assert_eq!(batch.named("x").unwrap().source(), "a.x");
        assert_eq!(batch.named("hp"), None);
        assert_eq!(batch.named("y"), None);
    }

    #[test]
    fn holes_follow_their_items() {
        let batch = Batch::new(SamVersion::V4_2, 0, &Value::Null);
        let keys = |text: &str| text.split('.').map(Arc::from).collect::<Vec<Arc<str>>>();
        batch.add_hole(keys("l"), 4);
        batch.add_hole(keys("l"), 1);
        batch.add_hole(keys("l.3.inner"), 7);
        batch.items_removed(&keys("l"), &[1]);
        assert_eq!(batch.holes(), [Hole { list: keys("l"), at: 3 }, Hole { list: keys("l.2.inner"), at: 7 }]);
    }
}
