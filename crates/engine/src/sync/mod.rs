//! Sync: a host declares what it shows; its changes are merged into the branch, and changes made in
//! Storeyline are returned.

mod types;

mod adopt;
mod host_changes;
mod state_answer;
mod three_way;

use storeyline_compat::Row;
use storeyline_history::node::{ancestor, put_path};
use storeyline_history::path_states::fill_states;
use storeyline_history::{Listed, NodeKey, NodeTable};
use storeyline_state::NodeId;
use storeyline_store::{Draft, Durability, OperationKind, Owner, Ref, Story, View};
use storeyline_wire::sync::{SyncAnswer, SyncRequest};

use self::adopt::{Adopted, adopt_lost_ids};
use self::host_changes::host_changes;
pub(crate) use self::host_changes::page_diagnostics;
use self::state_answer::states_at;
use self::three_way::{Target, base_node, base_of};
pub(crate) use self::three_way::{is_version_of, move_branch, reconcile};
pub(crate) use self::types::{known_names, new_body};
use self::types::{needing, rows};
use crate::branch::{EditedTail, Note, find_story, length, tail as tail_of};
use crate::clock_and_random::now;
use crate::declared::{Declared, Messages, RowContext, read_rows};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::operations::policy;
use crate::shown::cursor;

impl Engine {
    /// Merges what a host shows into its branch.
    pub fn sync(&self, owner: &Owner, request: &SyncRequest) -> Result<SyncAnswer, EngineError> {
        let messages = Messages::new(request.messages.values().map(|message| &message.0));
        let (request, tail) = (request.clone(), rows(&request.tail));
        // Durability is normal because the host file is a second copy of all of this.
        let chat = request.chat;
        let synced = self
            .change_or_pending(owner, Durability::Normal, move |tx| sync(tx, &request, &tail, &mut messages.clone()));
        match synced {
            Err(EngineError::Pending) => self.read(owner, |tx| {
                let branch = tx.ref_of_chat(chat)?.ok_or(EngineError::UnknownChat(chat))?;
                Ok(SyncAnswer { pending: true, ..needing(&branch, tx.last_change()?, Vec::new()) })
            }),
            done => done,
        }
    }
}

fn sync(
    tx: &mut Draft<'_>,
    request: &SyncRequest,
    tail: &[Row],
    messages: &mut Messages,
) -> Result<SyncAnswer, EngineError> {
    // A branch in the trash counts as unknown, so that the host opens the chat again.
    let branch = tx.ref_of_chat(request.chat)?.filter(|branch| branch.trashed.is_none());
    let branch = branch.ok_or(EngineError::UnknownChat(request.chat))?;
    let story = find_story(tx, branch.story)?;
    let seen = tx.last_change()?;
    let order = check_seq(tx, request)?;
    let first = order == RequestOrder::First;
    if request.keep.len + tail.len() == 0 {
        return Err(EngineError::EmptyPath);
    }
    let start = kept_node(tx, &story, request)?;
    let Adopted { rows, pages: adopt } = match first {
        true => adopt_lost_ids(tx, &story, &branch, request.keep.len, tail, messages)?,
        false => Adopted { rows: tail.to_vec(), pages: Vec::new() },
    };
    let context = RowContext { story: &story, branch: &branch, first: request.keep.len };
    let turns = match read_rows(tx, &context, &rows, messages, &request.names)? {
        Declared::Turns(turns) => turns,
        // The ids that the client declared: it does not know adopted ones yet.
        Declared::Need(rows) => {
            let page = |row: usize| tail[row].pages[tail[row].active].0;
            return Ok(needing(&branch, seen, rows.into_iter().map(page).collect()));
        }
    };
    let turns = match policy::keeps_states_of_host(tx, &story)? && branch.head.is_some() {
        true => kept_states(tx, &story, &branch, start, turns, request.keep.len)?,
        false => turns,
    };
    let shown = put_path(tx, start, &turns)?;
    let walked = fill_states(tx, shown)?;
    tx.put_seq(request.chat, &request.client, request.seq, now());
    let (shown, branch, notices) = match order {
        // The first request was carried out; the branch may have moved since.
        RequestOrder::Again if branch.head.is_some() => {
            let head = branch.head.unwrap_or(shown);
            (head_if_equal(tx, shown, &Target::Node(head))?, branch, Vec::new())
        }
        _ => {
            let base = base_of(tx, &story, &branch, request, shown, first)?;
            let texts = |row: &Row| row.pages.iter().map(|(_, text)| *text).collect();
            // Whoever names our head has seen this chat, and may have replaced everything in it.
            let is_strange = first && request.keep.len == 0 && base_node(tx, &story, request.base)? != branch.head;
            let target = match is_strange {
                true if !is_version_of(tx, &branch, &rows.iter().map(texts).collect::<Vec<_>>())? => Target::Fork,
                _ => reconcile(tx, &story, &branch, base, shown)?,
            };
            let shown = head_if_equal(tx, shown, &target)?;
            let note = Note::new(OperationKind::Sync, &request.client);
            let (branch, notices) = move_branch(tx, &story, branch, target, shown, note)?;
            (shown, branch, notices)
        }
    };
    let (state, parent) = states_at(tx, shown, base_node(tx, &story, request.base)?, request.have)?;
    Ok(SyncAnswer {
        story: story.id,
        branch: branch.id,
        node: node_name(tx, Some(shown))?,
        head: node_name(tx, branch.head)?,
        seen: cursor(seen),
        need: Vec::new(),
        adopt,
        apply: host_changes(tx, shown, branch.head.unwrap_or(shown))?,
        state: Some(state),
        parent: Some(parent),
        diagnostics: page_diagnostics(tx, &walked.evaluated)?,
        notices,
        evaluated: walked.evaluated.len(),
        pending: false,
    })
}

