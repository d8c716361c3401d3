//! The history of a value: which floors of a branch changed the value at a path, and by which call.

use storeyline_history::path_states::StateTable;
use storeyline_history::{CallTrace, Node, NodeTable, StateKey, Trace};
use storeyline_state::object::array_index;
use storeyline_state::text::excerpt;
use storeyline_state::{Op, RefId, StatePath, Step, StoryId, Value};
use storeyline_store::{Owner, View};
use storeyline_wire::trails::{Cause, ValueChange};

use crate::branch::{find_any_ref, length, node_at, state_above};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};
use crate::view::{trace_of, turn_of};

/// A condition on a value, for example `< 0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// One of [`SIGNS`].
    sign: &'static str,
    value: Value,
}

/// Longer operators come before their prefixes.
const SIGNS: [&str; 7] = ["<=", ">=", "!=", "==", "<", ">", "="];

impl Condition {
    /// Reads a condition: `<`, `<=`, `>`, `>=`, `=` or `!=`, then a JSON value; a bare word is text.
    pub fn read(text: &str) -> Option<Condition> {
        let text = text.trim();
        let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign))?;
        let value = text[sign.len()..].trim();
        let value = storeyline_state::json::read(value).unwrap_or_else(|_| Value::text(value));
        Some(Condition { sign, value })
    }

    /// Tells whether the condition holds for a value; for a missing value only `!=` holds.
    pub fn holds(&self, value: Option<&Value>) -> bool {
        let Some(value) = value else { return self.sign == "!=" };
        let order = match (value, &self.value) {
            (Value::Number(own), Value::Number(other)) => Some(own.cmp(other)),
            (Value::Text(own), Value::Text(other)) => Some(own.cmp(other)),
            _ => None,
        };
        match self.sign {
            "!=" => *value != self.value,
            "<" => order.is_some_and(|order| order.is_lt()),
            "<=" => order.is_some_and(|order| order.is_le()),
            ">" => order.is_some_and(|order| order.is_gt()),
            ">=" => order.is_some_and(|order| order.is_ge()),
            _ => *value == self.value,
        }
    }
}

impl ReadEngine {
    /// Returns the last change of the value at a path up to a floor, or up to the end.
    pub fn blame(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        floor: Option<usize>,
        path: &str,
    ) -> Result<Option<ValueChange>> {
        let traced = TracedPath::read(path)?;
        self.read(owner, |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let last = length(tx, branch.head)?.checked_sub(1).ok_or(EngineError::EmptyPath)?;
            let mut node = node_at(tx, &branch, floor.unwrap_or(last))?;
            while node.depth > 0 {
                if let Some(change) = traced.change(tx, &node)? {
                    return Ok(Some(change));
                }
                node = tx.node(node.parent)?;
            }
            Ok(None)
        })
    }

    /// Returns all changes of the value at a path, in order; with a condition, only those after which
    /// it holds and before which it did not.
    pub fn value_history(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        path: &str,
        when: Option<&Condition>,
    ) -> Result<Vec<ValueChange>> {
        let traced = TracedPath::read(path)?;
        self.read(owner, |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let head = branch.head.ok_or(EngineError::EmptyPath)?;
            let path = tx.path_below(head, 0)?;
            let changes = path.iter().filter_map(|node| traced.change(tx, node).transpose());
            let mut changes = changes.collect::<Result<Vec<_>>>()?;
            let came = |change: &ValueChange| {
                when.is_none_or(|when| when.holds(change.after.as_deref()) && !when.holds(change.before.as_deref()))
            };
            changes.retain(came);
            Ok(changes)
        })
    }
}

/// A path whose changes are searched for.
pub(crate) struct TracedPath {
    path: StatePath,
    /// The path as steps, and as one key that contains dots: which one exists may differ from floor to
    /// floor.
    steps: [Vec<Step>; 2],
}

