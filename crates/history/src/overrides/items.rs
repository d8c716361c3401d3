//! Hand edits inside a list, item by item: inserted, removed, changed.
//!
//! An edit stores the item it refers to and its neighbours in the computed list, so that its
//! position can be found in a recomputed list ([`super::anchors`]); items without an edit stay as
//! computed.

use std::collections::BTreeMap;

use storeyline_state::align::{Hunk, hunks};
use storeyline_state::{Change, Op, Ops, StateHash, Step, Value};

use super::anchors::Anchors;
use super::pairs::paired;
use super::{Applied, Override};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemEdit {
    pub anchor: Anchor,
    pub change: ItemChange,
}

/// The position of an edit in the computed list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Original index; decides between equally good candidates.
    pub at: usize,
    /// The item before it; `None` at the start of the list.
    pub before: Option<StateHash>,
    /// The item after it; `None` at the end of the list.
    pub after: Option<StateHash>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemChange {
    /// Items were inserted between two others.
    Put { items: Vec<Value> },
    /// An item was removed.
    Take {
        /// As computed.
        old: Value,
    },
    /// An item was changed.
    Change {
        /// As computed.
        old: Value,
        /// Paths begin at the item.
        overrides: Vec<Override>,
    },
}

/// Returns the edits that turn one list into the other.
pub fn between(computed: &[Value], saved: &[Value]) -> Vec<ItemEdit> {
    hunks(computed, saved).into_iter().flat_map(|hunk| edits_of(computed, saved, hunk)).collect()
}

fn edits_of(computed: &[Value], saved: &[Value], hunk: Hunk) -> Vec<ItemEdit> {
    let (old, new) = (&computed[hunk.old.clone()], &saved[hunk.new.clone()]);
    let mut edits = Vec::new();
    let (mut taken, mut put) = (0, 0);
    let mut up_to = |a: usize, b: usize, edits: &mut Vec<ItemEdit>| {
        if b > put {
            let anchor = gap(computed, hunk.old.start + taken);
            edits.push(ItemEdit { anchor, change: ItemChange::Put { items: new[put..b].to_vec() } });
        }
        for (index, item_taken) in old.iter().enumerate().take(a).skip(taken) {
            let change = ItemChange::Take { old: item_taken.clone() };
            edits.push(ItemEdit { anchor: item(computed, hunk.old.start + index), change });
        }
        (taken, put) = (a + 1, b + 1);
    };
    for (a, b) in paired(old, new) {
        up_to(a, b, &mut edits);
        let change = ItemChange::Change { old: old[a].clone(), overrides: super::between(&old[a], &new[b]) };
        edits.push(ItemEdit { anchor: item(computed, hunk.old.start + a), change });
    }
    up_to(old.len(), new.len(), &mut edits);
    edits
}

fn gap(computed: &[Value], at: usize) -> Anchor {
    let before = at.checked_sub(1).map(|before| computed[before].hash());
    Anchor { at, before, after: computed.get(at).map(Value::hash) }
}

fn item(computed: &[Value], at: usize) -> Anchor {
    Anchor { after: computed.get(at + 1).map(Value::hash), ..gap(computed, at) }
}

/// Maximum number of ops on single items; more become one op that sets the list, because each op on
/// an item moves those after it.
const MAX_OPS: usize = 256;

/// Applies edits to the list at a path.
pub fn apply(state: &mut Value, path: &[Step], list: &[Value], edits: &[ItemEdit]) -> Applied {
    let plan = Plan::new(list, edits);
    let mut applied = Applied { lost: plan.lost, ..Applied::default() };
    let (ops, items) = plan.into_ops(path, list);
    if ops.is_empty() {
        return applied;
    }
    applied.ops = match ops.len() <= MAX_OPS {
        true => ops,
        false => {
            let change = Change::Set { old: Value::list(list.to_vec()), new: Value::list(items) };
            [Op { path: path.to_vec(), change }].into_iter().collect()
        }
    };
    for op in &applied.ops {
        op.apply(state).expect("the ops were made for this state");
    }
    applied
}

/// The changes by index of the computed list.
#[derive(Default)]
struct Plan<'a> {
    /// Items to insert before an index.
    put: BTreeMap<usize, Vec<&'a Value>>,
    /// Removed (`None`) or changed items, with the ops inside them.
    changed: BTreeMap<usize, Option<(Value, Ops)>>,
    lost: usize,
}

