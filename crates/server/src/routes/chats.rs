//! Host chats: their identity, their cards, their contents.

use axum::Json;
use storeyline_engine::{Cast, HostChat, SyncRequest};

use crate::body::{ChatBody, JsonBody};
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, change};
use crate::wire::address::RefAt;
use crate::wire::chats::{
    BeginningWire, CastWire, FileWire, ForgetWire, ForgottenWire, NewFileWire, OpenChatWire, OpenedWire,
};
use crate::wire::sync::{SyncAnswerWire, SyncWire};

/// Identifies a host chat.
///
/// Idempotent; comes before the first sync of a chat.
#[utoipa::path(post, path = "/api/v1/chats", tag = "host", request_body = OpenChatWire, responses((status = 200, body = OpenedWire)))]
pub(crate) async fn open(requester: Requester, ChatBody(wire, _permit): ChatBody<OpenChatWire>) -> Answer<OpenedWire> {
    let request = HostChat::try_from(wire)?;
    let opened = change(&requester, move |engine, owner| engine.open_host_chat(owner, &request)).await?;
    if opened.chat.as_ref().is_some_and(|chat| chat.created) {
        requester.app.changed.notify_waiters();
    }
    Ok(Json(opened.into()))
}

/// Returns what a card, or the cards of a group, say about state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/cards/look", tag = "host", request_body = CastWire, responses((status = 200, body = BeginningWire)))]
pub(crate) async fn examine(_: Requester, ChatBody(wire, _permit): ChatBody<CastWire>) -> Answer<BeginningWire> {
    let cast = Cast::try_from(wire)?;
    Ok(Json((&cast.begin(&Default::default())).into()))
}

/// Makes a host file of a branch; the host writes it.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/file", tag = "host", params(RefAt), request_body = FileWire, responses((status = 200, body = NewFileWire)))]
pub(crate) async fn file(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<FileWire>,
) -> Answer<NewFileWire> {
    let file = change(&requester, move |engine, owner| {
        engine.file_of_branch(owner, at.story.0, at.branch.0, &wire.file, &wire.owner)
    });
    Ok(Json(file.await?.into()))
}

/// Reports that the host deleted a file, or all files of a card: their branches go to the trash.
#[utoipa::path(post, path = "/api/v1/chats/forget", tag = "host", request_body = ForgetWire, responses((status = 200, body = ForgottenWire)))]
pub(crate) async fn forget(requester: Requester, JsonBody(wire): JsonBody<ForgetWire>) -> Answer<ForgottenWire> {
    let trashed =
        change(&requester, move |engine, owner| engine.forget_files(owner, &wire.owner, wire.file.as_deref())).await?;
    Ok(Json(ForgottenWire { trashed }))
}

/// Reports what the host shows, and returns what changed.
#[utoipa::path(post, path = "/api/v1/sync", tag = "host", request_body = SyncWire, responses((status = 200, body = SyncAnswerWire)))]
pub(crate) async fn sync(requester: Requester, ChatBody(wire, _permit): ChatBody<SyncWire>) -> Answer<SyncAnswerWire> {
    let request = SyncRequest::try_from(wire)?;
    let answer = change(&requester, move |engine, owner| engine.sync(owner, &request)).await?;
    Ok(Json(answer.into()))
}
