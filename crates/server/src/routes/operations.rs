//! Changes of a branch, their log, undo and redo.

use storeyline_engine::By;
use storeyline_wire::address::{HeadQuery, LimitQuery, RefAt};
use storeyline_wire::operation::{BranchEdit, Edited, Log, WhichOperation};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, CLIENT, call, change};

/// Returns the operations of a branch, the newest first.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, LimitQuery), responses((status = 200, body = Log)))]
pub(crate) async fn log(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<LimitQuery>,
) -> Answer<Log> {
    let log = call(&requester, move |engine, owner| engine.log(owner, at.story, at.branch, query.limit())).await?;
    Ok(Json(Log { operations: log }))
}

/// Changes a branch.
///
/// An open host chat applies the change with its next sync.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, HeadQuery), request_body = BranchEdit, responses((status = 200, body = Edited)))]
pub(crate) async fn operate(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HeadQuery>,
    JsonBody(edit): JsonBody<BranchEdit>,
) -> Answer<Edited> {
    let edited = change(&requester, move |engine, owner| {
        engine.edit_branch(owner, at.story, at.branch, &edit, By { client: CLIENT, head: query.head })
    });
    Ok(Json(edited.await?))
}

/// Undoes an operation: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/undo", tag = "changes", params(RefAt), request_body = WhichOperation, responses((status = 200, body = Edited)))]
pub(crate) async fn undo(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperation>,
) -> Answer<Edited> {
    let edited =
        change(&requester, move |engine, owner| engine.undo(owner, at.story, at.branch, which.operation, CLIENT));
    Ok(Json(edited.await?))
}

/// Redoes an undone operation: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/redo", tag = "changes", params(RefAt), request_body = WhichOperation, responses((status = 200, body = Edited)))]
pub(crate) async fn redo(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperation>,
) -> Answer<Edited> {
    let edited =
        change(&requester, move |engine, owner| engine.redo(owner, at.story, at.branch, which.operation, CLIENT));
    Ok(Json(edited.await?))
}