/// Returns the head if the host shows the same as the branch: overrides are not visible in a chat.
fn head_if_equal(tx: &View<'_>, shown: NodeKey, target: &Target) -> Result<NodeKey, EngineError> {
    let digest = |node: NodeKey| tx.node(node).map(|node| node.digest);
    match target {
        Target::Node(head) if digest(*head)? == digest(shown)? => Ok(*head),
        _ => Ok(shown),
    }
}

/// Under the edit policy `manual` a floor that the host changed keeps its state until it is re-processed.
fn kept_states(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    start: NodeKey,
    turns: Vec<Listed>,
    first: usize,
) -> Result<Vec<Listed>, EngineError> {
    let first = first.min(length(tx, branch.head)?);
    let (_, before) = tail_of(tx, story, branch, first)?;
    let mut edited = EditedTail { start, first, before, after: turns };
    policy::keep_states(tx, story, branch, &mut edited)?;
    Ok(edited.after)
}

/// The position of a request among those of its client.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestOrder {
    /// The first about this chat.
    First,
    /// A new one.
    Next,
    /// The last one again.
    Again,
}

fn check_seq(tx: &View<'_>, request: &SyncRequest) -> Result<RequestOrder, EngineError> {
    match tx.last_seq(request.chat, &request.client)? {
        Some(last) if request.seq < last => Err(EngineError::OldSeq { seq: request.seq, last }),
        Some(last) if request.seq == last => Ok(RequestOrder::Again),
        Some(_) => Ok(RequestOrder::Next),
        None => Ok(RequestOrder::First),
    }
}

/// The node after the kept floors; the digest proves that both sides have the same floors.
fn kept_node(tx: &View<'_>, story: &Story, request: &SyncRequest) -> Result<NodeKey, EngineError> {
    if request.keep.len == 0 {
        return Ok(story.root);
    }
    let base = base_node(tx, story, request.base)?.ok_or(EngineError::KeepMismatch)?;
    let node = ancestor(tx, base, request.keep.len)?.ok_or(EngineError::KeepMismatch)?;
    let digest = node.digest.map(|digest| digest.to_string()).unwrap_or_default();
    if digest == request.keep.digest { Ok(node.key) } else { Err(EngineError::KeepMismatch) }
}

/// The public id of a node.
pub(crate) fn node_name(tx: &View<'_>, node: Option<NodeKey>) -> Result<Option<NodeId>, EngineError> {
    Ok(node.map(|node| tx.node(node)).transpose()?.map(|node| node.id))
}
