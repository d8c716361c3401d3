//! Settings and state shared by all calls of a message: the version, the round, the flags of the
//! state, short names, and the items that DEL cleared.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use storeyline_state::{Change, Op, StatePath, Step, Text, Value};

use crate::draft::Refusal;
use crate::growth;
use crate::profile::SamVersion;

#[derive(Debug)]
pub(crate) struct Batch {
    pub(super) version: SamVersion,
    pub(super) round: i64,
    /// `disable_dtype_mutation`: a value keeps its type.
    pub(super) locked: bool,
    /// Version 6: a key that begins with `_` is read-only.
    pub(super) read_only: bool,
    /// `uniquely_identified`: a key that occurs once can be used as its path.
    names: HashMap<Text, Option<StatePath>>,
    holes: RefCell<Vec<Hole>>,
    /// Weight of the values added that are not in the message text.
    grown: Cell<usize>,
}

/// An item that DEL cleared; it is removed when the message ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hole {
    pub(super) list: Vec<Step>,
    pub(super) at: usize,
}

impl Batch {
    /// Reads the flags of a state, and its short names if they are enabled.
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

    /// Adds to the growth of the message, or refuses.
    pub(super) fn grow(&self, by: usize) -> Result<(), Refusal> {
        self.grown.set(growth::grow(self.grown.get(), by)?);
        Ok(())
    }

    /// Returns the path of a short name.
    pub(super) fn named(&self, name: &str) -> Option<StatePath> {
        self.names.get(name)?.clone()
    }

    /// Records an item that DEL cleared.
    pub(super) fn add_hole(&self, list: Vec<Step>, at: usize) {
        let hole = Hole { list, at };
        if !self.holes.borrow().contains(&hole) {
            self.holes.borrow_mut().push(hole);
        }
    }

    /// Returns the cleared items of one list.
    pub(super) fn holes_in(&self, list: &[Step]) -> Vec<usize> {
        self.holes.borrow().iter().filter(|hole| hole.list == list).map(|hole| hole.at).collect()
    }

    /// Returns the cleared items, to restore them when what follows is undone.
    pub(super) fn holes(&self) -> Vec<Hole> {
        self.holes.borrow().clone()
    }

    /// Restores the cleared items.
    pub(super) fn restore_holes(&self, holes: Vec<Hole>) {
        self.holes.replace(holes);
    }

    /// Takes the cleared items.
    pub(super) fn take_holes(&self) -> Vec<Hole> {
        self.holes.take()
    }

    /// Updates the positions of the cleared items after a change of the state: items move, lists
    /// are replaced.
    pub(super) fn follow(&self, ops: &[Op]) {
        for op in ops {
            let [Step::Key(root), path @ ..] = &op.path[..] else { continue };
            if &**root == "static" && !self.holes.borrow().is_empty() {
                self.holes.borrow_mut().retain_mut(|hole| hole.follow(path, &op.change));
            }
        }
    }
}

impl Hole {
    /// Updates the position after a change. Returns false if the item is gone.
    fn follow(&mut self, path: &[Step], change: &Change) -> bool {
        let Some((Step::Index(at), list)) = path.split_last() else { return !self.list.starts_with(path) };
        // The item itself, or a container of it.
        let index = match self.list.strip_prefix(list) {
            None => return true,
            Some([]) => &mut self.at,
            Some(_) => match &mut self.list[list.len()] {
                Step::Index(index) => index,
                Step::Key(_) => return true,
            },
        };
        match change {
            Change::Insert { .. } if *index >= *at => *index += 1,
            Change::Remove { .. } if *index == *at => return false,
            Change::Remove { .. } if *index > *at => *index -= 1,
            Change::Set { .. } => return !self.list.starts_with(path),
            _ => {}
        }
        true
    }
}

/// Records the path of every key, or `None` for a key that occurs twice. Lists are not searched.
fn collect(value: &Value, keys: &mut Vec<Text>, names: &mut HashMap<Text, Option<StatePath>>) {
    let Value::Object(object) = value else { return };
    for (key, inner) in object.iter() {
        keys.push(key.clone());
        let path = StatePath::from_keys(&*keys).ok();
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
    fn empty_places_follow_their_items() {
        let batch = Batch::new(SamVersion::V4_2, 0, &Value::Null);
        let list = |inner: &[Step]| [&[Step::Key("l".into())], inner].concat();
        let op = |below: Vec<Step>, change| Op { path: [vec![Step::Key("static".into())], below].concat(), change };
        let inner = Step::Key("in".into());
        batch.add_hole(list(&[]), 4);
        batch.add_hole(list(&[]), 1);
        batch.add_hole(list(&[Step::Index(3), inner.clone()]), 7);
        batch.follow(&[op(list(&[Step::Index(1)]), Change::Remove { old: Value::Null, at: 1 })]);
        assert_eq!(batch.holes_in(&list(&[])), [3]);
        assert_eq!(batch.holes_in(&list(&[Step::Index(2), inner.clone()])), [7]);
        batch.follow(&[op(list(&[Step::Index(0)]), Change::Insert { new: Value::Null, at: 0 })]);
        assert_eq!(batch.holes_in(&list(&[])), [4]);
        let replaced = Change::Set { old: Value::Null, new: Value::Null };
        batch.follow(&[op(list(&[Step::Index(3)]), replaced.clone())]);
        assert_eq!(batch.take_holes(), [Hole { list: list(&[]), at: 4 }]);
        batch.add_hole(list(&[]), 4);
        batch.follow(&[op(list(&[]), replaced)]);
        assert_eq!(batch.take_holes(), []);
    }
}
