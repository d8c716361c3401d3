//! Who set a value, and when it changed.

use axum::Json;
use storeyline_engine::Condition;

use crate::error::ApiError;
use crate::extract::{Asker, PathOf, QueryOf};
use crate::routes::{Answer, call};
use crate::wire::address::RefAt;
use crate::wire::trails::{BlameQuery, BlameWire, HistoryQuery, ValueHistoryWire};

/// Which floor and which call set a value, and why.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/blame", tag = "floors", params(RefAt, BlameQuery), responses((status = 200, body = BlameWire)))]
pub(crate) async fn blame(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<BlameQuery>,
) -> Answer<BlameWire> {
    let found = call(&asker, move |engine, owner| {
        let floor = query.floor.map(|floor| floor as usize);
        engine.blame(owner, at.story.0, at.branch.0, floor, &query.path)
    });
    Ok(Json(BlameWire { change: found.await?.map(Into::into) }))
}

/// All changes of a value, or those by which something came to hold.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/history", tag = "floors", params(RefAt, HistoryQuery), responses((status = 200, body = ValueHistoryWire)))]
pub(crate) async fn history(
    asker: Asker,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Answer<ValueHistoryWire> {
    let when = query.when.as_deref().map(|text| {
        Condition::read(text).ok_or_else(|| ApiError::bad_request("`when` is not a condition such as `< 0`"))
    });
    let when = when.transpose()?;
    let found = call(&asker, move |engine, owner| {
        engine.value_history(owner, at.story.0, at.branch.0, &query.path, when.as_ref())
    });
    Ok(Json(ValueHistoryWire { changes: found.await?.into_iter().map(Into::into).collect() }))
}