impl TracedPath {
    pub(crate) fn read(text: &str) -> Result<TracedPath> {
        let path: StatePath = text.parse().map_err(|error: storeyline_state::path::PathError| {
            EngineError::BadPath { path: text.to_owned(), problem: error.to_string() }
        })?;
        // The path ends before the first list index, because items of a list move.
        let keys = path.keys().into_iter().take_while(|key| array_index(key).is_none());
        let steps = [keys.map(|key| Step::Key(key.into())).collect(), vec![Step::Key(path.source().into())]];
        Ok(TracedPath { path, steps })
    }

    /// Tells whether a node changed the value.
    pub(crate) fn is_changed_by(&self, tx: &View<'_>, node: &Node) -> Result<bool> {
        let Some(own) = node.state else { return Ok(false) };
        let above = state_above(tx, node)?;
        if own == above || !self.may_change(tx, own)? {
            return Ok(false);
        }
        Ok(self.path.get(&tx.state(above)?) != self.path.get(&tx.state(own)?))
    }

    /// The change that a node made to the value.
    fn change(&self, tx: &View<'_>, node: &Node) -> Result<Option<ValueChange>> {
        let Some(own) = node.state else { return Ok(None) };
        let above = state_above(tx, node)?;
        if own == above || !self.may_change(tx, own)? {
            return Ok(None);
        }
        let state = tx.state(above)?;
        let (before, after) = (self.path.get(&state).cloned(), self.path.get(&tx.state(own)?).cloned());
        if before == after {
            return Ok(None);
        }
        let turn = turn_of(tx, node)?;
        let page = turn.active_page();
        let trace = trace_of(tx, node)?;
        let call = self.last_change(state, &trace, after.as_ref());
        // A kept state does not follow from its calls; then the last call that touched the path is the
        // cause.
        let about = || trace.calls.iter().rev().find(|call| call.ops.iter().any(|op| self.is_about(op)));
        let call = call.or_else(about);
        let text = tx.page_text(page.at)?;
        let by = call.map(|call| Cause {
            name: call.name.to_string(),
            source: excerpt(&text, call.span.clone()),
            reason: call.reason.as_ref().map(ToString::to_string),
        });
        Ok(Some(ValueChange {
            floor: node.depth - 1,
            page: page.page,
            by,
            before: before.map(Into::into),
            after: after.map(Into::into),
        }))
    }

    /// The last call that changed the value, if the calls lead to the stored value.
    fn last_change<'a>(&self, mut state: Value, trace: &'a Trace, after: Option<&Value>) -> Option<&'a CallTrace> {
        let mut value = self.path.get(&state).cloned();
        let mut last = None;
        for call in trace.calls.iter().filter(|call| !call.ops.is_empty()) {
            for op in &call.ops {
                op.apply(&mut state).ok()?;
            }
            let now = self.path.get(&state);
            if now != value.as_ref() {
                value = now.cloned();
                last = Some(call);
            }
        }
        last.filter(|_| value.as_ref() == after)
    }

    fn may_change(&self, tx: &View<'_>, state: StateKey) -> Result<bool> {
        Ok(tx.may_change(state, &self.steps[0])? || tx.may_change(state, &self.steps[1])?)
    }

    /// Tells whether an op touches the path, something above it or something below it.
    fn is_about(&self, op: &Op) -> bool {
        self.steps.iter().any(|steps| {
            let shared = steps.len().min(op.path.len());
            steps[..shared] == op.path[..shared]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_compare_numbers_and_texts() {
        let holds = |condition: &str, value: &str| {
            let value = storeyline_state::json::read(value).unwrap();
            Condition::read(condition).unwrap().holds(Some(&value))
        };
        assert!(holds("< 0", "-1"));
        assert!(!holds("< 0", "0"));
        assert!(holds("<=0", "0"));
        assert!(holds(">= 1.5", "2"));
        assert!(holds("= 旅馆", "\"旅馆\""));
        assert!(holds("!= null", "1"));
        assert!(!holds("< 0", "\"-1\""), "a text is no number");
        assert_eq!(Condition::read("about 5"), None);
        assert!(!Condition::read("< 0").unwrap().holds(None));
    }
}
