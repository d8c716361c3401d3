//! Undo and redo of any operation. Both are operations themselves.

use storeyline_history::merge::{Likeness, MergedList, merge, page_twice};
use storeyline_history::node::{common_ancestor, turns_below};
use storeyline_history::path_states::fill_states;
use storeyline_history::{Listed, NodeKey};
use storeyline_state::{RefId, StoryId};
use storeyline_store::{
    Change, Description, Detail, Draft, Durability, Operation, OperationKind, Owner, Ref, RulesParts, Story, View,
};
use storeyline_wire::operation::{Edited, Operation as Logged};
use storeyline_wire::tree::{StoryLog, StoryLogQuery, StoryOperation};

use super::refs::{description_of, restore, trash};
use super::{detail, edited};
use crate::branch::{Note, find_any_ref, find_story, length, move_head, put_tail, record_change};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::log::{find_logged, logged};
use crate::rules;
use crate::shown::{cursor, operation_kind, seq_of};

impl ReadEngine {
    /// Returns the operations on a ref, the newest first.
    pub fn log(&self, owner: &Owner, story: StoryId, id: RefId, limit: usize) -> Result<Vec<Logged>> {
        self.read(owner, |tx| {
            let found = find_any_ref(tx, story, id)?;
            let entries = logged(tx, &found).take(limit).map(|entry| {
                let (operation, undone) = entry?;
                shown_operation(tx, operation, undone)
            });
            entries.collect()
        })
    }

    /// Returns the operations on all refs of a story, the newest first.
    pub fn story_log(&self, owner: &Owner, story: StoryId, query: &StoryLogQuery) -> Result<StoryLog> {
        self.read(owner, |tx| {
            let refs = tx.refs(find_story(tx, story)?.key)?;
            let before = query.before.map_or(i64::MAX, |before| seq_of(before).0);
            let mut logs = Vec::new();
            for found in &refs {
                logs.push((found, logged(tx, found).peekable()));
            }
            let mut operations = Vec::new();
            loop {
                let mut newest: Option<(usize, i64)> = None;
                for (index, (_, log)) in logs.iter_mut().enumerate() {
                    let seq = log.peek().map(|entry| entry.as_ref().map_or(i64::MAX, |(operation, _)| operation.seq.0));
                    if let Some(seq) = seq.filter(|seq| newest.is_none_or(|(_, most)| *seq > most)) {
                        newest = Some((index, seq));
                    }
                }
                let Some((index, _)) = newest else { return Ok(StoryLog { operations, more: false }) };
                let (found, log) = &mut logs[index];
                let Some(entry) = log.next() else { continue };
                let (operation, undone) = entry?;
                if operation.seq.0 >= before || query.deleted && (undone || !is_deletion(operation.kind)) {
                    continue;
                }
                if operations.len() == query.limit() {
                    return Ok(StoryLog { operations, more: true });
                }
                let at = cursor(operation.seq);
                let operation = shown_operation(tx, operation, undone)?;
                operations.push(StoryOperation { at, branch: found.id, name: found.name.clone(), operation });
            }
        })
    }
}

fn is_deletion(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Delete | OperationKind::DeletePage | OperationKind::KeepOnly)
}

fn shown_operation(tx: &View<'_>, operation: Operation, undone: bool) -> Result<Logged> {
    // What was collected has no length any more.
    let floors = |node: Option<NodeKey>| length(tx, node).ok().map(|floors| floors as i64);
    let grown = match (floors(operation.before), floors(operation.after)) {
        (Some(before), Some(after)) => after - before,
        _ => 0,
    };
    Ok(Logged {
        operation: operation.number,
        kind: operation_kind(operation.kind),
        time: operation.time,
        undone,
        undoes: operation.undoes,
        floors: grown,
        detail: detail::shown(tx, &operation.detail)?.into(),
        client: operation.client,
    })
}

impl Engine {
    /// Undoes an operation on a branch, or the last one that was not undone.
    pub fn undo(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        operation: Option<i64>,
        client: &str,
    ) -> Result<Edited> {
        self.reverse(owner, story, branch, OperationKind::Undo, client, move |tx, branch| match operation {
            Some(number) => tx.operation(branch.key, number)?.ok_or(EngineError::UnknownOperation(number)),
            None => last_done(tx, branch),
        })
    }

