//! Changes made in Storeyline itself. A bound host chat carries them out with its next sync.

mod correct;
mod pages;
pub(crate) mod policy;
mod refs;
mod reprocess;
mod undo;

mod compare;
mod detail;

use storeyline_history::path_states::fill_states;
use storeyline_history::{Listed, NodeKey, Role};
use storeyline_state::{NodeId, PageId, RefId, StoryId, Value};
use storeyline_store::{Draft, Durability, OperationKind, Owner, Ref, RefKind, Story, View};

pub use self::compare::{Comparison, MergePreview, Prefer};
use self::pages::Written;
pub(crate) use self::policy::record_on_current;
pub use self::policy::{EditPolicy, Settings};
pub use self::refs::RefChange;
pub use self::reprocess::{FloorChange, Reprocess, Reprocessed};
pub use self::undo::Logged;
use crate::branch::{EditedTail, Note, edit_tail, find_branch, find_story, floor_of, length, move_head, put_tail};
use crate::chance::{now, random};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::sync::node_name;

/// How an edited text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// The page has the new text; its id stays.
    #[default]
    InPlace,
    /// The new text is another alternative, and is read.
    AsAlternative,
    /// The page has the new text on every branch.
    OnAllBranches,
}

/// A page to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// Its id; a new one if there is none.
    pub page: Option<PageId>,
    /// Its text.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
}

/// A turn to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTurn {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name.
    pub name: String,
    /// Its page.
    pub page: NewPage,
}

/// A change of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchEdit {
    /// Add a turn at the end.
    Append(NewTurn),
    /// Add a reply: another alternative if the last turn is a reply, else a turn of its own.
    Reply(NewTurn),
    /// Put a turn at a floor; the later ones move down.
    Insert {
        /// Where.
        floor: usize,
        /// What.
        turn: NewTurn,
    },
    /// Add an alternative to a turn and read it.
    AddPage {
        /// Where.
        floor: usize,
        /// What.
        page: NewPage,
    },
    /// Read another page of a turn; what follows stays.
    Select {
        /// Which one.
        page: PageId,
    },
    /// Read another page of a turn with what followed it when it was last read.
    Swipe {
        /// Which one.
        page: PageId,
    },
    /// Give a page another text.
    Edit {
        /// Which one.
        page: PageId,
        /// The new text.
        text: String,
        /// How the old one is kept.
        keep: Keep,
    },
    /// Take an alternative away.
    DeletePage {
        /// Which one.
        page: PageId,
    },
    /// Take turns away.
    Delete {
        /// The first.
        floor: usize,
        /// How many.
        count: usize,
    },
    /// Take a turn away with all that follows it.
    Cut {
        /// The first that goes.
        floor: usize,
    },
    /// Take all alternatives of a turn away but one.
    KeepOnly {
        /// The one that stays.
        page: PageId,
    },
    /// Move a turn to another floor.
    Move {
        /// From where.
        from: usize,
        /// To where, counted without it.
        to: usize,
    },
    /// Hide a turn from the prompt, or show it again.
    Hide {
        /// Where.
        floor: usize,
        /// Hidden or not.
        hidden: bool,
    },
    /// Put turns of another branch at a floor, with their pages as they are.
    Graft {
        /// The other branch.
        from: RefId,
        /// The first turn there.
        first: usize,
        /// How many.
        count: usize,
        /// Where here.
        floor: usize,
    },
    /// Say what the state of a page is, whatever was computed.
    Override {
        /// Which page.
        page: PageId,
        /// The state.
        state: Value,
    },
    /// Forget what was said about the state of a page.
    ClearOverride {
        /// Which page.
        page: PageId,
    },
}

/// What a change led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The number of the operation; nothing: all was so already, and nothing was written down.
    pub operation: Option<i64>,
    /// Where the branch stands now.
    pub node: NodeId,
    /// Which branch; another one than was asked for if an append came too late.
    pub branch: RefId,
    /// The page that was written, if one was.
    pub page: Option<PageId>,
    /// Floors that were evaluated.
    pub evaluated: Vec<usize>,
    /// Whether an append came too late and was kept as an alternative.
    pub late: bool,
}

/// Who changes something, and what they believe.
#[derive(Debug, Clone, Copy, Default)]
pub struct By<'a> {
    /// Who.
    pub client: &'a str,
    /// Where they believe that the branch stands; nothing: wherever it does.
    pub head: Option<NodeId>,
}

impl<'a> By<'a> {
    /// Someone who changes the branch wherever it stands.
    pub fn client(client: &'a str) -> By<'a> {
        By { client, head: None }
    }
}

impl Engine {
    /// Changes a branch.
    pub fn edit_branch(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        change: &BranchEdit,
        by: By<'_>,
    ) -> Result<Edited, EngineError> {
        // Ids and times are made once, however often the change is tried.
        let (change, client, head) = (change.with_new_ids(), by.client.to_owned(), by.head);
        self.change_or_pending(owner, Durability::Full, move |tx| {
            let by = By { client: &client, head };
            let branch = find_branch(tx, story, branch)?;
            let story = find_story(tx, story)?;
            if branch.kind == RefKind::Tag {
                return Err(EngineError::IsTag(branch.id));
            }
            if let BranchEdit::Edit { page, text, keep: Keep::OnAllBranches } = &change {
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
    let change = BranchEdit::Edit { page, text: text.to_owned(), keep: Keep::InPlace };
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
    edit_branch_as(tx, story, branch, change, change.kind(), client)
}

/// Changes a branch and writes it down as an operation of some kind.
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

/// Writes an edited end of a branch, evaluates it, and moves the branch there. If it stands there
/// already no operation is written: taking it back would do nothing.
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

impl NewPage {
    fn with_new_ids(&self) -> NewPage {
        NewPage {
            page: Some(self.page.unwrap_or_else(|| PageId::from_random(random()))),
            text: self.text.clone(),
            time: Some(self.time.unwrap_or_else(now)),
        }
    }
}

impl BranchEdit {
    /// Returns the same with an id and a time for every new page.
    fn with_new_ids(&self) -> BranchEdit {
        let turn = |turn: &NewTurn| NewTurn { page: turn.page.with_new_ids(), ..turn.clone() };
        match self {
            BranchEdit::Append(new) => BranchEdit::Append(turn(new)),
            BranchEdit::Reply(new) => BranchEdit::Reply(turn(new)),
            BranchEdit::Insert { floor, turn: new } => BranchEdit::Insert { floor: *floor, turn: turn(new) },
            BranchEdit::AddPage { floor, page } => BranchEdit::AddPage { floor: *floor, page: page.with_new_ids() },
            other => other.clone(),
        }
    }

    fn kind(&self) -> OperationKind {
        match self {
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
            BranchEdit::Graft { .. } => OperationKind::Graft,
            BranchEdit::Override { .. } | BranchEdit::ClearOverride { .. } => OperationKind::Override,
        }
    }
}
