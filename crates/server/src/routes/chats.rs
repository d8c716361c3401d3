//! Host chats: who they are, who plays in them, what they show.

use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value as Json_, json};
use storeyline_engine::{Cast, HostChat, SyncRequest};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::routes::stories::ids;
use crate::routes::{call, change};
use crate::serve::App;
use crate::wire::chats::{BeginningWire, CastWire, FileWire, ForgetWire, NewFileWire, OpenChatWire, OpenedWire};
use crate::wire::sync::{SyncAnswerWire, SyncWire};

pub(crate) async fn open(
    State(app): State<App>,
    JsonBody(wire): JsonBody<OpenChatWire>,
) -> Result<Json<OpenedWire>, ApiError> {
    let request = HostChat::try_from(wire)?;
    let opened = call(&app, move |engine, owner| engine.open_host_chat(owner, &request)).await?;
    if opened.chat.as_ref().is_some_and(|chat| chat.created) {
        app.changed.notify_waiters();
    }
    Ok(Json(opened.into()))
}

/// What a card, or the cards of a group, say about state. Nothing is stored.
pub(crate) async fn look(JsonBody(wire): JsonBody<CastWire>) -> Result<Json<BeginningWire>, ApiError> {
    let cast = Cast::try_from(wire)?;
    Ok(Json((&cast.begin(&Default::default())).into()))
}

/// Makes a host file of a branch.
pub(crate) async fn file(
    State(app): State<App>,
    Path((story, branch)): Path<(String, String)>,
    JsonBody(wire): JsonBody<FileWire>,
) -> Result<Json<NewFileWire>, ApiError> {
    let (story, branch) = ids(&story, &branch)?;
    let file =
        call(&app, move |engine, owner| engine.file_of_branch(owner, story, branch, &wire.file, &wire.owner)).await?;
    Ok(Json(file.into()))
}

/// The host deleted a file, or all files of a card.
pub(crate) async fn forget(
    State(app): State<App>,
    JsonBody(wire): JsonBody<ForgetWire>,
) -> Result<Json<Json_>, ApiError> {
    let trashed =
        change(&app, move |engine, owner| engine.forget_files(owner, &wire.owner, wire.file.as_deref())).await?;
    Ok(Json(json!({ "trashed": trashed })))
}

pub(crate) async fn sync(
    State(app): State<App>,
    JsonBody(wire): JsonBody<SyncWire>,
) -> Result<Json<SyncAnswerWire>, ApiError> {
    let request = SyncRequest::try_from(wire)?;
    let answer = change(&app, move |engine, owner| engine.sync(owner, &request)).await?;
    Ok(Json(answer.into()))
}
