//! The messages of ST-VarSystem's plugin, as its extension sends and expects them.

use serde::{Deserialize, Serialize};
use storeyline_engine::{ForeignSaved, ForeignSnapshot, GlobalSnapshot, Kept};
use storeyline_state::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::wire::value::Any;

/// A snapshot of a message.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "it describes; what is read is checked field by field, as the plugin does")]
pub(crate) struct VmSnapshotSave {
    identifier: Option<String>,
    message_id: Option<String>,
    chat_file: String,
    /// An object or a list.
    payload: Any,
}

/// A snapshot that was edited.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "it describes")]
pub(crate) struct VmSnapshotPut {
    /// An object or a list; `payload` is accepted too.
    snapshot: Any,
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
    pub(crate) fn new(saved: ForeignSaved, payload: &Value) -> Self {
        let snapshot = saved.snapshot;
        VmSnapshotSaved {
            identifier: snapshot.name,
            chat_file: snapshot.chat,
            message_id: snapshot.message,
            structure_id: snapshot.number,
            structure_hash: payload.hash().to_string(),
            created_at: snapshot.created,
            replaced: saved.replaced,
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
    payload: Any,
}

impl VmSnapshot {
    pub(crate) fn new(snapshot: ForeignSnapshot, payload: Value) -> Self {
        VmSnapshot {
            identifier: snapshot.name,
            chat_file: snapshot.chat,
            message_id: snapshot.message,
            created_at: snapshot.created,
            payload: Any(payload),
        }
    }
}

/// Which chat.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "it describes")]
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
#[expect(dead_code, reason = "it describes")]
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
#[expect(dead_code, reason = "it describes")]
pub(crate) struct VmTemplateSave {
    character_name: String,
    template: Any,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VmTemplate {
    pub(crate) character_name: String,
    pub(crate) template: Any,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "it describes")]
pub(crate) struct VmGlobalSave {
    snapshot_id: Option<String>,
    name: String,
    description: Option<String>,
    snapshot_body: Any,
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

impl From<&Kept<GlobalSnapshot>> for VmGlobalLine {
    fn from(kept: &Kept<GlobalSnapshot>) -> Self {
        let snapshot = &kept.what;
        VmGlobalLine {
            snapshot_id: snapshot.id.clone(),
            name: snapshot.name.clone(),
            description: Some(snapshot.description.clone()).filter(|words| !words.is_empty()),
            tags: snapshot.tags.clone(),
            created_at: kept.created,
            updated_at: kept.updated,
        }
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
    snapshot_body: Any,
    tags: Vec<String>,
    created_at: i64,
    updated_at: i64,
}

impl From<Kept<GlobalSnapshot>> for VmGlobal {
    fn from(kept: Kept<GlobalSnapshot>) -> Self {
        let line = VmGlobalLine::from(&kept);
        VmGlobal {
            snapshot_id: line.snapshot_id,
            name: line.name,
            description: line.description,
            snapshot_body: Any(kept.what.state),
            tags: line.tags,
            created_at: line.created_at,
            updated_at: line.updated_at,
        }
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
#[into_params(parameter_in = Path)]
pub(crate) struct VmSnapshotAt {
    /// Identifier of the snapshot.
    pub(crate) identifier: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path, names("chatFile"))]
pub(crate) struct VmChatAt(pub(crate) String);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path, names("characterName"))]
pub(crate) struct VmTemplateAt(pub(crate) String);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path, names("snapshotId"))]
pub(crate) struct VmGlobalAt(pub(crate) String);

/// An error as the plugin words it.
#[derive(Serialize, ToSchema)]
pub(crate) struct VmError {
    pub(crate) error: Any,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    pub(crate) details: Option<Any>,
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

/// Errors in the fields of a body, as the plugin words them.
#[derive(Default)]
pub(crate) struct Problems(Vec<(&'static str, String)>);

/// The fields of a body.
pub(crate) struct Fields<'a> {
    pub(crate) body: &'a Value,
    pub(crate) problems: Problems,
}

const TOO_SHORT: &str = "String must contain at least 1 character(s)";

impl<'a> Fields<'a> {
    pub(crate) fn of(body: &'a Value) -> Self {
        Fields { body, problems: Problems::default() }
    }

    fn wrong(&mut self, name: &'static str, what: impl Into<String>) {
        self.problems.0.push((name, what.into()));
    }

    /// Returns a text that is not empty.
    pub(crate) fn text(&mut self, name: &'static str, if_empty: &str) -> Option<String> {
        match self.body.get(name) {
            Some(_) => self.maybe_text(name, Some(if_empty)),
            None => {
                self.wrong(name, "Required");
                None
            }
        }
    }

    /// Returns a text that may be absent.
    pub(crate) fn maybe_text(&mut self, name: &'static str, if_empty: Option<&str>) -> Option<String> {
        match (self.body.get(name)?, if_empty) {
            (Value::Text(text), Some(words)) if text.is_empty() => {
                self.wrong(name, if words.is_empty() { TOO_SHORT } else { words });
                None
            }
            (Value::Text(text), _) => Some(text.to_string()),
            (other, _) => {
                self.wrong(name, format!("Expected string, received {}", kind(other)));
                None
            }
        }
    }

    /// Returns any value that is present.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<Value> {
        let found = self.body.get(name).cloned();
        if found.is_none() {
            self.wrong(name, format!("{name} 字段不能为空"));
        }
        found
    }

    /// Returns a list of texts that may be absent.
    pub(crate) fn maybe_texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        let found = self.body.get(name)?;
        let Some(list) = found.as_list() else {
            self.wrong(name, format!("Expected array, received {}", kind(found)));
            return None;
        };
        let texts: Option<Vec<String>> = list.iter().map(|item| item.as_text().map(str::to_owned)).collect();
        if texts.is_none() {
            self.wrong(name, "Expected string");
        }
        texts
    }
}

impl Problems {
    /// Returns the error response, if something is wrong.
    pub(crate) fn refusal(self, what: &str) -> Option<VmError> {
        if self.0.is_empty() {
            return None;
        }
        let problem = |words: &str| format!("[{}]", json::write(&Value::text(words)));
        let fields = self.0.iter().map(|(name, words)| format!(r#","{name}":{{"_errors":{}}}"#, problem(words)));
        let text = format!(r#"{{"_errors":[]{}}}"#, fields.collect::<String>());
        let details = json::read(&text).unwrap_or(Value::Null);
        Some(VmError { error: Any(Value::text(what)), details: Some(Any(details)) })
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
