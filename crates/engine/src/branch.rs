//! Reading and moving a branch: shared by every request that does either.

use storeyline_history::node::{path_below, put_path};
use storeyline_history::path_states::StateTable;
use storeyline_history::{NodeTable, Turn};
use storeyline_state::{NodeId, RefId, StoryId, ValueHash};
use storeyline_store::{Operation, OperationKind, Ref, Story, Tx};

use crate::chance::now;
use crate::error::EngineError;

/// A turn with the hash under which it is stored.
pub(crate) type StoredTurn = (ValueHash, Turn);

pub(crate) fn find_story(tx: &Tx<'_>, story: StoryId) -> Result<Story, EngineError> {
    tx.story(story)?.ok_or(EngineError::UnknownStory(story))
}

pub(crate) fn find_branch(tx: &Tx<'_>, story: StoryId, id: RefId) -> Result<Ref, EngineError> {
    find_story(tx, story)?;
    tx.find_ref(id)?.filter(|found| found.story == story).ok_or(EngineError::UnknownRef(id))
}

/// All turns on the way to a node.
pub(crate) fn turns_to(tx: &Tx<'_>, node: Option<NodeId>) -> Result<Vec<StoredTurn>, EngineError> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let nodes = path_below(tx, node, 0)?;
    let turns = nodes.iter().map(|node| {
        let hash = node.turn.expect("only the root has no turn, and it has depth 0");
        Ok((hash, tx.turn(hash)?))
    });
    turns.collect()
}

pub(crate) fn plain(turns: &[StoredTurn]) -> Vec<Turn> {
    turns.iter().map(|(_, turn)| turn.clone()).collect()
}

/// Writes a list of turns below a node and returns its last node.
pub(crate) fn put_turns(tx: &mut Tx<'_>, start: NodeId, turns: &[StoredTurn]) -> Result<NodeId, EngineError> {
    Ok(put_path(tx, start, turns.iter().map(|(hash, turn)| (*hash, turn)))?)
}

/// Writes a whole edited list and returns its last node; equal beginnings are shared.
pub(crate) fn put_list(tx: &mut Tx<'_>, story: &Story, turns: &[Turn]) -> Result<NodeId, EngineError> {
    let mut stored = Vec::with_capacity(turns.len());
    for turn in turns {
        stored.push((tx.put_turn(story.id, turn)?, turn.clone()));
    }
    put_turns(tx, story.root, &stored)
}

/// How many floors lie on the way to a node.
pub(crate) fn length(tx: &Tx<'_>, node: Option<NodeId>) -> Result<usize, EngineError> {
    node.map_or(Ok(0), |node| Ok(tx.node(node)?.depth))
}

/// Moves a branch, writes it down, and returns the number of the operation.
pub(crate) fn move_head(
    tx: &mut Tx<'_>,
    branch: &mut Ref,
    head: NodeId,
    kind: OperationKind,
    client: &str,
) -> Result<i64, EngineError> {
    let before = branch.head;
    branch.head = Some(head);
    branch.updated = now();
    save(tx, branch)?;
    Ok(tx.log(&Operation { of: branch.id, before, after: branch.head, kind, client, time: branch.updated })?)
}

/// Saves a branch, if nobody else changed it since it was read.
pub(crate) fn save(tx: &mut Tx<'_>, branch: &mut Ref) -> Result<(), EngineError> {
    if !tx.put_ref(branch)? {
        return Err(EngineError::RefMoved);
    }
    branch.version += 1;
    Ok(())
}
