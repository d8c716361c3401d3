//! Compares two branches, and merges the state of one into the other.

use storeyline_history::node::{ancestor, common_ancestor, turns_below};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Listed, NodeKey, NodeTable, Override, StateKey};
use storeyline_state::diff::diff;
use storeyline_state::merge::{self, Merged};
use storeyline_state::{RefId, StoryId, Value};
use storeyline_store::{OperationKind, Owner, Ref, View};
use storeyline_wire::common::changes;
use storeyline_wire::compare::{Compared, Comparison, Conflict, MergePreview};
use storeyline_wire::operation::{BranchEdit, Edited};
use storeyline_wire::{JsonObject, Path, Prefer};

use super::{By, edit_branch_as};
use crate::branch::{find_any_ref, find_branch, find_story, state_above};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::shown;
use crate::sync::node_name;

impl ReadEngine {
    /// Compares two refs of a story.
    pub fn compare(&self, owner: &Owner, story: StoryId, ours: RefId, theirs: RefId) -> Result<Comparison> {
        self.read(owner, |tx| {
            let (one, other) = (find_any_ref(tx, story, ours)?, find_any_ref(tx, story, theirs)?);
            let (head, other_head) = (head_of(&one)?, head_of(&other)?);
            let shared = common_ancestor(tx, head, other_head)?.ok_or(EngineError::OtherStory)?.depth;
            let (own, their) = (state_at(tx, head)?, state_at(tx, other_head)?);
            Ok(Comparison {
                shared,
                ours: with_texts(tx, head, shared)?,
                theirs: with_texts(tx, other_head, shared)?,
                state: changes(&diff(&tx.state(own)?, &tx.state(their)?)),
            })
        })
    }

    /// Returns the result of merging the state of one branch into another, without writing it.
    pub fn preview_merge(
        &self,
        owner: &Owner,
        story: StoryId,
        into: RefId,
        from: RefId,
        prefer: Prefer,
    ) -> Result<MergePreview> {
        self.read(owner, |tx| {
            let (into, from) = (find_any_ref(tx, story, into)?, find_any_ref(tx, story, from)?);
            preview(tx, &into, &from, prefer)
        })
    }
}

impl Engine {
    /// Merges the state of one branch into another: the result is an override of the last page.
    pub fn merge_state(
        &self,
        owner: &Owner,
        story: StoryId,
        into: RefId,
        from: RefId,
        prefer: Prefer,
        by: By<'_>,
    ) -> Result<(Edited, MergePreview)> {
        self.change(owner, |tx| {
            let (into, from) = (find_branch(tx, story, into)?, find_any_ref(tx, story, from)?);
            let preview = preview(tx, &into, &from, prefer)?;
            let node = tx.node(head_of(&into)?)?;
            let turn = tx.turn(node.turn.ok_or(EngineError::EmptyPath)?)?;
            let change =
                BranchEdit::Override { page: turn.active_page().page, state: JsonObject(preview.state.0.clone()) };
            let story = find_story(tx, story)?;
            if by.head.is_some() && by.head != node_name(tx, into.head)? {
                return Err(EngineError::RefMoved);
            }
            let kind = OperationKind::Merge;
            let edited = edit_branch_as(tx, &story, into, &change, kind, by.client)?;
            Ok((edited, preview))
        })
    }
}

fn head_of(found: &Ref) -> Result<NodeKey> {
    found.head.ok_or(EngineError::EmptyPath)
}

fn state_at(tx: &View<'_>, node: NodeKey) -> Result<StateKey> {
    tx.node(node)?.state.ok_or(EngineError::EmptyPath)
}

fn with_texts(tx: &View<'_>, head: NodeKey, from: usize) -> Result<Vec<Compared>> {
    let turns = turns_below(tx, head, from)?.into_iter().zip(from..);
    let compared = |(turn, floor): (Listed, usize)| {
        let page = turn.active_page();
        Ok(Compared {
            floor,
            page: page.page,
            role: shown::role(turn.role),
            name: turn.name.clone(),
            text: tx.page_text(page.at)?,
        })
    };
    turns.map(compared).collect()
}

fn preview(tx: &View<'_>, into: &Ref, from: &Ref, prefer: Prefer) -> Result<MergePreview> {
    let (ours, theirs) = (head_of(into)?, head_of(from)?);
    let base = common_ancestor(tx, ours, theirs)?.ok_or(EngineError::OtherStory)?;
    let value = |node: NodeKey| -> Result<Value> { Ok(tx.state(state_at(tx, node)?)?) };
    // Branches without a shared floor have the first state of the branch that is merged into as base.
    let shared = match base.state {
        Some(state) => tx.state(state)?,
        None => tx.state(state_above(tx, &ancestor(tx, ours, 1)?.ok_or(EngineError::EmptyPath)?)?)?,
    };
    let Merged { mut state, conflicts } = merge::merge(&shared, &value(ours)?, &value(theirs)?);
    if prefer == Prefer::Theirs {
        for conflict in &conflicts {
            let path = conflict.path.clone();
            let wanted = match &conflict.theirs {
                Some(value) => Override::Set { path, value: value.clone(), at: usize::MAX },
                None => Override::Remove { path },
            };
            // A path into a list that became shorter may not exist; then ours stays.
            let _ = wanted.apply(&mut state);
        }
    }
    let conflict = |merge::Conflict { path, base, ours, theirs }| Conflict {
        path: Path(path),
        base: base.map(Into::into),
        ours: ours.map(Into::into),
        theirs: theirs.map(Into::into),
    };
    let conflicts = conflicts.into_iter().map(conflict).collect();
    Ok(MergePreview { base: base.depth.checked_sub(1), state: state.into(), conflicts })
}
