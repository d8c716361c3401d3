//! Bodies, parameters and errors of the HTTP interface that the server plugin of ST-VarSystem (`var-manager`) offers
//! to its browser extension. Our server answers in its place, so that the extension works unchanged; `Fields` checks
//! bodies and words errors as the plugin does.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use storeyline_engine::{Dated, ForeignSaved, ForeignSnapshot};
use storeyline_state::{Value, json};
use storeyline_wire::assets::{Snapshot, SnapshotLine};
use utoipa::{IntoParams, ToSchema};

use crate::answer::Json;

/// Saves the variables of a chat message.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmSnapshotSave {
    identifier: Option<String>,
    message_id: Option<String>,
    chat_file: String,
    /// An object or a list.
    payload: storeyline_wire::Json,
}

/// A snapshot that was edited.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmSnapshotPut {
    /// An object or a list; `payload` is accepted too.
    snapshot: storeyline_wire::Json,
    /// Required if the snapshot does not exist yet.
    chat_file: Option<String>,
    message_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmSnapshotSaved {
    identifier: String,
    chat_file: String,
    message_id: Option<String>,
    structure_id: i64,
    structure_hash: String,
    created_at: i64,
    replaced: bool,
}

impl VmSnapshotSaved {
    pub(crate) fn new(ForeignSaved { snapshot, replaced }: ForeignSaved, payload: &Value) -> Self {
        VmSnapshotSaved {
            identifier: snapshot.name,
            chat_file: snapshot.chat,
            message_id: snapshot.message,
            structure_id: snapshot.number,
            structure_hash: payload.hash().to_string(),
            created_at: snapshot.created,
            replaced,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmSnapshot {
    identifier: String,
    chat_file: String,
    message_id: Option<String>,
    created_at: i64,
    payload: storeyline_wire::Json,
}

impl VmSnapshot {
    pub(crate) fn new(snapshot: ForeignSnapshot, payload: Value) -> Self {
        VmSnapshot {
            identifier: snapshot.name,
            chat_file: snapshot.chat,
            message_id: snapshot.message,
            created_at: snapshot.created,
            payload: storeyline_wire::Json(payload),
        }
    }
}

/// Which chat.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmChat {
    chat_file: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmDeleted {
    pub(crate) deleted_count: usize,
    pub(crate) message: String,
}

/// The chats that exist.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmCleanup {
    /// Snapshots of all other chats go to the trash; an empty list moves nothing.
    active_chat_files: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmCleaned {
    pub(crate) deleted_count: usize,
    pub(crate) total_scanned: usize,
    pub(crate) deleted_chat_files: Vec<String>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmTemplateSave {
    character_name: String,
    template: storeyline_wire::Json,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmTemplate {
    pub(crate) character_name: String,
    pub(crate) template: storeyline_wire::Json,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description of the interface; `Fields` reads the body")]
pub(crate) struct VmGlobalSave {
    snapshot_id: Option<String>,
    name: String,
    description: Option<String>,
    snapshot_body: storeyline_wire::Json,
    tags: Option<Vec<String>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmGlobalSaved {
    pub(crate) snapshot_id: String,
    pub(crate) structure_id: i64,
    pub(crate) structure_hash: String,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) replaced: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmGlobalLine {
    snapshot_id: String,
    name: String,
    description: Option<String>,
    tags: Vec<String>,
    created_at: i64,
    updated_at: i64,
}

impl From<&Dated<Snapshot>> for VmGlobalLine {
    fn from(kept: &Dated<Snapshot>) -> Self {
        let (created_at, updated_at) = (kept.created, kept.updated);
        let SnapshotLine { snapshot: snapshot_id, name, description, tags, .. } = kept.value.labels.clone();
        let description = Some(description).filter(|words| !words.is_empty());
        VmGlobalLine { snapshot_id, name, description, tags, created_at, updated_at }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct VmGlobalList {
    pub(crate) snapshots: Vec<VmGlobalLine>,
    pub(crate) total: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmGlobal {
    snapshot_id: String,
    name: String,
    description: Option<String>,
    snapshot_body: storeyline_wire::Json,
    tags: Vec<String>,
    created_at: i64,
    updated_at: i64,
}

impl From<Dated<Snapshot>> for VmGlobal {
    fn from(kept: Dated<Snapshot>) -> Self {
        let VmGlobalLine { snapshot_id, name, description, tags, created_at, updated_at } = (&kept).into();
        let snapshot_body = kept.value.state;
        VmGlobal { snapshot_id, name, description, snapshot_body, tags, created_at, updated_at }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GlobalQuery {
    /// Only those with this tag.
    pub(crate) tag: Option<String>,
    /// Maximum number; 100 if it is not a number.
    pub(crate) limit: Option<String>,
    /// Number of snapshots to skip.
    pub(crate) offset: Option<String>,
}

#[derive(Deserialize, IntoParams)]
pub(crate) struct VmSnapshotAt {
    /// Identifier of the snapshot.
    pub(crate) identifier: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(names("chatFile"))]
pub(crate) struct VmChatAt(pub(crate) String);

#[derive(Deserialize, IntoParams)]
#[into_params(names("characterName"))]
pub(crate) struct VmTemplateAt(pub(crate) String);

#[derive(Deserialize, IntoParams)]
#[into_params(names("snapshotId"))]
pub(crate) struct VmGlobalAt(pub(crate) String);

/// An error as the plugin words it.
#[derive(Serialize, ToSchema)]
pub(crate) struct VmError {
    pub(crate) error: storeyline_wire::Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = storeyline_wire::Json, required = false)]
    pub(crate) details: Option<storeyline_wire::Json>,
}

impl IntoResponse for VmError {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(self)).into_response()
    }
}

/// Snapshots in the trash.
#[derive(Serialize, ToSchema)]
pub(crate) struct VmTrash {
    pub(crate) snapshots: Vec<VmTrashed>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmTrashed {
    /// Unique key; identifiers may have been reused.
    key: i64,
    identifier: String,
    chat_file: String,
    trashed_at: i64,
}

impl From<ForeignSnapshot> for VmTrashed {
    fn from(snapshot: ForeignSnapshot) -> Self {
        VmTrashed {
            key: snapshot.number,
            identifier: snapshot.name,
            chat_file: snapshot.chat,
            trashed_at: snapshot.trashed.unwrap_or_default(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct VmRestore {
    pub(crate) keys: Vec<i64>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct VmRestored {
    /// Number of restored snapshots; one whose identifier was reused stays in the trash.
    pub(crate) restored: usize,
}

/// The fields of a body, and what is wrong with them in the words of the plugin.
pub(crate) struct Fields<'a> {
    body: &'a Value,
    problems: Vec<(&'static str, String)>,
}

const TOO_SHORT: &str = "String must contain at least 1 character(s)";

impl<'a> Fields<'a> {
    pub(crate) fn of(body: &'a Value) -> Self {
        Fields { body, problems: Vec::new() }
    }

    /// Notes a problem; the field counts as absent.
    fn wrong<T>(&mut self, name: &'static str, what: impl Into<String>) -> Option<T> {
        self.problems.push((name, what.into()));
        None
    }

    /// Returns a text that is not empty.
    pub(crate) fn text(&mut self, name: &'static str, if_empty: &str) -> Option<String> {
        match self.body.get(name) {
            Some(_) => self.maybe_text(name, Some(if_empty)),
            None => self.wrong(name, "Required"),
        }
    }

    /// Returns a text that may be absent.
    pub(crate) fn maybe_text(&mut self, name: &'static str, if_empty: Option<&str>) -> Option<String> {
        match (self.body.get(name)?, if_empty) {
            (Value::Text(text), Some("")) if text.is_empty() => self.wrong(name, TOO_SHORT),
            (Value::Text(text), Some(words)) if text.is_empty() => self.wrong(name, words),
            (Value::Text(text), _) => Some(text.to_string()),
            (other, _) => self.wrong(name, format!("Expected string, received {}", kind(other))),
        }
    }

    /// Returns any value that is present.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<Value> {
        let found = self.body.get(name).cloned();
        found.or_else(|| self.wrong(name, format!("{name} 字段不能为空")))
    }

    /// Returns a list of texts that may be absent.
    pub(crate) fn maybe_texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        let found = self.body.get(name)?;
        let Some(list) = found.as_list() else {
            return self.wrong(name, format!("Expected array, received {}", kind(found)));
        };
        let texts: Option<Vec<String>> = list.iter().map(|item| item.as_text().map(str::to_owned)).collect();
        texts.or_else(|| self.wrong(name, "Expected string"))
    }

    /// Fails if something is wrong.
    pub(crate) fn check(self, what: &str) -> Result<(), VmError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        let problem = |words: &str| format!("[{}]", json::write(&Value::text(words)));
        let fields = self.problems.iter().map(|(name, words)| format!(r#","{name}":{{"_errors":{}}}"#, problem(words)));
        let text = format!(r#"{{"_errors":[]{}}}"#, fields.collect::<String>());
        let details = json::read(&text).unwrap_or(Value::Null);
        Err(VmError { error: storeyline_wire::Json(Value::text(what)), details: Some(storeyline_wire::Json(details)) })
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        Value::Object(_) => "object",
    }
}
