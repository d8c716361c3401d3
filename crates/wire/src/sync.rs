//! `POST /api/v1/sync`: the request (what the host shows) and the response (state and changes).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use storeyline_state::{self as state, Op};
use utoipa::ToSchema;

use crate::common::{Path, Words, optional_id};
use crate::ids::{ChatId, Cursor, NodeId, PageId, RefId, StateHash, StoryId, TextHash};
use crate::value::{Json, JsonObject};
use crate::words::{Role, Severity};

/// What a host shows.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = Sync)]
pub struct SyncRequest {
    pub chat: ChatId,
    /// Identifies a page load of the host, or a program.
    pub client: String,
    /// Increases with each request of this client.
    pub seq: i64,
    /// The node that this client last acknowledged.
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<NodeId>)]
    pub base: Option<NodeId>,
    /// The first floors, which are unchanged since the base.
    #[serde(default)]
    #[schema(required = false)]
    pub keep: Keep,
    /// The floors after the unchanged ones.
    pub tail: Vec<SyncRow>,
    /// Host messages that may not be known yet, by any key.
    #[serde(default)]
    #[schema(value_type = HashMap<String, JsonObject>, required = false)]
    pub messages: HashMap<String, Json>,
    /// The state that the client has.
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<StateHash>)]
    pub have: Option<StateHash>,
    #[serde(default)]
    #[schema(required = false)]
    pub names: Names,
}

#[derive(Debug, Clone, Deserialize, Default, ToSchema)]
#[schema(as = SyncKeep)]
pub struct Keep {
    pub len: usize,
    /// Their chain digest, as text.
    #[serde(default)]
    pub digest: String,
}

/// What `{{user}}` and `{{char}}` mean for new pages.
#[derive(Debug, Clone, Deserialize, Default, PartialEq, Eq, ToSchema)]
#[schema(as = SyncNames)]
#[serde(default)]
pub struct Names {
    /// The player.
    pub user: String,
    #[serde(rename = "char")]
    pub character: String,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct SyncRow {
    pub role: Role,
    pub name: String,
    pub hidden: bool,
    pub swipes: Vec<SyncPage>,
    /// Index of the active page.
    pub active: usize,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct SyncPage {
    pub id: PageId,
    pub h: TextHash,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SyncAnswer {
    pub story: StoryId,
    /// The branch of the chat.
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// The path that the host declared; its next base.
    pub node: Option<NodeId>,
    /// Head of the branch: the base of the host once it has carried out `apply`.
    pub head: Option<NodeId>,
    /// The position in the changes that was seen: wait for changes after it.
    pub seen: Cursor,
    /// Pages whose message is needed; if there are any, nothing was written.
    pub need: Vec<PageId>,
    /// Floor and former id of pages that had lost their id.
    pub adopt: Vec<(usize, PageId)>,
    /// The changes that the host has to carry out.
    pub apply: Vec<HostChange>,
    /// The state at the last floor.
    pub state: Option<SyncState>,
    /// The state before the last floor.
    pub parent: Option<SyncState>,
    /// Diagnostics of the evaluated pages.
    pub diagnostics: Vec<PageDiagnostic>,
    pub notices: Vec<Notice>,
    /// Functions are still running: ask again in a moment.
    pub pending: bool,
    /// Number of pages that were evaluated.
    pub evaluated: usize,
}

/// A change that the host has to carry out.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum HostChange {
    /// The active page has another text.
    Edit { floor: usize, page: PageId, text: String },
    /// Another page is active.
    Select { floor: usize, page: PageId, index: usize },
    /// The chat consists of these messages from a floor on.
    Replace {
        floor: usize,
        #[schema(value_type = Vec<JsonObject>)]
        messages: Vec<Json>,
    },
}

/// A state: neither `value` nor `ops` if the client has it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SyncState {
    pub hash: StateHash,
    /// All of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub value: Option<Json>,
    /// Changes of the state that the client has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<SyncStateOp>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SyncStateOp {
    Set { path: Path, value: Json },
    Remove { path: Path, remove: bool },
}

impl From<&Op> for SyncStateOp {
    fn from(op: &Op) -> Self {
        let path = Path(op.path.clone());
        match &op.change {
            state::Change::Set { new, .. } | state::Change::Insert { new, .. } => {
                SyncStateOp::Set { path, value: Json(new.clone()) }
            }
            state::Change::Remove { .. } => SyncStateOp::Remove { path, remove: true },
        }
    }
}

/// A diagnostic of a page that was evaluated.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PageDiagnostic {
    pub floor: usize,
    pub page: PageId,
    pub code: String,
    pub severity: Severity,
    pub message: Words,
    /// The beginning of the text that it refers to.
    pub source: String,
}

/// A message for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Notice {
    /// Stable identifier.
    pub code: String,
    pub message: Words,
}
