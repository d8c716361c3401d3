//! Answers that describe stories, their branches and tags (`Ref`), floors (a place in the chat; its pages are the
//! alternative texts there) and the calls found in a text with their results. `…Line` is an entry of a list.

use serde::Serialize;
use utoipa::ToSchema;

use crate::common::{Change, Diagnostic};
use crate::ids::{ChatId, NodeId, PageId, RefId, StateHash, StoryId};
use crate::value::Json;
use crate::words::{RefKind, Role, Verdict};

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Story {
    pub story: StoryId,
    pub title: String,
    /// `native`, `mvu`, `sam-…` or `varsystem`.
    pub profile: String,
    /// The card or group that it is played with.
    pub card: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// The last changed first; without those in the trash.
    pub refs: Vec<Ref>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Ref {
    #[serde(rename = "ref")]
    pub id: RefId,
    pub name: String,
    pub kind: RefKind,
    pub note: String,
    pub colour: String,
    /// Whether it is the branch that is read.
    pub current: bool,
    /// The ref that it came from.
    pub from: Option<RefId>,
    /// Number of floors that both share.
    pub shared: Option<usize>,
    /// Number of floors.
    pub floors: usize,
    /// The node of its last floor.
    pub head: Option<NodeId>,
    pub chat: Option<ChatId>,
    /// Name of the file in the host, without extension.
    pub file: Option<String>,
    /// Number of the last operation on it.
    pub operation: i64,
    /// Milliseconds since 1970.
    pub updated: i64,
    /// When it was moved to the trash, in milliseconds since 1970.
    pub trashed: Option<i64>,
}

/// One floor in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FloorLine {
    pub floor: usize,
    /// The active page.
    pub page: PageId,
    pub role: Role,
    pub name: String,
    /// When the page was written, in milliseconds since 1970.
    pub time: Option<i64>,
    pub hidden: bool,
    /// Whether the calls of the page are executed and models read it.
    pub valid: bool,
    /// Beginning of the text, on one line.
    pub preview: String,
    /// Number of pages.
    pub pages: usize,
    /// Index of the active page.
    pub active: usize,
    pub changes: Changes,
    /// Whether the page was edited by hand.
    pub overridden: bool,
    /// Whether the page keeps a state from before a change further up.
    pub stale: bool,
}

/// Numbers of changes that a page made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Changes {
    pub changed: usize,
    pub added: usize,
    pub removed: usize,
    /// Number of calls that failed.
    pub failed: usize,
}

/// A floor, with the text, state and calls of one of its pages.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Floor {
    pub floor: usize,
    /// The page that is shown.
    pub page: PageId,
    pub role: Role,
    pub name: String,
    /// When the page was written, in milliseconds since 1970.
    pub time: Option<i64>,
    pub hidden: bool,
    pub text: String,
    pub pages: Vec<PageLine>,
    /// Index of the active page.
    pub active: usize,
    /// The floor whose state it builds on; null: the first state.
    pub from: Option<usize>,
    pub state: Json,
    pub hash: StateHash,
    pub calls: Vec<Call>,
    /// Diagnostics that belong to no call.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the page was edited by hand.
    pub overridden: bool,
    /// Whether the page keeps a state from before a change further up.
    pub stale: bool,
}

/// The result of evaluating a text on a state.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Evaluation {
    pub state: Json,
    pub calls: Vec<Call>,
    pub diagnostics: Vec<Diagnostic>,
}

/// One page in the list of a floor's pages.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PageLine {
    pub page: PageId,
    /// Beginning of the text, on one line.
    pub preview: String,
}

/// A call or a function of a page, with what it did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Call {
    /// With the mark of its dialect, for example `@.ADD`; for a passive function, its own name.
    pub name: String,
    /// The beginning of the call as written, at most 200 characters; `span` is all of it.
    pub source: String,
    /// Start and end in UTF-16 code units of the text; both 0 for a passive function.
    pub span: [usize; 2],
    pub verdict: Verdict,
    /// The reason that the text gives.
    pub reason: Option<String>,
    pub ops: Vec<Change>,
    pub diagnostics: Vec<Diagnostic>,
}
