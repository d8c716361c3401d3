//! Previews: which floors get another state by an edit or a re-process. Nothing is written.

use std::collections::HashMap;

use storeyline_functions::library::function::VarFunction;
use storeyline_history::node::ancestor;
use storeyline_history::path_states::{StateTable, fill_states};
use storeyline_history::{Listed, NodeKey, NodeTable, Role, Rules, StateKey};
use storeyline_state::diff::diff;
use storeyline_state::{Op, PageId, RefId, StoryId, Value, json};
use storeyline_store::{Draft, Owner, Ref};
use storeyline_wire::Change;
use storeyline_wire::common::changes;
use storeyline_wire::compare::{FloorChange, Ripple, RulesStep};
use storeyline_wire::operation::BranchEdit;

use super::{Reprocess, kind, pages, policy, reprocess};
use crate::branch::{edit_tail, find_branch, find_story, put_tail};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};

/// Floors that are computed between two looks at the clock.
const STEP: usize = 64;
/// Floors whose changes are told.
const MAX_TOLD: usize = 200;
/// Changes that are told of one floor.
const MAX_CHANGES: usize = 50;
/// Bytes of values in all that is told.
const MAX_BYTES: usize = 512 * 1024;

impl ReadEngine {
    /// Computes what an edit would change, until `stop` holds.
    pub fn preview_edit(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        change: &BranchEdit,
        stop: &dyn Fn() -> bool,
    ) -> Result<Ripple> {
        self.try_out(owner, |tx| {
            let branch = find_branch(tx, story, branch)?;
            let story = find_story(tx, story)?;
            let written = pages::write(tx, &story, &branch, change)?;
            let mut tail = edit_tail(tx, &story, &branch, written.edit)?;
            if policy::keeps_states(tx, &story, kind(change))? {
                policy::keep_states(tx, &story, &branch, &mut tail)?;
            }
            ripple(tx, &branch, (tail.start, tail.first), &tail.after, stop)
        })
    }

    /// Computes what a re-process would change, until `stop` holds.
    pub fn ripple_of_reprocess(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        request: &Reprocess,
        stop: &dyn Fn() -> bool,
    ) -> Result<Ripple> {
        self.try_out(owner, |tx| {
            let (branch, start, turns) = reprocess::renewed(tx, story, branch, request)?;
            let rules = rules_step(tx, &branch, request.from, &turns)?;
            Ok(Ripple { rules, ..ripple(tx, &branch, (start, request.from), &turns, stop)? })
        })
    }
}

/// Compares the rules of the active pages of a branch with those that they get; `None` if all are the same.
fn rules_step(tx: &Draft<'_>, branch: &Ref, first: usize, turns: &[Listed]) -> Result<Option<RulesStep>> {
    let Some(head) = branch.head else { return Ok(None) };
    let mut step: Option<RulesStep> = None;
    for node in tx.path_below(head, first)? {
        let (Some(turn), Some(renewed)) = (node.turn, turns.get(node.depth - 1 - first)) else { continue };
        let (old, new) = (tx.turn(turn)?.active_page().at, renewed.active_page().at);
        if old == new {
            continue;
        }
        let (old, new) = (tx.inputs(old)?, tx.inputs(new)?);
        if old.body.rules == new.body.rules {
            continue;
        }
        step.get_or_insert_with(|| rules_between(&old.rules, &new.rules, old.body.time)).floors += 1;
    }
    Ok(step)
}

fn rules_between(old: &Rules, new: &Rules, since: Option<i64>) -> RulesStep {
    let (before, after) = (old.to_value(), new.to_value());
    let keys = |rules: &Value| {
        rules.as_object().map_or_else(Vec::new, |rules| rules.iter().map(|(key, _)| key.to_string()).collect())
    };
    let differ = |key: &String| before.get(key) != after.get(key) && key != "library";
    let mut settings: Vec<String> = keys(&before).into_iter().chain(keys(&after)).filter(differ).collect();
    settings.sort();
    settings.dedup();
    let (old, new) = (&old.library.functions, &new.library.functions);
    let missing = |ours: &[VarFunction], theirs: &[VarFunction]| -> Vec<String> {
        ours.iter().filter(|function| !theirs.contains(function)).map(|function| function.name.clone()).collect()
    };
    let mut functions = missing(old, new);
    functions.extend(missing(new, old));
    functions.sort();
    functions.dedup();
    RulesStep { floors: 0, since, settings, functions }
}

/// Compares the states of turns below a node with those that their pages have on the branch now.
fn ripple(
    tx: &mut Draft<'_>,
    branch: &Ref,
    (start, first): (NodeKey, usize),
    turns: &[Listed],
    stop: &dyn Fn() -> bool,
) -> Result<Ripple> {
    let before = states_of_pages(tx, branch, first)?;
    let head = put_tail(tx, start, turns)?;
    let end = first + turns.len();
    let mut ripple = Ripple { floors: turns.len(), computed: 0, changed: 0, first: Vec::new(), rules: None };
    let (mut floor, mut room) = (first, MAX_BYTES);
    while floor < end && (floor == first || !stop()) {
        let until = end.min(floor + STEP);
        let last = ancestor(tx, head, until)?.ok_or(EngineError::EmptyPath)?;
        fill_states(tx, last.key)?;
        for node in tx.path_below(last.key, floor)? {
            let turn = &turns[node.depth - 1 - first];
            let (Some(new), Some(old)) = (node.state, before.get(&turn.active_page().page)) else { continue };
            if shows_state(turn.role) && new != *old && tx.state_hash(new)? != tx.state_hash(*old)? {
                ripple.changed += 1;
                if ripple.first.len() < MAX_TOLD {
                    let state = told_changes(&diff(&tx.state(*old)?, &tx.state(new)?), &mut room);
                    ripple.first.push(FloorChange { floor: node.depth - 1, state });
                }
            }
        }
        ripple.computed += until - floor;
        floor = until;
    }
    Ok(ripple)
}

/// The changes of a floor that fit into what is left of the answer. A large value would stand in it once per floor.
fn told_changes(ops: &[Op], room: &mut usize) -> Vec<Change> {
    let mut told = Vec::new();
    for change in changes(ops.iter().take(MAX_CHANGES)) {
        let values = [&change.old, &change.new].into_iter().flatten();
        let bytes: usize = values.map(|value| json::write_start(value, *room + 1).len()).sum();
        if bytes <= *room {
            *room -= bytes;
            told.push(change);
        }
    }
    told
}

/// Tells whether floors of a role are shown with a state of their own; the others show the one they build on.
fn shows_state(role: Role) -> bool {
    matches!(role, Role::Assistant | Role::Narrator)
}

/// The states of the active pages of a branch from a floor on.
fn states_of_pages(tx: &Draft<'_>, branch: &Ref, first: usize) -> Result<HashMap<PageId, StateKey>> {
    let Some(head) = branch.head else { return Ok(HashMap::new()) };
    let mut states = HashMap::new();
    for node in tx.path_below(head, first)? {
        if let (Some(turn), Some(state)) = (node.turn, node.state) {
            states.insert(tx.turn(turn)?.active_page().page, state);
        }
    }
    Ok(states)
}
