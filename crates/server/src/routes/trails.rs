//! Who set a value, and when it changed.

use axum::Json;
use storeyline_engine::Condition;

use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, call};
use crate::wire::address::RefAt;
use crate::wire::trails::{BlameQuery, BlameWire, HistoryQuery, ValueHistoryWire};

/// Returns the floor and the call that set a value, with the reason.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/blame", tag = "floors", params(RefAt, BlameQuery), responses((status = 200, body = BlameWire)))]
pub(crate) async fn blame(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<BlameQuery>,
) -> Answer<BlameWire> {
    let found = call(&requester, move |engine, owner| {
        let floor = query.floor.map(|floor| floor as usize);
        engine.blame(owner, at.story.0, at.branch.0, floor, &query.path)
    });
    Ok(Json(BlameWire { change: found.await?.map(Into::into) }))
}

/// Returns all changes of a value, or those after which a condition holds.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/history", tag = "floors", params(RefAt, HistoryQuery), responses((status = 200, body = ValueHistoryWire)))]
pub(crate) async fn history(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Answer<ValueHistoryWire> {
    let when = query.when.as_deref().map(|text| {
        Condition::read(text).ok_or_else(|| ApiError::bad_request("`when` is not a condition such as `< 0`"))
    });
    let when = when.transpose()?;
    let found = call(&requester, move |engine, owner| {
        engine.value_history(owner, at.story.0, at.branch.0, &query.path, when.as_ref())
    });
    Ok(Json(ValueHistoryWire { changes: found.await?.into_iter().map(Into::into).collect() }))
}