    /// Redoes an operation that was undone, or the last one.
    pub fn redo(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        operation: Option<i64>,
        client: &str,
    ) -> Result<Edited> {
        self.reverse(owner, story, branch, OperationKind::Redo, client, move |tx, branch| match operation {
            Some(number) => undo_of(tx, branch, number),
            None => last_undone(tx, branch),
        })
    }

    /// Reverses the operation that `find` returns.
    fn reverse(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        kind: OperationKind,
        client: &str,
        find: impl Fn(&View<'_>, &Ref) -> Result<Operation> + Send + 'static,
    ) -> Result<Edited> {
        let client = client.to_owned();
        self.change_or_pending(owner, Durability::Full, move |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let story = find_story(tx, story)?;
            let operation = find(tx, &branch)?;
            reverse_operation(tx, &story, branch, &operation, kind, &client)
        })
    }
}

/// The last operation that is neither an undo nor undone.
fn last_done(tx: &View<'_>, branch: &Ref) -> Result<Operation> {
    let is_done = |operation: &Operation, undone: bool| !undone && operation.undoes.is_none();
    find_logged(tx, branch, is_done)?.ok_or(EngineError::NothingToUndo)
}

/// The last undo, if there is no new operation after it.
fn last_undone(tx: &View<'_>, branch: &Ref) -> Result<Operation> {
    let holds = |operation: &Operation, undone: bool| {
        !undone && (operation.kind == OperationKind::Undo || operation.undoes.is_none())
    };
    let last = find_logged(tx, branch, holds)?.filter(|operation| operation.kind == OperationKind::Undo);
    last.ok_or(EngineError::NothingToRedo)
}

/// The undo of an operation that was not redone; `number` is that of the operation or of the undo.
fn undo_of(tx: &View<'_>, branch: &Ref, number: i64) -> Result<Operation> {
    let is_meant = |operation: &Operation, undone: bool| {
        let meant = operation.undoes == Some(number) || operation.number == number;
        operation.kind == OperationKind::Undo && !undone && meant
    };
    find_logged(tx, branch, is_meant)?.ok_or(EngineError::UnknownOperation(number))
}

fn reverse_operation(
    tx: &mut Draft<'_>,
    story: &Story,
    mut branch: Ref,
    operation: &Operation,
    kind: OperationKind,
    client: &str,
) -> Result<Edited> {
    let note = Note { kind, client, undoes: Some(operation.number), detail: operation.detail.clone().reversed() };
    // Undo and redo refer to an operation; the one at the end of this chain decides what has to be
    // done.
    let original = original_operation(tx, operation)?;
    let forwards = original.number == operation.number || operation.kind == OperationKind::Redo;
    let number = match original.kind {
        OperationKind::CreateBranch | OperationKind::CreateTag | OperationKind::Restore if forwards => {
            trash(tx, story, &mut branch, note)?
        }
        OperationKind::Trash if !forwards => trash(tx, story, &mut branch, note)?,
        OperationKind::CreateBranch | OperationKind::CreateTag | OperationKind::Restore | OperationKind::Trash => {
            if branch.trashed.is_none() {
                return Err(conflict(tx, &branch, operation)?);
            }
            if operation.detail == (Detail::Trashed { was_current: true }) {
                tx.save_story(&Story { current: Some(branch.key), ..story.clone() });
            }
            restore(tx, &mut branch, Note { detail: Detail::None, ..note })?
        }
        OperationKind::TrashStory | OperationKind::RestoreStory => {
            let number = record_change(tx, &mut branch, note)?;
            let away = forwards == (original.kind == OperationKind::RestoreStory);
            tx.save_story(&Story { trashed: away.then_some(branch.updated), ..story.clone() });
            number
        }
        OperationKind::Change
        | OperationKind::Switch
        | OperationKind::Rules
        | OperationKind::Settings
        | OperationKind::Rename => {
            if !change_back(tx, story, &mut branch, &operation.detail)? {
                return Err(conflict(tx, &branch, operation)?);
            }
            record_change(tx, &mut branch, note)?
        }
        _ => {
            let before = operation.before.ok_or(EngineError::NothingToUndo)?;
            let head = match branch.head == operation.after {
                true => before,
                false => match merged(tx, operation, &branch)? {
                    Some((start, turns)) => put_tail(tx, start, &turns)?,
                    None => return Err(conflict(tx, &branch, operation)?),
                },
            };
            let walked = fill_states(tx, head)?;
            let number = move_head(tx, &mut branch, head, note)?;
            return edited(tx, &branch, Some(number), &walked.evaluated);
        }
    };
    edited(tx, &branch, Some(number), &[])
}

