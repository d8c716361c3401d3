//! What a host says, and what it is told. The contract is in `docs/api.md`.

use storeyline_compat::{Row, initvar};
use storeyline_history::Body;
use storeyline_state::{ChatId, Diagnostic, NodeId, Op, PageId, RefId, StateHash, StoryId, Value, Words, text};
use storeyline_store::{ChangeSeq, Ref, seed_of};

/// The first floors, which did not change since the base.
#[derive(Debug, Clone, Default)]
pub struct Keep {
    pub len: usize,
    /// Their chain digest, as text.
    pub digest: String,
}

/// What `{{user}}` and `{{char}}` mean for new pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The player.
    pub user: String,
    pub character: String,
}

impl Names {
    /// Returns the names as the readers of cards take them: an empty name is not known.
    pub(crate) fn known(&self) -> initvar::Names {
        let known = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        initvar::Names { user: known(&self.user), character: known(&self.character) }
    }

    /// Returns what evaluation may know of a new page. Its luck comes from its id.
    pub(crate) fn body(&self, page: PageId, time: Option<i64>) -> Body {
        Body {
            user: self.user.clone(),
            character: self.character.clone(),
            time,
            seed: seed_of(page),
            ..Body::lone_reply(text::hash(""))
        }
    }
}

/// What a host shows.
#[derive(Debug, Clone)]
pub struct SyncRequest {
    pub chat: ChatId,
    /// Which page load or program speaks.
    pub client: String,
    /// Rises with each request of this client.
    pub seq: i64,
    /// The node that this client last acknowledged.
    pub base: Option<NodeId>,
    /// The first floors.
    pub keep: Keep,
    /// The floors after them.
    pub tail: Vec<Row>,
    /// Host messages that may not be known yet.
    pub messages: Vec<Value>,
    /// The state that the client has.
    pub have: Option<StateHash>,
    /// Names for new pages.
    pub names: Names,
}

/// A state for a client that may have another one.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAnswer {
    pub hash: StateHash,
    /// The state, or how to reach it; neither if the client has it.
    pub content: Option<StateContent>,
}

/// A whole state, or the way from the one the client has.
#[derive(Debug, Clone, PartialEq)]
pub enum StateContent {
    /// All of it.
    Whole(Value),
    /// Ops to apply to the state that the client has.
    Ops(Vec<Op>),
}

/// Something for the host to carry out.
#[derive(Debug, Clone, PartialEq)]
pub enum HostChange {
    /// The read page of a floor has another text.
    Edit { floor: usize, page: PageId, text: String },
    /// Another page of a floor is read.
    Select { floor: usize, page: PageId, index: usize },
    /// From a floor on the chat is this.
    Replace { floor: usize, messages: Vec<Value> },
}

/// A remark about a page that was evaluated now.
#[derive(Debug, Clone, PartialEq)]
pub struct PageDiagnostic {
    pub floor: usize,
    pub page: PageId,
    pub diagnostic: Diagnostic,
    /// The text it is about.
    pub source: String,
}

/// Something the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable.
    pub code: &'static str,
    pub message: Words,
}

/// The answer to a sync.
#[derive(Debug, Clone)]
pub struct SyncAnswer {
    pub story: StoryId,
    /// The branch of the chat.
    pub branch: RefId,
    /// The declared path; the next base.
    pub node: Option<NodeId>,
    /// Where the branch stands; what the host shows once it has done what `apply` says, its base from then on.
    pub head: Option<NodeId>,
    /// The position in the changes that was seen: what others do comes after it.
    pub seen: ChangeSeq,
    /// Pages whose message is missing; if there are any, nothing was written.
    pub need: Vec<PageId>,
    /// Pages that had lost their id.
    pub adopt: Vec<(usize, PageId)>,
    /// What the host has to do.
    pub apply: Vec<HostChange>,
    /// The state at the last floor.
    pub state: Option<StateAnswer>,
    /// The state before the last floor.
    pub parent: Option<StateAnswer>,
    /// Remarks on pages that were evaluated now.
    pub diagnostics: Vec<PageDiagnostic>,
    pub notices: Vec<Notice>,
    /// How many pages were evaluated.
    pub evaluated: usize,
    /// Functions are still running: ask again.
    pub pending: bool,
}

impl SyncAnswer {
    /// The answer to a client that has to ask again, with messages or later.
    pub(super) fn needing(branch: &Ref, seen: ChangeSeq, need: Vec<PageId>) -> SyncAnswer {
        SyncAnswer {
            story: branch.story,
            branch: branch.id,
            node: None,
            head: None,
            seen,
            need,
            adopt: Vec::new(),
            apply: Vec::new(),
            state: None,
            parent: None,
            diagnostics: Vec::new(),
            notices: Vec::new(),
            evaluated: 0,
            pending: false,
        }
    }
}
