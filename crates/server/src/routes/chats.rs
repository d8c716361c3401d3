//! Host chats: who they are, what they show.

use axum::Json;
use serde::Serialize;
use storeyline_engine::{OpenChat, SyncRequest};
use utoipa::ToSchema;

use crate::body::ChatBody;
use crate::error::ApiError;
use crate::extract::Asker;
use crate::routes::change;
use crate::wire::request::OpenChatWire;
use crate::wire::sync::{SyncAnswerWire, SyncWire};

#[derive(Serialize, ToSchema)]
#[schema(as = OpenedChat)]
pub(crate) struct OpenedWire {
    story: String,
    #[serde(rename = "ref")]
    branch: String,
    node: Option<String>,
    created: bool,
}

/// Says who a host chat is.
///
/// Idempotent; comes before the first sync of a chat.
#[utoipa::path(post, path = "/api/v1/chats", tag = "host", request_body = OpenChatWire, responses((status = 200, body = OpenedWire)))]
pub(crate) async fn open(
    app: Asker,
    ChatBody(wire, _seat): ChatBody<OpenChatWire>,
) -> Result<Json<OpenedWire>, ApiError> {
    let request = OpenChat::try_from(wire)?;
    let opened = change(&app, move |engine, owner| engine.open_chat(owner, &request)).await?;
    Ok(Json(OpenedWire {
        story: opened.story.to_string(),
        branch: opened.branch.to_string(),
        node: opened.node.map(|node| node.to_string()),
        created: opened.created,
    }))
}

/// Says what the host shows, and hears what changed.
#[utoipa::path(post, path = "/api/v1/sync", tag = "host", request_body = SyncWire, responses((status = 200, body = SyncAnswerWire)))]
pub(crate) async fn sync(
    app: Asker,
    ChatBody(wire, _seat): ChatBody<SyncWire>,
) -> Result<Json<SyncAnswerWire>, ApiError> {
    let request = SyncRequest::try_from(wire)?;
    let answer = change(&app, move |engine, owner| engine.sync(owner, &request)).await?;
    Ok(Json(answer.into()))
}