/// The operation that a chain of undos and redos refers to.
fn original_operation(tx: &View<'_>, operation: &Operation) -> Result<Operation> {
    let mut cause = operation.clone();
    while let Some(earlier) = cause.undoes {
        cause = tx.operation(cause.of, earlier)?.ok_or(EngineError::UnknownOperation(earlier))?;
    }
    Ok(cause)
}

/// Restores the old name, title, rules, settings or current branch; returns false if that was changed
/// again since.
fn change_back(tx: &mut Draft<'_>, story: &Story, branch: &mut Ref, changed: &Detail) -> Result<bool> {
    let mut story = story.clone();
    match changed {
        Detail::Described(Change { before, after }) if *after == description_of(branch) => {
            let Description { name, note, colour } = before.clone();
            (branch.name, branch.note, branch.colour) = (name, note, colour);
            return Ok(true);
        }
        Detail::Current(Change { before, after }) if story.current == *after => {
            let before = before.map_or(Ok(None), |key| tx.ref_by_key(key))?;
            let Some(before) = before.filter(|before| before.trashed.is_none()) else { return Ok(false) };
            story.current = Some(before.key);
        }
        Detail::Rules(Change { before: RulesParts { card_rules, choices }, after })
            if *after == rules::parts(&story) =>
        {
            story = rules::composed(tx, Story { card_rules: *card_rules, choices: *choices, ..story })?;
        }
        Detail::Title(Change { before, after }) if *after == story.title => story.title.clone_from(before),
        Detail::Settings(Change { before, after }) if *after == story.settings => story.settings = *before,
        _ => return Ok(false),
    }
    tx.save_story(&story);
    Ok(true)
}

/// The current turns without the changes of an operation, from the first floor that differs; `None` if
/// they conflict.
fn merged(tx: &View<'_>, operation: &Operation, branch: &Ref) -> Result<Option<(NodeKey, Vec<Listed>)>> {
    let (Some(before), Some(after), Some(head)) = (operation.before, operation.after, branch.head) else {
        return Ok(None);
    };
    let Some(shared) = common_ancestor(tx, before, after)? else { return Ok(None) };
    let Some(start) = common_ancestor(tx, shared.key, head)? else { return Ok(None) };
    let [base, wanted, ours] = [after, before, head].map(|node| turns_below(tx, node, start.depth));
    let MergedList::Clean(turns) = merge(&base?, &wanted?, &ours?, Likeness::Exact) else { return Ok(None) };
    // A page that the operation deleted may have been grafted again since.
    let above = turns_below(tx, start.key, 0)?;
    let twice = page_twice(above.iter().chain(&turns)).is_some();
    Ok((!twice).then_some((start.key, turns)))
}

/// The error that names the first later operation that conflicts with undoing this one.
fn conflict(tx: &View<'_>, branch: &Ref, operation: &Operation) -> Result<EngineError> {
    let mut found = None;
    for entry in logged(tx, branch) {
        let (later, _) = entry?;
        if later.number <= operation.number {
            break;
        }
        let then = Ref { head: later.after, ..branch.clone() };
        if later.before == later.after || merged(tx, operation, &then)?.is_none() {
            found = Some((later.number, later.kind));
        }
    }
    let (later, kind) = found.unwrap_or((operation.number, operation.kind));
    Ok(EngineError::UndoConflict { operation: operation.number, later, kind })
}
