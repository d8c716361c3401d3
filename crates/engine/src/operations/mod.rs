//! Edits made in Storeyline itself. A bound host chat applies them with its next sync.

mod pages;
pub(crate) mod policy;
mod preview;
mod refs;
mod reprocess;
mod undo;

mod compare;
mod detail;

use storeyline_history::path_states::fill_states;
use storeyline_history::{Listed, NodeKey};
use storeyline_state::{NodeId, PageId, RefId, StoryId};
use storeyline_store::{Draft, Durability, OperationKind, Owner, Ref, RefKind, Story, View};
use storeyline_wire::KeepText;
use storeyline_wire::operation::{BranchEdit, Edited, NewPage, NewTurn};

use self::pages::Written;
pub use self::policy::Settings;
pub(crate) use self::policy::{record_on_current, settings};
pub(crate) use self::refs::{create_ref, current_ref};
pub use self::reprocess::Reprocess;
use crate::branch::{EditedTail, Note, edit_tail, find_branch, find_story, floor_of, length, move_head, put_tail};
use crate::clock_and_random::{now, random_bytes};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::sync::node_name;

/// The client of a change and the head that it expects.
#[derive(Debug, Clone, Copy, Default)]
pub struct By<'a> {
    pub client: &'a str,
    /// `None` accepts any head.
    pub head: Option<NodeId>,
}

