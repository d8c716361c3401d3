//! Helpers for reading and moving a branch: find it, list its turns, write an edited end of it, log the
//! operation.

use storeyline_history::edit::{Edit, EditError};
use storeyline_history::node::{Node, ancestor, put_path, turns_below};
use storeyline_history::path_states::stored_state_above;
use storeyline_history::{Listed, NodeKey, NodeTable, StateKey};
use storeyline_state::{PageId, RefId, StoryId};
use storeyline_store::{ChangeSeq, Detail, Draft, Operation, OperationKind, Ref, StoreError, Story, View};

use crate::clock_and_random::now;
use crate::error::{EngineError, Result};

pub(crate) fn find_story(tx: &View<'_>, story: StoryId) -> Result<Story> {
    tx.story(story)?.ok_or(EngineError::UnknownStory(story))
}

/// A ref of a story, in the trash or not.
pub(crate) fn find_any_ref(tx: &View<'_>, story: StoryId, id: RefId) -> Result<Ref> {
    match tx.find_ref(id)?.filter(|found| found.story == story) {
        Some(found) => Ok(found),
        None => find_story(tx, story).and(Err(EngineError::UnknownRef(id))),
    }
}

/// A ref of a story that is not in the trash.
pub(crate) fn find_branch(tx: &View<'_>, story: StoryId, id: RefId) -> Result<Ref> {
    let found = find_any_ref(tx, story, id)?;
    if found.trashed.is_some() { Err(EngineError::InTrash(id)) } else { Ok(found) }
}

/// All turns on the path to a node.
pub(crate) fn turns_to(tx: &View<'_>, node: Option<NodeKey>) -> Result<Vec<Listed>> {
    node.map_or(Ok(Vec::new()), |node| Ok(turns_below(tx, node, 0)?))
}

/// The number of floors on the path to a node.
pub(crate) fn length(tx: &View<'_>, node: Option<NodeKey>) -> Result<usize> {
    node.map_or(Ok(0), |node| Ok(tx.node(node)?.depth))
}

/// The node of a floor; the branch must have it.
pub(crate) fn node_at(tx: &View<'_>, branch: &Ref, floor: usize) -> Result<Node> {
    let floors = length(tx, branch.head)?;
    let head = branch.head.filter(|_| floor < floors).ok_or(EngineError::NoFloor { floor, floors })?;
    ancestor(tx, head, floor + 1)?.ok_or(EngineError::NoFloor { floor, floors })
}

/// The state before the active page of a node whose own state is filled.
pub(crate) fn state_above(tx: &View<'_>, node: &Node) -> Result<StateKey> {
    let parent = tx.node(node.parent)?;
    if let Some(state) = parent.state {
        return Ok(state);
    }
    let turn = tx.turn(node.turn.ok_or_else(|| StoreError::missing("turn of node", node.key.0))?)?;
    let found = stored_state_above(tx, &parent, turn.active_page())?;
    Ok(found.ok_or_else(|| StoreError::missing("first state of node", node.key.0))?)
}

/// Finds the floor of a page, from the end, because most changes are made there.
pub(crate) fn floor_of(tx: &View<'_>, branch: &Ref, page: PageId) -> Result<(usize, Listed)> {
    let mut next = branch.head;
    while let Some(node) = next.map(|key| tx.node(key)).transpose()? {
        let Some(turn) = node.turn else { break };
        let listed = Listed::stored(turn, tx.turn(turn)?);
        if listed.position(page).is_some() {
            return Ok((node.depth - 1, listed));
        }
        next = Some(node.parent);
    }
    Err(EditError::NoPage(page).into())
}

/// The turns of a branch before and after an edit, from the first floor that it touches.
pub(crate) struct EditedTail {
    /// The node above the first turn.
    pub(crate) start: NodeKey,
    /// The floor of its first turn.
    pub(crate) first: usize,
    pub(crate) before: Vec<Listed>,
    pub(crate) after: Vec<Listed>,
}

/// Edits the end of a branch; nothing is written yet.
pub(crate) fn edit_tail(tx: &View<'_>, story: &Story, branch: &Ref, edit: Edit) -> Result<EditedTail> {
    let first = edit.first_floor();
    let (start, before) = tail(tx, story, branch, first)?;
    let after = edit.apply(before.clone(), first)?;
    Ok(EditedTail { start, first, before, after })
}

/// The turns of a branch from a floor on, and the node above them.
pub(crate) fn tail(tx: &View<'_>, story: &Story, branch: &Ref, first: usize) -> Result<(NodeKey, Vec<Listed>)> {
    let Some(head) = branch.head else {
        return if first == 0 { Ok((story.root, Vec::new())) } else { Err(EditError::NoFloor(first).into()) };
    };
    let start = ancestor(tx, head, first)?.ok_or(EditError::NoFloor(first))?;
    Ok((start.key, turns_below(tx, head, first)?))
}

/// Writes turns below a node and returns the last one; an error if the branch would have no floor.
pub(crate) fn put_tail(tx: &mut Draft<'_>, start: NodeKey, turns: &[Listed]) -> Result<NodeKey> {
    let head = put_path(tx, start, turns)?;
    if tx.node(head)?.depth == 0 { Err(EngineError::EmptyPath) } else { Ok(head) }
}

/// What the log says about a change.
#[derive(Debug, Clone)]
pub(crate) struct Note<'a> {
    pub(crate) kind: OperationKind,
    pub(crate) client: &'a str,
    pub(crate) undoes: Option<i64>,
    pub(crate) detail: Detail,
}

impl<'a> Note<'a> {
    pub(crate) fn new(kind: OperationKind, client: &'a str) -> Self {
        Note { kind, client, undoes: None, detail: Detail::None }
    }

    pub(crate) fn with(self, detail: Detail) -> Self {
        Note { detail, ..self }
    }
}

/// Moves a branch, logs that, and returns the number of the operation.
pub(crate) fn move_head(tx: &mut Draft<'_>, branch: &mut Ref, head: NodeKey, note: Note<'_>) -> Result<i64> {
    let before = branch.head;
    branch.head = Some(head);
    record(tx, branch, before, note)
}

/// Logs a change that leaves the head where it is, and returns the number of the operation.
pub(crate) fn record_change(tx: &mut Draft<'_>, branch: &mut Ref, note: Note<'_>) -> Result<i64> {
    let head = branch.head;
    record(tx, branch, head, note)
}

/// Saves a changed ref, logs the change, and returns the number of the operation.
pub(crate) fn record(tx: &mut Draft<'_>, branch: &mut Ref, before: Option<NodeKey>, note: Note<'_>) -> Result<i64> {
    branch.updated = now();
    branch.operation += 1;
    tx.save_ref(branch)?;
    let number = branch.operation;
    tx.log(Operation {
        of: branch.key,
        number,
        seq: ChangeSeq::default(),
        kind: note.kind,
        before,
        after: branch.head,
        undoes: note.undoes,
        client: note.client.to_owned(),
        time: branch.updated,
        detail: note.detail,
    })?;
    Ok(number)
}
