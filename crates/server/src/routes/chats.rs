//! Host chats: their identity, their cards, their contents.

use axum::Json;
use storeyline_engine::{self as engine, HostChat, SyncRequest};

use crate::body::{ChatBody, JsonBody};
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, change};
use crate::wire::address::RefAt;
use crate::wire::chats::{Cast, CastBeginning, Forgotten, GoneFiles, HostFile, NewHostFile, OpenChat, OpenedChat};
use crate::wire::sync::{SyncAnswer, SyncWire};

/// Identifies a host chat.
///
/// Idempotent; comes before the first sync of a chat.
#[utoipa::path(post, path = "/api/v1/chats", tag = "host", request_body = OpenChat, responses((status = 200, body = OpenedChat)))]
pub(crate) async fn open(requester: Requester, ChatBody(wire): ChatBody<OpenChat>) -> Answer<OpenedChat> {
    let request = HostChat::try_from(wire)?;
    let opened = change(&requester, move |engine, owner| engine.open_host_chat(owner, &request)).await?;
    Ok(Json(opened.into()))
}

/// Returns what a card, or the cards of a group, say about state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/cards/look", tag = "host", request_body = Cast, responses((status = 200, body = CastBeginning)))]
pub(crate) async fn examine(_: Requester, ChatBody(wire): ChatBody<Cast>) -> Answer<CastBeginning> {
    let cast = engine::Cast::try_from(wire)?;
    Ok(Json((&cast.begin(&Default::default())).into()))
}

/// Makes a host file of a branch; the host writes it.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/file", tag = "host", params(RefAt), request_body = HostFile, responses((status = 200, body = NewHostFile)))]
pub(crate) async fn file(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<HostFile>,
) -> Answer<NewHostFile> {
    let file = change(&requester, move |engine, owner| {
        engine.file_of_branch(owner, at.story.0, at.branch.0, &wire.file, &wire.owner)
    });
    Ok(Json(file.await?.into()))
}

/// Reports that the host deleted a file, or all files of a card: their branches go to the trash.
#[utoipa::path(post, path = "/api/v1/chats/forget", tag = "host", request_body = GoneFiles, responses((status = 200, body = Forgotten)))]
pub(crate) async fn forget(requester: Requester, JsonBody(wire): JsonBody<GoneFiles>) -> Answer<Forgotten> {
    let trashed =
        change(&requester, move |engine, owner| engine.forget_files(owner, &wire.owner, wire.file.as_deref())).await?;
    Ok(Json(Forgotten { trashed }))
}

/// Reports what the host shows, and returns what changed.
#[utoipa::path(post, path = "/api/v1/sync", tag = "host", request_body = SyncWire, responses((status = 200, body = SyncAnswer)))]
pub(crate) async fn sync(requester: Requester, ChatBody(wire): ChatBody<SyncWire>) -> Answer<SyncAnswer> {
    let request = SyncRequest::try_from(wire)?;
    let answer = change(&requester, move |engine, owner| engine.sync(owner, &request)).await?;
    Ok(Json(answer.into()))
}