impl<'a> By<'a> {
    /// A client that accepts any head.
    pub fn client(client: &'a str) -> By<'a> {
        By { client, head: None }
    }
}

impl Engine {
    /// Edits a branch.
    pub fn edit_branch(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        change: &BranchEdit,
        by: By<'_>,
    ) -> Result<Edited, EngineError> {
        // Ids and times are generated once for all tries.
        let (change, client, head) = (with_new_ids(change), by.client.to_owned(), by.head);
        self.change_or_pending(owner, Durability::Full, move |tx| {
            let by = By { client: &client, head };
            let branch = find_branch(tx, story, branch)?;
            let story = find_story(tx, story)?;
            if branch.kind == RefKind::Tag {
                return Err(EngineError::IsTag(branch.id));
            }
            if let BranchEdit::Edit { page, text, keep: KeepText::OnAllBranches } = &change {
                return on_all_branches(tx, &story, branch, *page, text, by);
            }
            let stale = by.head.is_some() && by.head != node_name(tx, branch.head)?;
            match &change {
                BranchEdit::Append(turn) if stale => refs::append_late(tx, &story, branch, turn, by),
                _ if stale => Err(EngineError::RefMoved),
                _ => edit_branch(tx, &story, branch, &change, by.client),
            }
        })
    }
}

fn on_all_branches(
    tx: &mut Draft<'_>,
    story: &Story,
    first: Ref,
    page: PageId,
    text: &str,
    by: By<'_>,
) -> Result<Edited, EngineError> {
    let change = BranchEdit::Edit { page, text: text.to_owned(), keep: KeepText::InPlace };
    let others = tx
        .refs(story.key)?
        .into_iter()
        .filter(|other| other.key != first.key && other.kind == RefKind::Branch && other.trashed.is_none());
    for other in others {
        if floor_of(tx, &other, page).is_ok() {
            edit_branch(tx, story, other, &change, by.client)?;
        }
    }
    edit_branch(tx, story, first, &change, by.client)
}

pub(crate) fn edit_branch(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: Ref,
    change: &BranchEdit,
    client: &str,
) -> Result<Edited, EngineError> {
    if let BranchEdit::Swipe { page } = change {
        return refs::swipe(tx, story, branch, *page, client);
    }
    edit_branch_as(tx, story, branch, change, kind(change), client)
}

/// Edits a branch and logs an operation of this kind.
fn edit_branch_as(
    tx: &mut Draft<'_>,
    story: &Story,
    mut branch: Ref,
    change: &BranchEdit,
    kind: OperationKind,
    client: &str,
) -> Result<Edited, EngineError> {
    let Written { edit, page, detail } = pages::write(tx, story, &branch, change)?;
    let mut tail = edit_tail(tx, story, &branch, edit)?;
    pages::fit_host_fields(tx, &mut tail)?;
    refs::remember_reading(tx, &branch, &tail);
    if policy::keeps_states(tx, story, kind)? {
        policy::keep_states(tx, story, &branch, &mut tail)?;
    }
    let EditedTail { start, after, .. } = tail;
    commit(tx, &mut branch, start, &after, Note::new(kind, client).with(detail)).map(|edited| Edited { page, ..edited })
}

/// Writes an edited end of a branch, evaluates it, and moves the branch there. Without a move nothing
/// is logged.
pub(crate) fn commit(
    tx: &mut Draft<'_>,
    branch: &mut Ref,
    start: NodeKey,
    turns: &[Listed],
    note: Note<'_>,
) -> Result<Edited, EngineError> {
    let head = put_tail(tx, start, turns)?;
    let walked = fill_states(tx, head)?;
    let operation = match branch.head == Some(head) {
        true => None,
        false => Some(move_head(tx, branch, head, note)?),
    };
    edited(tx, branch, operation, &walked.evaluated)
}

pub(crate) fn edited(
    tx: &View<'_>,
    branch: &Ref,
    operation: Option<i64>,
    evaluated: &[NodeKey],
) -> Result<Edited, EngineError> {
    let floors = evaluated.iter().map(|node| Ok(length(tx, Some(*node))? - 1)).collect::<Result<_, EngineError>>()?;
    let node = node_name(tx, branch.head)?.ok_or(EngineError::EmptyPath)?;
    Ok(Edited { operation, node, branch: branch.id, page: None, evaluated: floors, late: false })
}

/// Returns the edit with an id and a time for every new page.
fn with_new_ids(change: &BranchEdit) -> BranchEdit {
    let turn = |turn: &NewTurn| NewTurn { page: with_new_id(&turn.page), ..turn.clone() };
    match change {
        BranchEdit::Append(new) => BranchEdit::Append(turn(new)),
        BranchEdit::Reply(new) => BranchEdit::Reply(turn(new)),
        BranchEdit::Insert { floor, turn: new } => BranchEdit::Insert { floor: *floor, turn: turn(new) },
        BranchEdit::AddPage { floor, page } => BranchEdit::AddPage { floor: *floor, page: with_new_id(page) },
        other => other.clone(),
    }
}

fn with_new_id(new: &NewPage) -> NewPage {
    NewPage {
        page: Some(new.page.unwrap_or_else(|| PageId::from_random(random_bytes()))),
        text: new.text.clone(),
        time: Some(new.time.unwrap_or_else(now)),
    }
}

fn kind(change: &BranchEdit) -> OperationKind {
    match change {
        BranchEdit::Append(_) | BranchEdit::Reply(_) => OperationKind::Append,
        BranchEdit::Insert { .. } => OperationKind::Insert,
        BranchEdit::AddPage { .. } => OperationKind::AddPage,
        BranchEdit::Select { .. } => OperationKind::Select,
        BranchEdit::Swipe { .. } => OperationKind::Swipe,
        BranchEdit::Edit { .. } => OperationKind::Edit,
        BranchEdit::DeletePage { .. } => OperationKind::DeletePage,
        BranchEdit::Delete { .. } | BranchEdit::Cut { .. } => OperationKind::Delete,
        BranchEdit::KeepOnly { .. } => OperationKind::KeepOnly,
        BranchEdit::Move { .. } => OperationKind::Move,
        BranchEdit::Hide { .. } => OperationKind::Hide,
        BranchEdit::Validity { .. } => OperationKind::Validity,
        BranchEdit::Graft { .. } => OperationKind::Graft,
        BranchEdit::Override { .. }
        | BranchEdit::ClearOverride { .. }
        | BranchEdit::Set { .. }
        | BranchEdit::Unset { .. } => OperationKind::Override,
    }
}
