//! The three-way merge of a sync: base of the client, path that the host shows, current branch.

use std::collections::HashSet;

use storeyline_history::merge::{Likeness, MergedList, merge, page_twice};
use storeyline_history::node::ancestor;
use storeyline_history::path_states::fill_states;
use storeyline_history::{NodeKey, NodeTable};
use storeyline_state::{NodeId, TextHash, Words};
use storeyline_store::{Draft, Ref, Story, View};

use crate::branch::{Note, move_head, put_tail, turns_to};
use crate::chats::new_ref;
use crate::clock_and_random::now;
use crate::error::Result;
use storeyline_wire::sync::{Notice, SyncRequest};

/// A window that sent a request within this time, in milliseconds, may still be open.
const WINDOW_OPEN: i64 = 2 * 60 * 1000;

/// The client's base, if it is a node of this story.
pub(super) fn base_node(tx: &View<'_>, story: &Story, base: Option<NodeId>) -> Result<Option<NodeKey>> {
    let Some(node) = base.map(|base| tx.find_node(base)).transpose()?.flatten() else { return Ok(None) };
    Ok((tx.story_of_node(node.key)? == story.key).then_some(node.key))
}

/// Returns the base of the three-way merge.
///
/// The first request of a client reports the file as it was saved. If nothing changed on our side since
/// the last report, the file is right, even if it lost something, so the base is the head. This does
/// not hold while another window may be open, because the file may not contain yet what that window
/// reported.
///
/// A host that shows what it last reported has changed nothing, whatever its base is: a file is saved
/// before our answer arrives, and an answer may be lost. The exception is a client whose base is the
/// head: it applied our changes and then reverted them.
pub(super) fn base_of(
    tx: &View<'_>,
    story: &Story,
    branch: &Ref,
    request: &SyncRequest,
    shown: NodeKey,
    first: bool,
) -> Result<Option<NodeKey>> {
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    let others = || tx.others_since(request.chat, &request.client, now() - WINDOW_OPEN);
    if first && branch.head == reported && !others()? {
        return Ok(branch.head);
    }
    let base = base_node(tx, story, request.base)?;
    let goes_on = !first && base.is_some() && base == branch.head;
    if let Some(reported) = reported
        && !goes_on
        && tx.node(reported)?.digest == tx.node(shown)?.digest
    {
        return Ok(Some(reported));
    }
    match (base, branch.head) {
        (Some(base), _) => Ok(Some(base)),
        // It has no base yet; it did not delete what another window reported.
        (None, Some(head)) if others()? => last_equal(tx, head, shown).map(Some),
        (None, _) => Ok(reported),
    }
}

/// The last node up to which two paths have equal digests.
fn last_equal(tx: &View<'_>, one: NodeKey, other: NodeKey) -> Result<NodeKey> {
    let depth = tx.node(one)?.depth.min(tx.node(other)?.depth);
    let at = |node| ancestor(tx, node, depth).map(|found| found.expect("it is not deeper than the node"));
    let (mut one, mut other) = (at(one)?, at(other)?);
    while one.depth > 0 && one.digest != other.digest {
        (one, other) = (tx.node(one.parent)?, tx.node(other.parent)?);
    }
    Ok(one.key)
}

/// Tells whether texts are another version of a branch: a third of the shorter one is on the other. A chat names itself
/// by an id in its own file, so a file may carry the id of a chat that it has nothing to do with.
pub(crate) fn is_version_of(tx: &View<'_>, branch: &Ref, texts: &[Vec<TextHash>]) -> Result<bool> {
    let Some(head) = branch.head else { return Ok(true) };
    let turns = turns_to(tx, Some(head))?;
    let known: HashSet<TextHash> = turns.iter().flat_map(|turn| &turn.pages).map(|page| page.text).collect();
    let common = texts.iter().filter(|floor| floor.iter().any(|text| known.contains(text))).count();
    Ok(3 * common >= turns.len().min(texts.len()))
}

/// The result of a three-way merge.
pub(crate) enum Target {
    /// The branch moves to this node.
    Node(NodeKey),
    /// Both sides changed the same page: the host's path becomes a branch of its own.
    Fork,
}

pub(crate) fn reconcile(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    base: Option<NodeKey>,
    shown: NodeKey,
) -> Result<Target> {
    let Some(head) = branch.head.filter(|head| Some(*head) != base) else {
        return Ok(Target::Node(shown));
    };
    let digest = |node: NodeKey| tx.node(node).map(|node| node.digest);
    let base_digest = base.map(digest).transpose()?.flatten();
    // The host changed nothing. Digests do not cover overrides, so equal digests of head and `shown`
    // are merged below.
    if base == Some(shown) || base_digest == digest(shown)? && digest(head)? != digest(shown)? {
        return Ok(Target::Node(head));
    }
    let [base, host, ours] = [base, Some(shown), Some(head)].map(|node| turns_to(tx, node));
    match merge(&base?, &host?, &ours?, Likeness::Shown) {
        MergedList::Clean(turns) if page_twice(&turns).is_some() => Ok(Target::Fork),
        MergedList::Clean(turns) => Ok(Target::Node(put_tail(tx, story.root, &turns)?)),
        MergedList::Conflict => Ok(Target::Fork),
    }
}

pub(crate) fn move_branch(
    tx: &mut Draft<'_>,
    story: &Story,
    mut branch: Ref,
    target: Target,
    shown: NodeKey,
    note: Note<'_>,
) -> Result<(Ref, Vec<Notice>)> {
    let mut notices = Vec::new();
    let head = match target {
        Target::Node(head) => head,
        Target::Fork => {
            branch = fork(tx, story, branch)?;
            notices.push(forked(&branch.name));
            shown
        }
    };
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    if let Some(host) = &mut branch.host {
        host.reported = Some(shown);
    }
    fill_states(tx, head)?;
    if branch.head != Some(head) {
        move_head(tx, &mut branch, head, note)?;
    } else if reported != Some(shown) {
        tx.save_ref(&mut branch)?;
    }
    Ok((branch, notices))
}

/// Creates a new branch for the host chat; the old one stays without a chat.
fn fork(tx: &mut Draft<'_>, story: &Story, mut old: Ref) -> Result<Ref> {
    let host = old.host.take();
    tx.save_ref(&mut old)?;
    let name = format!("{} · {}", old.name, tx.refs(old.story_key)?.len() + 1);
    Ok(Ref { host, header: old.header, ..new_ref(story, old.kind, &name, Some(old.key)) })
}

fn forked(name: &str) -> Notice {
    Notice {
        code: "forked".to_owned(),
        message: Words::new(
            format!("聊天和 Storeyline 同时改了同一处。聊天里的内容现在是新分支“{name}”，原分支没有改动。"),
            format!(
                "The chat and Storeyline changed the same place. What the chat shows is the new branch \"{name}\" now; the other branch is unchanged."
            ),
        ),
    }
}