impl<'a> Plan<'a> {
    fn new(list: &[Value], edits: &'a [ItemEdit]) -> Plan<'a> {
        let mut anchors = Anchors::new(list);
        let mut plan = Plan::default();
        for ItemEdit { anchor, change } in edits {
            match change {
                ItemChange::Put { items } => match anchors.gap(anchor) {
                    Some(at) => plan.put.entry(at).or_default().extend(items),
                    None => plan.lost += 1,
                },
                ItemChange::Take { old } => match anchors.item_to_take(anchor, old) {
                    Some(at) => drop(plan.changed.insert(at, None)),
                    // The item is not computed any more, and nothing else is in its position.
                    None if anchors.is_closed(anchor) => {}
                    None => plan.lost += 1,
                },
                ItemChange::Change { old, overrides } => match anchors.item_to_change(anchor, old, overrides) {
                    Some(at) => plan.change(at, &list[at], overrides),
                    None => plan.lost += 1,
                },
            }
        }
        plan
    }

    fn change(&mut self, at: usize, item: &Value, overrides: &[Override]) {
        let mut changed = item.clone();
        let mut ops = Ops::new();
        for one in overrides {
            match one.apply(&mut changed) {
                Ok(applied) => {
                    self.lost += applied.lost;
                    ops.extend(applied.ops);
                }
                Err(_) => self.lost += 1,
            }
        }
        if !ops.is_empty() {
            self.changed.insert(at, Some((changed, ops)));
        }
    }

    /// Returns the ops, last index first so that indexes stay valid, and the resulting list.
    fn into_ops(mut self, path: &[Step], list: &[Value]) -> (Ops, Vec<Value>) {
        let mut ops = Ops::new();
        let mut items = Vec::with_capacity(list.len());
        let at = |index: usize| [path, &[Step::Index(index)]].concat();
        for index in (0..=list.len()).rev() {
            match (self.changed.remove(&index), list.get(index)) {
                (Some(None), Some(old)) => {
                    ops.push(Op { path: at(index), change: Change::Remove { old: old.clone(), at: index } });
                }
                (Some(Some((changed, inside))), _) => {
                    let prefixed = |op: Op| Op { path: [&at(index)[..], &op.path].concat(), ..op };
                    ops.extend(inside.into_iter().map(prefixed));
                    items.push(changed);
                }
                (_, old) => items.extend(old.cloned()),
            }
            for new in self.put.remove(&index).into_iter().flatten().rev() {
                ops.push(Op { path: at(index), change: Change::Insert { new: new.clone(), at: index } });
                items.push(new.clone());
            }
        }
        items.reverse();
        (ops, items)
    }
}

impl ItemEdit {
    /// Returns the edit as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let hash = |hash: &Option<StateHash>| hash.map_or(Value::Null, |hash| Value::text(hash.to_string()));
        let Anchor { at, before, after } = &self.anchor;
        let (kind, more) = match &self.change {
            ItemChange::Put { items } => ("put", vec![Value::list(items.clone())]),
            ItemChange::Take { old } => ("take", vec![old.clone()]),
            ItemChange::Change { old, overrides } => {
                ("change", vec![old.clone(), Value::list(overrides.iter().map(Override::to_value).collect())])
            }
        };
        let anchor = [Value::text(kind), Value::from(*at as i64), hash(before), hash(after)];
        Value::list(anchor.into_iter().chain(more).collect())
    }

    /// Parses the output of [`ItemEdit::to_value`].
    pub fn from_value(value: &Value) -> Option<ItemEdit> {
        let [kind, at, before, after, more @ ..] = value.as_list()? else { return None };
        let hash = |value: &Value| match value {
            Value::Null => Some(None),
            hash => Some(Some(hash.as_text()?.parse().ok()?)),
        };
        let change = match (kind.as_text()?, more) {
            ("put", [items]) => ItemChange::Put { items: items.as_list()?.to_vec() },
            ("take", [old]) => ItemChange::Take { old: old.clone() },
            ("change", [old, overrides]) => {
                ItemChange::Change { old: old.clone(), overrides: Override::all_from_value(overrides)? }
            }
            _ => return None,
        };
        let anchor = Anchor { at: at.as_number()?.as_index()?, before: hash(before)?, after: hash(after)? };
        Some(ItemEdit { anchor, change })
    }
}
