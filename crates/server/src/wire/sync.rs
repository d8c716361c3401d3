//! `POST /api/v1/sync`: the request (what the host shows) and the response (state and changes).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use storeyline_engine::{self as engine, Keep, Names, Role, Row, StateAnswer, StateContent, SyncRequest};
use storeyline_state::{Change, NodeId, Op, StateHash, json};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::common::{Step, Words, all, optional_id, path, raw};
use crate::wire::ids::Cursor;
use crate::wire::{ids, value};

// Named apart from the trait `Sync` of the prelude.
#[derive(Deserialize, ToSchema)]
#[schema(as = Sync)]
pub(crate) struct SyncWire {
    chat: ids::ChatId,
    client: String,
    seq: i64,
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<ids::NodeId>)]
    base: Option<NodeId>,
    #[serde(default)]
    keep: SyncKeep,
    tail: Vec<SyncRow>,
    #[serde(default)]
    #[schema(value_type = HashMap<String, value::Object>)]
    messages: HashMap<String, Box<RawValue>>,
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<ids::StateHash>)]
    have: Option<StateHash>,
    #[serde(default)]
    names: SyncNames,
}

#[derive(Deserialize, Default, ToSchema)]
struct SyncKeep {
    len: usize,
    #[serde(default)]
    digest: String,
}

#[derive(Deserialize, Default, ToSchema)]
#[serde(default)]
pub(crate) struct SyncNames {
    pub(crate) user: String,
    pub(crate) char: String,
}

#[derive(Deserialize, ToSchema)]
struct SyncRow {
    role: String,
    name: String,
    hidden: bool,
    swipes: Vec<SyncPage>,
    active: usize,
}

#[derive(Deserialize, ToSchema)]
struct SyncPage {
    id: ids::PageId,
    h: ids::TextHash,
}

/// In bytes. A client's name is only compared, never shown.
const MAX_CLIENT: usize = 100;

impl TryFrom<SyncWire> for SyncRequest {
    type Error = ApiError;

    fn try_from(wire: SyncWire) -> Result<Self, ApiError> {
        if wire.client.len() > MAX_CLIENT {
            return Err(ApiError::bad_request("`client` is too long"));
        }
        let tail = wire.tail.into_iter().map(row).collect::<Result<_, _>>()?;
        let messages = wire.messages.values().map(|message| json::read(message.get()));
        let messages = messages.collect::<Result<_, _>>().map_err(|error| ApiError::bad_json(&error.to_string()))?;
        Ok(SyncRequest {
            chat: wire.chat.0,
            client: wire.client,
            seq: wire.seq,
            base: wire.base,
            keep: Keep { len: wire.keep.len, digest: wire.keep.digest },
            tail,
            messages,
            have: wire.have,
            names: Names { user: wire.names.user, character: wire.names.char },
        })
    }
}

fn row(SyncRow { role, name, hidden, swipes, active }: SyncRow) -> Result<Row, ApiError> {
    let role = Role::from_word(&role).ok_or_else(|| ApiError::bad_request("an unknown `role`"))?;
    Ok(Row { role, name, hidden, active, pages: swipes.into_iter().map(|page| (page.id.0, page.h.0)).collect() })
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SyncAnswer {
    story: String,
    #[serde(rename = "ref")]
    branch: String,
    node: Option<String>,
    /// Head of the branch: the base of the host once it has carried out `apply`.
    head: Option<String>,
    /// The position in the changes that was seen: wait for changes after it.
    seen: Cursor,
    need: Vec<String>,
    adopt: Vec<(usize, String)>,
    apply: Vec<HostChange>,
    state: Option<SyncState>,
    parent: Option<SyncState>,
    diagnostics: Vec<PageDiagnostic>,
    notices: Vec<Notice>,
    /// Functions are still running: ask again in a moment.
    pending: bool,
    evaluated: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum HostChange {
    Edit {
        floor: usize,
        page: String,
        text: String,
    },
    Select {
        floor: usize,
        page: String,
        index: usize,
    },
    Replace {
        floor: usize,
        #[schema(value_type = Vec<value::Object>)]
        messages: Vec<Box<RawValue>>,
    },
}

#[derive(Serialize, ToSchema)]
struct SyncState {
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = value::Any, required = false)]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<Vec<SyncStateOp>>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum SyncStateOp {
    Set {
        path: Vec<Step>,
        #[schema(value_type = value::Any)]
        value: Box<RawValue>,
    },
    Remove {
        path: Vec<Step>,
        remove: bool,
    },
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PageDiagnostic {
    floor: usize,
    page: String,
    code: String,
    severity: &'static str,
    message: Words,
    source: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Notice {
    code: &'static str,
    message: Words,
}

impl From<engine::SyncAnswer> for SyncAnswer {
    fn from(answer: engine::SyncAnswer) -> Self {
        SyncAnswer {
            story: answer.story.to_string(),
            branch: answer.branch.to_string(),
            node: answer.node.map(|node| node.to_string()),
            head: answer.head.map(|node| node.to_string()),
            seen: answer.seen.into(),
            need: answer.need.iter().map(ToString::to_string).collect(),
            adopt: answer.adopt.iter().map(|(floor, page)| (*floor, page.to_string())).collect(),
            apply: all(answer.apply),
            state: answer.state.map(Into::into),
            parent: answer.parent.map(Into::into),
            diagnostics: all(&answer.diagnostics),
            notices: all(&answer.notices),
            pending: answer.pending,
            evaluated: answer.evaluated,
        }
    }
}

impl From<&engine::PageDiagnostic> for PageDiagnostic {
    fn from(found: &engine::PageDiagnostic) -> Self {
        PageDiagnostic {
            floor: found.floor,
            page: found.page.to_string(),
            code: found.diagnostic.code.clone(),
            severity: found.diagnostic.severity.as_str(),
            message: (&found.diagnostic.message).into(),
            source: found.source.clone(),
        }
    }
}

impl From<&engine::Notice> for Notice {
    fn from(notice: &engine::Notice) -> Self {
        Notice { code: notice.code, message: (&notice.message).into() }
    }
}

impl From<engine::HostChange> for HostChange {
    fn from(change: engine::HostChange) -> Self {
        match change {
            engine::HostChange::Edit { floor, page, text } => HostChange::Edit { floor, page: page.to_string(), text },
            engine::HostChange::Select { floor, page, index } => {
                HostChange::Select { floor, page: page.to_string(), index }
            }
            engine::HostChange::Replace { floor, messages } => {
                HostChange::Replace { floor, messages: messages.iter().map(raw).collect() }
            }
        }
    }
}

impl From<StateAnswer> for SyncState {
    fn from(answer: StateAnswer) -> Self {
        let hash = answer.hash.to_string();
        match answer.content {
            None => SyncState { hash, value: None, ops: None },
            Some(StateContent::Whole(state)) => SyncState { hash, value: Some(raw(&state)), ops: None },
            Some(StateContent::Ops(ops)) => SyncState { hash, value: None, ops: Some(all(&ops)) },
        }
    }
}

impl From<&Op> for SyncStateOp {
    fn from(op: &Op) -> Self {
        match &op.change {
            Change::Set { new, .. } | Change::Insert { new, .. } => {
                SyncStateOp::Set { path: path(&op.path), value: raw(new) }
            }
            Change::Remove { .. } => SyncStateOp::Remove { path: path(&op.path), remove: true },
        }
    }
}
