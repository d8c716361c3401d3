//! Three sides of a branch: the base, what the host shows, where the branch stands.

use storeyline_history::merge::{Merged, merge};
use storeyline_history::node::ancestor;
use storeyline_history::path_states::fill_states;
use storeyline_history::{NodeTable, Scripts};
use storeyline_state::{NodeId, RefId, Words};
use storeyline_store::{OperationKind, Ref, Story, Tx};

use super::{Notice, SyncRequest};
use crate::branch::{move_head, plain, put_list, save, turns_to};
use crate::chance::random;
use crate::error::EngineError;

/// The client's base, if it is a node of this story.
pub(super) fn known_base(tx: &Tx<'_>, story: &Story, base: Option<NodeId>) -> Result<Option<NodeId>, EngineError> {
    let Some(base) = base else { return Ok(None) };
    if !tx.has_node(base)? {
        return Ok(None);
    }
    let root = ancestor(tx, base, 0)?.map(|node| node.id);
    Ok((root == Some(story.root)).then_some(base))
}

/// A client that has just read the file speaks for the file: where nothing was changed on our
/// side since the host last reported, the file is simply right, even if it lost something.
pub(super) fn base_of(
    tx: &Tx<'_>,
    story: &Story,
    branch: &Ref,
    request: &SyncRequest,
    first: bool,
) -> Result<Option<NodeId>, EngineError> {
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    if first && branch.head == reported {
        return Ok(branch.head);
    }
    Ok(known_base(tx, story, request.base)?.or(reported))
}

/// What becomes of the branch.
pub(super) enum Target {
    /// It stands here now.
    Node(NodeId),
    /// Both sides changed the same page: the host's path becomes a branch of its own.
    Fork,
}

pub(super) fn reconcile(
    tx: &mut Tx<'_>,
    story: &Story,
    branch: &Ref,
    base: Option<NodeId>,
    shown: NodeId,
) -> Result<Target, EngineError> {
    let Some(head) = branch.head.filter(|head| Some(*head) != base) else {
        return Ok(Target::Node(shown));
    };
    let digest = |node: NodeId| tx.node(node).map(|node| node.digest);
    if digest(head)? == digest(shown)? {
        return Ok(Target::Node(shown));
    }
    let base_digest = base.map(digest).transpose()?.flatten();
    if base_digest == digest(shown)? {
        return Ok(Target::Node(head));
    }
    let [base, host, ours] = [base, Some(shown), Some(head)].map(|node| turns_to(tx, node));
    match merge(&plain(&base?), &plain(&host?), &plain(&ours?)) {
        Merged::Clean(turns) => Ok(Target::Node(put_list(tx, story, &turns)?)),
        Merged::Conflict => Ok(Target::Fork),
    }
}

pub(super) fn move_branch(
    tx: &mut Tx<'_>,
    mut branch: Ref,
    target: Target,
    shown: NodeId,
    kind: OperationKind,
    client: &str,
    scripts: &mut dyn Scripts,
) -> Result<(Ref, Vec<Notice>), EngineError> {
    let mut notices = Vec::new();
    let head = match target {
        Target::Node(head) => head,
        Target::Fork => {
            branch = fork(tx, branch)?;
            notices.push(forked(&branch.name));
            shown
        }
    };
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    if let Some(host) = &mut branch.host {
        host.reported = Some(shown);
    }
    fill_states(tx, head, scripts)?;
    if branch.head != Some(head) {
        move_head(tx, &mut branch, head, kind, client)?;
    } else if reported != Some(shown) {
        save(tx, &mut branch)?;
    }
    Ok((branch, notices))
}

/// Gives the host chat a branch of its own; the old one stays where it is, without a chat.
fn fork(tx: &mut Tx<'_>, mut old: Ref) -> Result<Ref, EngineError> {
    let host = old.host.take();
    save(tx, &mut old)?;
    let name = format!("{} · {}", old.name, tx.refs(old.story)?.len() + 1);
    Ok(Ref { id: RefId::from_random(random()), name, head: None, version: 0, host, ..old })
}

fn forked(name: &str) -> Notice {
    Notice {
        code: "forked",
        message: Words::new(
            format!("聊天和 Storeyline 同时改了同一处。聊天里的内容现在是新分支“{name}”，原分支没有改动。"),
            format!(
                "The chat and Storeyline changed the same place. What the chat shows is the new branch \"{name}\" now; the other branch is unchanged."
            ),
        ),
    }
}
