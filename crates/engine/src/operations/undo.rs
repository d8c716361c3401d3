//! Taking any operation back, and doing it again. Both are operations themselves.

use std::collections::HashSet;

use storeyline_history::merge::{Likeness, MergedList, merge, page_twice};
use storeyline_history::node::{common_ancestor, turns_below};
use storeyline_history::path_states::fill_states;
use storeyline_history::{Listed, NodeKey, Scripts};
use storeyline_state::{RefId, StoryId, Value};
use storeyline_store::{Operation, OperationKind, Owner, Ref, Story, Tx};

use super::refs::{describe, described, restore, trash};
use super::{Edited, edited};
use crate::branch::{Note, find_any_ref, find_story, move_head, put_tail, record};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::rules;

impl Engine {
    /// Takes an operation on a branch back; nothing: the last one that was not taken back.
    pub fn undo(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        operation: Option<i64>,
        client: &str,
    ) -> Result<Edited, EngineError> {
        let scripts = &mut self.scripts();
        self.transaction(owner, |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let story = find_story(tx, story)?;
            let operation = match operation {
                Some(number) => operation_on(tx, &branch, number)?,
                None => last_done(tx, &branch)?.ok_or(EngineError::NothingToUndo)?,
            };
            take_back(tx, &story, branch, &operation, OperationKind::Undo, client, &mut ***scripts)
        })
    }

    /// Does an operation again that was taken back; nothing: the last one.
    pub fn redo(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        operation: Option<i64>,
        client: &str,
    ) -> Result<Edited, EngineError> {
        let scripts = &mut self.scripts();
        self.transaction(owner, |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let story = find_story(tx, story)?;
            let undo = match operation {
                Some(number) => undo_of(tx, &branch, number)?,
                None => last_undone(tx, &branch)?.ok_or(EngineError::NothingToRedo)?,
            };
            take_back(tx, &story, branch, &undo, OperationKind::Redo, client, &mut ***scripts)
        })
    }

    /// Returns the operations on a ref, the newest first, each with whether it was taken back.
    pub fn log(
        &self,
        owner: &Owner,
        story: StoryId,
        id: RefId,
        limit: usize,
    ) -> Result<Vec<(Operation, bool)>, EngineError> {
        self.look(owner, |tx| {
            let found = find_any_ref(tx, story, id)?;
            Log::new(tx, &found).take(limit).collect()
        })
    }
}

/// The operations on a ref, the newest first, each with whether it was taken back.
struct Log<'a, 'b> {
    tx: &'a Tx<'b>,
    next: Option<i64>,
    undone: HashSet<i64>,
}

impl<'a, 'b> Log<'a, 'b> {
    fn new(tx: &'a Tx<'b>, branch: &Ref) -> Self {
        Log { tx, next: branch.operation, undone: HashSet::new() }
    }
}

impl Iterator for Log<'_, '_> {
    type Item = Result<(Operation, bool), EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let operation = match self.tx.operation(self.next?) {
            Ok(operation) => operation?,
            Err(error) => return Some(Err(error.into())),
        };
        self.next = operation.earlier;
        let undone = self.undone.contains(&operation.id);
        if let Some(taken_back) = operation.undoes.filter(|_| !undone) {
            self.undone.insert(taken_back);
        }
        Some(Ok((operation, undone)))
    }
}

fn operation_on(tx: &Tx<'_>, branch: &Ref, number: i64) -> Result<Operation, EngineError> {
    tx.operation(number)?.filter(|found| found.of == branch.key).ok_or(EngineError::UnknownOperation(number))
}

/// The last operation that is not an undo and was not taken back.
fn last_done(tx: &Tx<'_>, branch: &Ref) -> Result<Option<Operation>, EngineError> {
    for entry in Log::new(tx, branch) {
        let (operation, undone) = entry?;
        if !undone && operation.undoes.is_none() {
            return Ok(Some(operation));
        }
    }
    Ok(None)
}

