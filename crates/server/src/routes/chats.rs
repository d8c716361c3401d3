//! Host chats: who they are, what they show.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use storeyline_engine::{OpenChat, SyncRequest};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::routes::change;
use crate::serve::App;
use crate::wire::request::OpenChatWire;
use crate::wire::sync::{SyncAnswerWire, SyncWire};

#[derive(Serialize)]
pub(crate) struct OpenedWire {
    story: String,
    #[serde(rename = "ref")]
    branch: String,
    node: Option<String>,
    created: bool,
}

pub(crate) async fn open(
    State(app): State<App>,
    JsonBody(wire): JsonBody<OpenChatWire>,
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

pub(crate) async fn sync(
    State(app): State<App>,
    JsonBody(wire): JsonBody<SyncWire>,
) -> Result<Json<SyncAnswerWire>, ApiError> {
    let request = SyncRequest::try_from(wire)?;
    let answer = change(&app, move |engine, owner| engine.sync(owner, &request)).await?;
    Ok(Json(answer.into()))
}
