//! Request and answer of a sync. The contract is in `docs/api.md`.

use storeyline_compat::{Row, initvar};
use storeyline_history::Body;
use storeyline_state::{ChatId, Diagnostic, NodeId, Op, PageId, RefId, StateHash, StoryId, Value, Words, text};
use storeyline_store::{ChangeSeq, Ref, seed_of};

/// The first floors, which are unchanged since the base.
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
    /// Returns the names for reading cards, where an empty name is `None`.
    pub(crate) fn known(&self) -> initvar::Names {
        let known = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        initvar::Names { user: known(&self.user), character: known(&self.character) }
    }

    /// Returns the inputs of a new page. The seed is derived from its id.
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

/// What a host shows, as a sync request.
#[derive(Debug, Clone)]
pub struct SyncRequest {
    pub chat: ChatId,
    /// Identifies a page load of the host, or a program.
    pub client: String,
    /// Increases with each request of this client.
    pub seq: i64,
    /// The node that this client last acknowledged.
    pub base: Option<NodeId>,
    /// The unchanged first floors.
    pub keep: Keep,
    /// The floors after the unchanged ones.
    pub tail: Vec<Row>,
    /// Host messages that may not be known yet.
    pub messages: Vec<Value>,
    /// The state that the client has.
    pub have: Option<StateHash>,
    pub names: Names,
}

/// A state in an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAnswer {
    pub hash: StateHash,
    /// `None` if the client has the state.
    pub content: Option<StateContent>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StateContent {
    /// All of it.
    Whole(Value),
    /// Ops from the state that the client has.
    Ops(Vec<Op>),
}

/// A change that the host has to apply.
#[derive(Debug, Clone, PartialEq)]
pub enum HostChange {
    /// The active page has another text.
    Edit { floor: usize, page: PageId, text: String },
    /// Another page is active.
    Select { floor: usize, page: PageId, index: usize },
    /// The chat consists of these messages from a floor on.
    Replace { floor: usize, messages: Vec<Value> },
}

/// A diagnostic of a page that was evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct PageDiagnostic {
    pub floor: usize,
    pub page: PageId,
    pub diagnostic: Diagnostic,
    /// The beginning of the text that it refers to.
    pub source: String,
}

/// A message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable identifier.
    pub code: &'static str,
    pub message: Words,
}

/// The answer to a sync.
#[derive(Debug, Clone)]
pub struct SyncAnswer {
    pub story: StoryId,
    /// The branch of the chat.
    pub branch: RefId,
    /// The path that the host declared; its next base.
    pub node: Option<NodeId>,
    /// The head of the branch: the base of the host after it has applied `apply`.
    pub head: Option<NodeId>,
    /// Position in the change feed before this sync; changes of others come after it.
    pub seen: ChangeSeq,
    /// Pages whose message is needed; if there are any, nothing was written.
    pub need: Vec<PageId>,
    /// Floor and former id of pages that had lost their id.
    pub adopt: Vec<(usize, PageId)>,
    /// The changes that the host has to apply.
    pub apply: Vec<HostChange>,
    /// The state at the last floor.
    pub state: Option<StateAnswer>,
    /// The state before the last floor.
    pub parent: Option<StateAnswer>,
    /// Diagnostics of the evaluated pages.
    pub diagnostics: Vec<PageDiagnostic>,
    pub notices: Vec<Notice>,
    /// Number of pages that were evaluated.
    pub evaluated: usize,
    /// Whether functions are still running; then the client has to repeat the request.
    pub pending: bool,
}

impl SyncAnswer {
    /// The answer to a client that has to repeat the request, with messages or later.
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
