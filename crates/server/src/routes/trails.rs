//! Who set a value, and when it changed.

use storeyline_engine::Condition;
use storeyline_wire::address::{FloorAt, RefAt};
use storeyline_wire::trails::{Blame, BlameQuery, Causes, CausesQuery, HistoryQuery, ValueHistory};

use crate::answer::Json;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::state_path;
use crate::routes::{Answer, call};

/// Maximum number of paths of one request.
const MAX_PATHS: usize = 200;

/// Returns the floor and the call that set a value, with the reason.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/blame", tag = "floors", params(RefAt, BlameQuery), responses((status = 200, body = Blame)))]
pub(crate) async fn blame(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<BlameQuery>,
) -> Answer<Blame> {
    let found = call(&requester, move |engine, owner| {
        let floor = query.floor.map(|floor| floor as usize);
        engine.blame(owner, at.story, at.branch, floor, &query.path)
    });
    Ok(Json(Blame { change: found.await? }))
}

/// Returns all changes of a value, or those after which a condition holds.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/history", tag = "floors", params(RefAt, HistoryQuery), responses((status = 200, body = ValueHistory)))]
pub(crate) async fn history(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Answer<ValueHistory> {
    let when = query.when.as_deref().map(|text| {
        Condition::read(text).ok_or_else(|| ApiError::bad_request("`when` is not a condition such as `< 0`"))
    });
    let when = when.transpose()?;
    let found = call(&requester, move |engine, owner| {
        engine.value_history(owner, at.story, at.branch, &query.path, when.as_ref())
    });
    Ok(Json(ValueHistory { changes: found.await? }))
}

/// Returns the floor that last set each of some paths, up to a floor. At most 2,000 floors are searched.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/floors/{floor}/causes", tag = "floors", params(FloorAt, CausesQuery), responses((status = 200, body = Causes)))]
pub(crate) async fn causes(
    requester: Requester,
    PathOf(at): PathOf<FloorAt>,
    QueryOf(query): QueryOf<Vec<(String, String)>>,
) -> Answer<Causes> {
    let paths = query.iter().filter(|(name, _)| name == "path").map(|(_, path)| state_path(path));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    if paths.len() > MAX_PATHS {
        return Err(ApiError::bad_request("more than 200 times `path`"));
    }
    let found =
        call(&requester, move |engine, owner| engine.causes(owner, at.story, at.branch, at.floor as usize, &paths));
    Ok(Json(found.await?))
}
