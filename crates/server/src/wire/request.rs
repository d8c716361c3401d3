//! What is asked, apart from sync.

use serde::Deserialize;
use serde_json::value::RawValue;
use storeyline_engine::{BranchEdit, KeepText, OpenChat, Rules};
use storeyline_state::{ChatId, PageId, json};

use crate::error::ApiError;
use crate::wire::common::{id, optional_id};

/// `POST /api/v1/chats`
#[derive(Deserialize)]
pub(crate) struct OpenChatWire {
    #[serde(deserialize_with = "id")]
    chat: ChatId,
    #[serde(default, deserialize_with = "optional_id")]
    parent: Option<ChatId>,
    #[serde(default)]
    file: String,
    #[serde(default)]
    owner: String,
    #[serde(default)]
    title: String,
    template: Option<Box<RawValue>>,
}

impl TryFrom<OpenChatWire> for OpenChat {
    type Error = ApiError;

    fn try_from(wire: OpenChatWire) -> Result<Self, ApiError> {
        let template = wire
            .template
            .map(|raw| json::read(raw.get()))
            .transpose()
            .map_err(|error| ApiError::bad_json(&error.to_string()))?;
        let template = template.filter(|value| !matches!(value, storeyline_state::Value::Null));
        if template.as_ref().is_some_and(|value| value.as_object().is_none()) {
            return Err(ApiError::bad_request("the template must be an object"));
        }
        Ok(OpenChat {
            chat: wire.chat,
            parent: wire.parent,
            file: wire.file,
            file_owner: wire.owner,
            title: wire.title,
            template,
            rules: Rules::default(),
            into: None,
        })
    }
}

/// `POST …/operations`
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum OperationWire {
    Select {
        #[serde(deserialize_with = "id")]
        page: PageId,
    },
    Edit {
        #[serde(deserialize_with = "id")]
        page: PageId,
        text: String,
    },
}

impl From<OperationWire> for BranchEdit {
    fn from(wire: OperationWire) -> Self {
        match wire {
            OperationWire::Select { page } => BranchEdit::Select { page },
            OperationWire::Edit { page, text } => BranchEdit::Edit { page, text, keep: KeepText::InPlace },
        }
    }
}
