//! Host chats: their identity, their cards, their contents.

use storeyline_engine::{self as engine, HostChat, SyncRequest};

use crate::answer::Json;
use crate::body::{ChatBody, JsonBody};
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, call, change, parsed};
use crate::wire::address::RefAt;
use crate::wire::chats::{
    Cast, CastBeginning, Consents, Decide, Forgotten, GoneFiles, HostFile, NewHostFile, OpenChat, OpenedChat,
};
use crate::wire::common::all;
use crate::wire::sync::{SyncAnswer, SyncWire};

/// Identifies a host chat.
///
/// Idempotent; comes before the first sync of a chat.
#[utoipa::path(post, path = "/api/v1/chats", tag = "host", request_body = OpenChat, responses((status = 200, body = OpenedChat)))]
pub(crate) async fn open(requester: Requester, ChatBody(wire): ChatBody<OpenChat>) -> Answer<OpenedChat> {
    let opened = parsed(&requester.app.writers, &requester, move |engine, owner| {
        Ok(engine.open_host_chat(owner, &HostChat::try_from(wire)?)?)
    });
    Ok(Json(opened.await?.into()))
}

/// Returns what a card, or the cards of a group, say about state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/cards/look", tag = "host", request_body = Cast, responses((status = 200, body = CastBeginning)))]
pub(crate) async fn examine(requester: Requester, ChatBody(wire): ChatBody<Cast>) -> Answer<CastBeginning> {
    let begun = parsed(&requester.app.readers, &requester, move |engine, owner| {
        Ok(CastBeginning::from(&engine.look_at_cast(owner, &engine::Cast::try_from(wire)?)?))
    });
    Ok(Json(begun.await?))
}

/// Lists the functions of cards about which the user has decided.
#[utoipa::path(get, path = "/api/v1/cards/consents", tag = "host", responses((status = 200, body = Consents)))]
pub(crate) async fn consents(requester: Requester) -> Answer<Consents> {
    let consents = call(&requester, |engine, owner| engine.consents(owner)).await?;
    Ok(Json(Consents { consents: all(consents) }))
}

/// Stores whether functions of a card may run. Nothing else allows them for a chat of the host.
#[utoipa::path(post, path = "/api/v1/cards/consents", tag = "host", request_body = Decide, responses((status = 200, body = Consents)))]
pub(crate) async fn decide(requester: Requester, JsonBody(wire): JsonBody<Decide>) -> Answer<Consents> {
    let consents = change(&requester, move |engine, owner| {
        engine.decide_functions(owner, &wire.card, wire.fingerprint.0, wire.allow)?;
        engine.consents(owner)
    });
    Ok(Json(Consents { consents: all(consents.await?) }))
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
    let answer = parsed(&requester.app.writers, &requester, move |engine, owner| {
        Ok(SyncAnswer::from(engine.sync(owner, &SyncRequest::try_from(wire)?)?))
    });
    Ok(Json(answer.await?))
}
