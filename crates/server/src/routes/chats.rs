//! Host chats: their identity, their cards, their contents.

use storeyline_wire::address::RefAt;
use storeyline_wire::chats::{
    Cast, CastBeginning, Consents, Decide, Forgotten, GoneFiles, HostFile, NewHostFile, OpenChat, OpenedChat, Unused,
    UnusedBranches,
};
use storeyline_wire::sync::{SyncAnswer, SyncRequest};

use crate::answer::Json;
use crate::body::{ChatBody, JsonBody};
use crate::error::ApiError;
use crate::extract::{PathOf, Requester};
use crate::parse::{cast, host_chat};
use crate::routes::{Answer, call, change, parsed};

/// In bytes. A client's name is only compared, never shown.
const MAX_CLIENT: usize = 100;

/// Identifies a host chat.
///
/// Idempotent; comes before the first sync of a chat.
#[utoipa::path(post, path = "/api/v1/chats", tag = "host", request_body = OpenChat, responses((status = 200, body = OpenedChat)))]
pub(crate) async fn open(requester: Requester, ChatBody(wire): ChatBody<OpenChat>) -> Answer<OpenedChat> {
    let opened = parsed(&requester.app.writers, &requester, move |engine, owner| {
        Ok(engine.open_host_chat(owner, &host_chat(wire)?)?)
    });
    Ok(Json(opened.await?))
}

/// Returns what a card, or the cards of a group, say about state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/cards/look", tag = "host", request_body = Cast, responses((status = 200, body = CastBeginning)))]
pub(crate) async fn examine(requester: Requester, ChatBody(wire): ChatBody<Cast>) -> Answer<CastBeginning> {
    let begun =
        parsed(&requester.app.readers, &requester, move |engine, owner| Ok(engine.look_at_cast(owner, &cast(&wire)?)?));
    Ok(Json(begun.await?))
}

/// Lists the functions of cards about which the user has decided.
#[utoipa::path(get, path = "/api/v1/cards/consents", tag = "host", responses((status = 200, body = Consents)))]
pub(crate) async fn consents(requester: Requester) -> Answer<Consents> {
    let consents = call(&requester, |engine, owner| engine.consents(owner)).await?;
    Ok(Json(Consents { consents }))
}

/// Stores whether functions of a card may run. Nothing else allows them for a chat of the host.
#[utoipa::path(post, path = "/api/v1/cards/consents", tag = "host", request_body = Decide, responses((status = 200, body = Consents)))]
pub(crate) async fn decide(requester: Requester, JsonBody(wire): JsonBody<Decide>) -> Answer<Consents> {
    let consents = change(&requester, move |engine, owner| {
        engine.decide_functions(owner, &wire.card, wire.fingerprint, wire.allow)?;
        engine.consents(owner)
    });
    Ok(Json(Consents { consents: consents.await? }))
}

/// Makes a host file of a branch; the host writes it.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/file", tag = "host", params(RefAt), request_body = HostFile, responses((status = 200, body = NewHostFile)))]
pub(crate) async fn file(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<HostFile>,
) -> Answer<NewHostFile> {
    let file = change(&requester, move |engine, owner| {
        engine.file_of_branch(owner, at.story, at.branch, &wire.file, &wire.owner)
    });
    Ok(Json(file.await?))
}

/// Reports that the host deleted a file, or all files of a card: their branches go to the trash.
#[utoipa::path(post, path = "/api/v1/chats/forget", tag = "host", request_body = GoneFiles, responses((status = 200, body = Forgotten)))]
pub(crate) async fn forget(requester: Requester, JsonBody(wire): JsonBody<GoneFiles>) -> Answer<Forgotten> {
    let trashed =
        change(&requester, move |engine, owner| engine.forget_files(owner, &wire.owner, wire.file.as_deref())).await?;
    Ok(Json(Forgotten { trashed }))
}

/// Reports what the host shows, and returns what changed.
#[utoipa::path(post, path = "/api/v1/sync", tag = "host", request_body = SyncRequest, responses((status = 200, body = SyncAnswer)))]
pub(crate) async fn sync(requester: Requester, ChatBody(wire): ChatBody<SyncRequest>) -> Answer<SyncAnswer> {
    if wire.client.len() > MAX_CLIENT {
        return Err(ApiError::bad_request("`client` is too long"));
    }
    let answer = change(&requester, move |engine, owner| engine.sync(owner, &wire));
    Ok(Json(answer.await?))
}

/// Finds branches whose chat files do not exist any more, and moves them to the trash unless `dry_run` is true.
///
/// Cards and groups that are not listed are left alone. Collecting never uses this list.
#[utoipa::path(post, path = "/api/v1/chats/unused", tag = "host", request_body = Unused, responses((status = 200, body = UnusedBranches)))]
pub(crate) async fn unused(requester: Requester, ChatBody(wire): ChatBody<Unused>) -> Answer<UnusedBranches> {
    let branches = match wire.dry_run {
        true => call(&requester, move |engine, owner| engine.unused_branches(owner, &wire.existing)).await?,
        false => change(&requester, move |engine, owner| engine.trash_unused(owner, &wire.existing)).await?,
    };
    Ok(Json(UnusedBranches { trashed: !wire.dry_run, branches }))
}
