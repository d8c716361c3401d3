//! Compares two branches, and merges the state of one into the other.

use storeyline_history::node::{ancestor, common_ancestor, turns_below};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Listed, NodeKey, NodeTable, Override, StateKey};
use storeyline_state::diff::diff;
use storeyline_state::merge::{self, Conflict, Merged};
use storeyline_state::{Op, RefId, StoryId, Value};
use storeyline_store::{OperationKind, Owner, Ref, View};

use super::{BranchEdit, By, Edited, edit_branch_as};
use crate::branch::{find_any_ref, find_branch, find_story, state_above};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::sync::node_name;

/// The differences of two branches.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Number of shared floors.
    pub shared: usize,
    /// The other floors of one branch, with the texts of their active pages.
    pub ours: Vec<(Listed, String)>,
    /// The same of the other branch.
    pub theirs: Vec<(Listed, String)>,
    /// Ops from our state to theirs.
    pub state: Vec<Op>,
}

/// The result of merging the state of one branch into another.
#[derive(Debug, Clone, PartialEq)]
pub struct MergePreview {
    /// The floor whose state is the common base; `None` for the first state.
    pub base: Option<usize>,
    pub state: Value,
    /// Paths that both branches changed.
    pub conflicts: Vec<Conflict>,
}

/// Whose value is used where both changed the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefer {
    /// The branch that is merged into.
    #[default]
    Ours,
    Theirs,
}

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
                state: diff(&tx.state(own)?, &tx.state(their)?),
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
            let change = BranchEdit::Override { page: turn.active_page().page, state: preview.state.clone() };
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

fn with_texts(tx: &View<'_>, head: NodeKey, from: usize) -> Result<Vec<(Listed, String)>> {
    let turns = turns_below(tx, head, from)?.into_iter();
    turns.map(|turn| Ok((turn.clone(), tx.page_text(turn.active_page().at)?))).collect()
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
    Ok(MergePreview { base: base.depth.checked_sub(1), state, conflicts })
}
