//! Changes of a branch, their log, undo and redo.

use storeyline_engine::By;

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, CLIENT, call, change};
use crate::wire::address::{HeadQuery, LimitQuery, RefAt};
use crate::wire::common::all;
use crate::wire::operation::{BranchEdit, Edited, Log, Wanted, WhichOperation};

/// Returns the operations of a branch, the newest first.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, LimitQuery), responses((status = 200, body = Log)))]
pub(crate) async fn log(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<LimitQuery>,
) -> Answer<Log> {
    let log = call(&requester, move |engine, owner| engine.log(owner, at.story.0, at.branch.0, query.limit())).await?;
    Ok(Json(Log { operations: all(log) }))
}

/// Changes a branch.
///
/// An open host chat applies the change with its next sync.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, HeadQuery), request_body = BranchEdit, responses((status = 200, body = Edited)))]
pub(crate) async fn operate(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HeadQuery>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Answer<Edited> {
    let (story, branch) = (at.story.0, at.branch.0);
    let edited = change(&requester, move |engine, owner| {
        let by = By { client: CLIENT, head: query.head.map(|head| head.0) };
        match wanted {
            Wanted::Edit(edit) => engine.edit_branch(owner, story, branch, &edit, by),
            Wanted::Correct { page, path, value } => engine.correct(owner, story, branch, page, &path, value, by),
        }
    });
    Ok(Json(edited.await?.into()))
}

/// Undoes an operation: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/undo", tag = "changes", params(RefAt), request_body = WhichOperation, responses((status = 200, body = Edited)))]
pub(crate) async fn undo(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperation>,
) -> Answer<Edited> {
    let edited =
        change(&requester, move |engine, owner| engine.undo(owner, at.story.0, at.branch.0, which.operation, CLIENT));
    Ok(Json(edited.await?.into()))
}

/// Redoes an undone operation: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/redo", tag = "changes", params(RefAt), request_body = WhichOperation, responses((status = 200, body = Edited)))]
pub(crate) async fn redo(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperation>,
) -> Answer<Edited> {
    let edited =
        change(&requester, move |engine, owner| engine.redo(owner, at.story.0, at.branch.0, which.operation, CLIENT));
    Ok(Json(edited.await?.into()))
}
