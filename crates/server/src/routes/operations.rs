//! Changes of a branch, their log, and taking them back.

use axum::Json;
use storeyline_engine::By;

use crate::body::JsonBody;
use crate::extract::{Asker, PathOf, QueryOf};
use crate::routes::{Answer, CLIENT, call, change};
use crate::wire::address::{HeadQuery, LimitQuery, RefAt};
use crate::wire::operation::{EditedWire, LogWire, LoggedWire, OperationWire, Wanted, WhichOperationWire};

/// What was done on a branch, the newest first.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, LimitQuery), responses((status = 200, body = LogWire)))]
pub(crate) async fn log(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<LimitQuery>,
) -> Answer<LogWire> {
    let log = call(&asker, move |engine, owner| engine.log(owner, at.story.0, at.branch.0, query.limit())).await?;
    let operations = log.into_iter().map(LoggedWire::new).collect();
    Ok(Json(LogWire { operations }))
}

/// Changes a branch.
///
/// An open host chat carries the change out with its next sync.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/operations", tag = "changes", params(RefAt, HeadQuery), request_body = OperationWire, responses((status = 200, body = EditedWire)))]
pub(crate) async fn operate(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HeadQuery>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Answer<EditedWire> {
    let (story, branch) = (at.story.0, at.branch.0);
    let edited = change(&asker, move |engine, owner| {
        let by = By { client: CLIENT, head: query.head.map(|head| head.0) };
        match wanted {
            Wanted::Edit(edit) => engine.edit_branch(owner, story, branch, &edit, by),
            Wanted::Correct { page, path, value } => {
                engine.correct(owner, story, branch, page.0, &path, value.map(|value| value.0), by)
            }
        }
    });
    Ok(Json(edited.await?.into()))
}

/// Takes an operation back: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/undo", tag = "changes", params(RefAt), request_body = WhichOperationWire, responses((status = 200, body = EditedWire)))]
pub(crate) async fn undo(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperationWire>,
) -> Answer<EditedWire> {
    let edited =
        change(&asker, move |engine, owner| engine.undo(owner, at.story.0, at.branch.0, which.operation, CLIENT));
    Ok(Json(edited.await?.into()))
}

/// Does an operation again that was taken back: the last one, or any by its number.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/redo", tag = "changes", params(RefAt), request_body = WhichOperationWire, responses((status = 200, body = EditedWire)))]
pub(crate) async fn redo(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    JsonBody(which): JsonBody<WhichOperationWire>,
) -> Answer<EditedWire> {
    let edited =
        change(&asker, move |engine, owner| engine.redo(owner, at.story.0, at.branch.0, which.operation, CLIENT));
    Ok(Json(edited.await?.into()))
}