/// The last undo, if nothing new was done since.
fn last_undone(tx: &Tx<'_>, branch: &Ref) -> Result<Option<Operation>, EngineError> {
    for entry in Log::new(tx, branch) {
        let (operation, undone) = entry?;
        match operation.kind {
            OperationKind::Undo if !undone => return Ok(Some(operation)),
            _ if operation.undoes.is_none() && !undone => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// The undo that took an operation back and still holds; the number of the undo itself will do too.
fn undo_of(tx: &Tx<'_>, branch: &Ref, number: i64) -> Result<Operation, EngineError> {
    for entry in Log::new(tx, branch) {
        let (operation, undone) = entry?;
        let meant = operation.undoes == Some(number) || operation.id == number;
        if operation.kind == OperationKind::Undo && !undone && meant {
            return Ok(operation);
        }
    }
    Err(EngineError::UnknownOperation(number))
}

fn take_back(
    tx: &mut Tx<'_>,
    story: &Story,
    mut branch: Ref,
    operation: &Operation,
    kind: OperationKind,
    client: &str,
    scripts: &mut dyn Scripts,
) -> Result<Edited, EngineError> {
    let note = Note { kind, client, undoes: Some(operation.id), detail: reversed(&operation.detail) };
    // What an undo took back is what a redo does: the first operation says what it was about.
    let about = first_cause(tx, operation)?;
    let forwards = about.id == operation.id || operation.kind == OperationKind::Redo;
    let number = match about.kind {
        OperationKind::CreateBranch | OperationKind::CreateTag | OperationKind::Restore if forwards => {
            trash(tx, story, &mut branch, note)?
        }
        OperationKind::Trash if !forwards => trash(tx, story, &mut branch, note)?,
        OperationKind::CreateBranch | OperationKind::CreateTag | OperationKind::Restore | OperationKind::Trash => {
            if branch.trashed.is_none() {
                return Err(in_the_way(tx, &branch, operation)?);
            }
            if operation.detail.get("current").and_then(Value::as_bool) == Some(true) {
                tx.save_story(&Story { current: Some(branch.key), ..story.clone() })?;
            }
            restore(tx, &mut branch, Note { detail: Value::Null, ..note })?
        }
        OperationKind::Change => {
            if operation.detail.get("after") != Some(&described(&branch)) {
                return Err(in_the_way(tx, &branch, operation)?);
            }
            describe(&mut branch, operation.detail.get("before").unwrap_or(&Value::Null));
            let head = branch.head;
            record(tx, &mut branch, head, note)?
        }
        OperationKind::TrashStory | OperationKind::RestoreStory => {
            let head = branch.head;
            let number = record(tx, &mut branch, head, note)?;
            let away = forwards == (about.kind == OperationKind::RestoreStory);
            tx.save_story(&Story { trashed: away.then_some(branch.updated), ..story.clone() })?;
            number
        }
        OperationKind::Switch | OperationKind::Rules | OperationKind::Settings | OperationKind::Rename => {
            let changed = change_story_back(tx, story, about.kind, &operation.detail)?;
            let Some(changed) = changed else { return Err(in_the_way(tx, &branch, operation)?) };
            tx.save_story(&changed)?;
            let head = branch.head;
            record(tx, &mut branch, head, note)?
        }
        _ => {
            let before = operation.before.ok_or(EngineError::NothingToUndo)?;
            let head = match branch.head == operation.after {
                true => before,
                false => match merged(tx, operation, &branch)? {
                    Some((start, turns)) => put_tail(tx, start, &turns)?,
                    None => return Err(in_the_way(tx, &branch, operation)?),
                },
            };
            let walked = fill_states(tx, head, scripts)?;
            let number = move_head(tx, &mut branch, head, note)?;
            return edited(tx, &branch, Some(number), &walked.evaluated);
        }
    };
    edited(tx, &branch, Some(number), &[])
}

fn reversed(detail: &Value) -> Value {
    match (detail.get("before"), detail.get("after")) {
        (Some(before), Some(after)) => super::detail([("before", after.clone()), ("after", before.clone())]),
        _ => detail.clone(),
    }
}

/// What an undo or a redo is about in the end.
fn first_cause(tx: &Tx<'_>, operation: &Operation) -> Result<Operation, EngineError> {
    let mut cause = operation.clone();
    while let Some(earlier) = cause.undoes {
        cause = tx.operation(earlier)?.ok_or(EngineError::UnknownOperation(earlier))?;
    }
    Ok(cause)
}

/// The story as it was before; nothing if it was changed again since.
fn change_story_back(
    tx: &mut Tx<'_>,
    story: &Story,
    kind: OperationKind,
    changed: &Value,
) -> Result<Option<Story>, EngineError> {
    let number = |key| changed.get(key).and_then(Value::as_number).and_then(|number| number.as_i64());
    Ok(match kind {
        OperationKind::Switch if story.current == number("after") => {
            let before = number("before").map(|key| tx.ref_by_key(key)).transpose()?.flatten();
            let there = before.filter(|before| before.trashed.is_none());
            there.map(|before| Story { current: Some(before.key), ..story.clone() })
        }
        OperationKind::Rules if changed.get("after") == Some(&rules::parts(story)) => {
            rules::with_parts(tx, story, changed.get("before").unwrap_or(&Value::Null))?
        }
        OperationKind::Rename => {
            let title = |key| changed.get(key).and_then(Value::as_text);
            let before = title("before").filter(|_| title("after") == Some(story.title.as_str()));
            before.map(|before| Story { title: before.to_owned(), ..story.clone() })
        }
        OperationKind::Settings => {
            let now = super::policy::settings(tx, story)?;
            let was = |key| changed.get(key).map(super::Settings::from_value);
            match (was("before"), was("after")) {
                (Some(_), Some(after)) if after == now => {
                    let (key, _) = tx.put_value(changed.get("before").unwrap_or(&Value::Null))?;
                    Some(Story { settings: Some(key), ..story.clone() })
                }
                _ => None,
            }
        }
        _ => None,
    })
}

/// The present list with one operation taken out of it, from the first floor that differs.
fn merged(tx: &Tx<'_>, operation: &Operation, branch: &Ref) -> Result<Option<(NodeKey, Vec<Listed>)>, EngineError> {
    let (Some(before), Some(after), Some(head)) = (operation.before, operation.after, branch.head) else {
        return Ok(None);
    };
    let Some(shared) = common_ancestor(tx, before, after)? else { return Ok(None) };
    let Some(start) = common_ancestor(tx, shared.key, head)? else { return Ok(None) };
    let [base, wanted, ours] = [after, before, head].map(|node| turns_below(tx, node, start.depth));
    let MergedList::Clean(turns) = merge(&base?, &wanted?, &ours?, Likeness::Exact) else { return Ok(None) };
    // What was taken away then may have come back since, from another branch.
    let above = turns_below(tx, start.key, 0)?;
    let twice = page_twice(above.iter().chain(&turns)).is_some();
    Ok((!twice).then_some((start.key, turns)))
}

/// Names the first later operation after which this one could not be taken back.
fn in_the_way(tx: &Tx<'_>, branch: &Ref, operation: &Operation) -> Result<EngineError, EngineError> {
    let mut found = None;
    for entry in Log::new(tx, branch) {
        let (later, _) = entry?;
        if later.id <= operation.id {
            break;
        }
        let then = Ref { head: later.after, ..branch.clone() };
        if later.before == later.after || merged(tx, operation, &then)?.is_none() {
            found = Some((later.id, later.kind));
        }
    }
    let (later, kind) = found.unwrap_or((operation.id, operation.kind));
    Ok(EngineError::UndoConflict { operation: operation.id, later, kind })
}
