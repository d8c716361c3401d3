//! `POST /api/v1/sync`: the request (what the host shows) and the response (state and changes).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use storeyline_engine::{
    HostChange, Keep, Names, Notice, PageDiagnostic, Role, Row, StateAnswer, StateContent, SyncAnswer, SyncRequest,
};
use storeyline_state::{Change, ChatId, NodeId, Op, PageId, StateHash, TextHash, json};

use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::common::{StepWire, WordsWire, id, optional_id, path, raw};
use crate::wire::ids::Cursor;
use crate::wire::{ids, value};

#[derive(Deserialize, ToSchema)]
#[schema(as = Sync)]
pub(crate) struct SyncWire {
    #[serde(deserialize_with = "id")]
    #[schema(value_type = ids::Chat)]
    chat: ChatId,
    client: String,
    seq: i64,
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<ids::Node>)]
    base: Option<NodeId>,
    #[serde(default)]
    keep: KeepWire,
    tail: Vec<RowWire>,
    #[serde(default)]
    #[schema(value_type = HashMap<String, value::Object>)]
    messages: HashMap<String, Box<RawValue>>,
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<ids::StateHash>)]
    have: Option<StateHash>,
    #[serde(default)]
    names: NamesWire,
}

#[derive(Deserialize, Default, ToSchema)]
#[schema(as = SyncKeep)]
struct KeepWire {
    len: usize,
    #[serde(default)]
    digest: String,
}

#[derive(Deserialize, Default, ToSchema)]
#[schema(as = SyncNames)]
#[serde(default)]
pub(crate) struct NamesWire {
    pub(crate) user: String,
    pub(crate) char: String,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = SyncRow)]
struct RowWire {
    role: String,
    name: String,
    hidden: bool,
    swipes: Vec<PageWire>,
    active: usize,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = SyncPage)]
struct PageWire {
    #[serde(deserialize_with = "id")]
    #[schema(value_type = ids::Page)]
    id: PageId,
    #[serde(deserialize_with = "id")]
    #[schema(value_type = ids::TextHash)]
    h: TextHash,
}

/// In bytes. A client's name is only compared, never shown.
const MAX_CLIENT: usize = 100;

impl TryFrom<SyncWire> for SyncRequest {
    type Error = ApiError;

    fn try_from(wire: SyncWire) -> Result<Self, ApiError> {
        if wire.client.len() > MAX_CLIENT {
            return Err(ApiError::bad_request("`client` is too long"));
        }
        let tail = wire.tail.into_iter().map(Row::try_from).collect::<Result<_, _>>()?;
        let messages = wire.messages.values().map(|message| json::read(message.get()));
        let messages = messages.collect::<Result<_, _>>().map_err(|error| ApiError::bad_json(&error.to_string()))?;
        Ok(SyncRequest {
            chat: wire.chat,
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

impl TryFrom<RowWire> for Row {
    type Error = ApiError;

    fn try_from(wire: RowWire) -> Result<Self, ApiError> {
        let role = Role::from_word(&wire.role).ok_or_else(|| ApiError::bad_request("an unknown `role`"))?;
        let pages = wire.swipes.into_iter().map(|page| (page.id, page.h)).collect();
        Ok(Row { role, name: wire.name, hidden: wire.hidden, active: wire.active, pages })
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = SyncAnswer)]
pub(crate) struct SyncAnswerWire {
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
    apply: Vec<HostChangeWire>,
    state: Option<StateWire>,
    parent: Option<StateWire>,
    diagnostics: Vec<PageDiagnosticWire>,
    notices: Vec<NoticeWire>,
    /// Functions are still running: ask again in a moment.
    pending: bool,
    evaluated: usize,
}

#[derive(Serialize, ToSchema)]
#[schema(as = HostChange)]
#[serde(tag = "op", rename_all = "snake_case")]
enum HostChangeWire {
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
#[schema(as = SyncState)]
struct StateWire {
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = value::Any, required = false)]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<Vec<StateOpWire>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SyncStateOp)]
#[serde(untagged)]
enum StateOpWire {
    Set {
        path: Vec<StepWire>,
        #[schema(value_type = value::Any)]
        value: Box<RawValue>,
    },
    Remove {
        path: Vec<StepWire>,
        remove: bool,
    },
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageDiagnostic)]
pub(crate) struct PageDiagnosticWire {
    floor: usize,
    page: String,
    code: String,
    severity: &'static str,
    message: WordsWire,
    source: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Notice)]
pub(crate) struct NoticeWire {
    code: &'static str,
    message: WordsWire,
}

impl From<SyncAnswer> for SyncAnswerWire {
    fn from(answer: SyncAnswer) -> Self {
        SyncAnswerWire {
            story: answer.story.to_string(),
            branch: answer.branch.to_string(),
            node: answer.node.map(|node| node.to_string()),
            head: answer.head.map(|node| node.to_string()),
            seen: answer.seen.into(),
            need: answer.need.iter().map(ToString::to_string).collect(),
            adopt: answer.adopt.iter().map(|(floor, page)| (*floor, page.to_string())).collect(),
            apply: answer.apply.into_iter().map(Into::into).collect(),
            state: answer.state.map(Into::into),
            parent: answer.parent.map(Into::into),
            diagnostics: answer.diagnostics.iter().map(Into::into).collect(),
            notices: answer.notices.iter().map(Into::into).collect(),
            pending: answer.pending,
            evaluated: answer.evaluated,
        }
    }
}

impl From<&PageDiagnostic> for PageDiagnosticWire {
    fn from(found: &PageDiagnostic) -> Self {
        PageDiagnosticWire {
            floor: found.floor,
            page: found.page.to_string(),
            code: found.diagnostic.code.clone(),
            severity: found.diagnostic.severity.as_str(),
            message: (&found.diagnostic.message).into(),
            source: found.source.clone(),
        }
    }
}

impl From<&Notice> for NoticeWire {
    fn from(notice: &Notice) -> Self {
        NoticeWire { code: notice.code, message: (&notice.message).into() }
    }
}

impl From<HostChange> for HostChangeWire {
    fn from(change: HostChange) -> Self {
        match change {
            HostChange::Edit { floor, page, text } => HostChangeWire::Edit { floor, page: page.to_string(), text },
            HostChange::Select { floor, page, index } => {
                HostChangeWire::Select { floor, page: page.to_string(), index }
            }
            HostChange::Replace { floor, messages } => {
                HostChangeWire::Replace { floor, messages: messages.iter().map(raw).collect() }
            }
        }
    }
}

impl From<StateAnswer> for StateWire {
    fn from(answer: StateAnswer) -> Self {
        let hash = answer.hash.to_string();
        match answer.content {
            None => StateWire { hash, value: None, ops: None },
            Some(StateContent::Whole(state)) => StateWire { hash, value: Some(raw(&state)), ops: None },
            Some(StateContent::Ops(ops)) => {
                StateWire { hash, value: None, ops: Some(ops.iter().map(Into::into).collect()) }
            }
        }
    }
}

impl From<&Op> for StateOpWire {
    fn from(op: &Op) -> Self {
        match &op.change {
            Change::Set { new, .. } | Change::Insert { new, .. } => {
                StateOpWire::Set { path: path(&op.path), value: raw(new) }
            }
            Change::Remove { .. } => StateOpWire::Remove { path: path(&op.path), remove: true },
        }
    }
}
