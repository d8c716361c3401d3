//! What is asked, apart from sync.

use serde::Deserialize;
use serde_json::value::RawValue;
use storeyline_engine::{OpenChat, Rules};
use storeyline_state::{ChatId, json};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::common::{id, optional_id};
use crate::wire::ids;

/// `POST /api/v1/chats`
#[derive(Deserialize, ToSchema)]
#[schema(as = OpenChat)]
pub(crate) struct OpenChatWire {
    #[serde(deserialize_with = "id")]
    #[schema(value_type = ids::Chat)]
    chat: ChatId,
    #[serde(default, deserialize_with = "optional_id")]
    #[schema(value_type = Option<ids::Chat>)]
    parent: Option<ChatId>,
    #[serde(default)]
    file: String,
    #[serde(default)]
    owner: String,
    #[serde(default)]
    title: String,
    #[schema(value_type = Option<Object>)]
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
