//! Floors of a branch: lists, single floors, states, whole texts, the messages for a model.

use storeyline_state::StatePath;
use storeyline_state::path::PathError;
use storeyline_wire::address::{FloorAt, PageQuery, RangeQuery, RefAt};
use storeyline_wire::story::{Floors, Messages, Path, State, StateQuery};
use storeyline_wire::view::Floor;

use crate::answer::Json;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, call};

/// Lists floors with their first words and what they changed.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/floors", tag = "floors", params(RefAt, RangeQuery), responses((status = 200, body = Floors)))]
pub(crate) async fn list(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(range): QueryOf<RangeQuery>,
) -> Answer<Floors> {
    let found = call(&requester, move |engine, owner| {
        engine.floors(owner, at.story, at.branch, range.from as usize, range.limit())
    });
    Ok(Json(found.await?))
}

/// Returns one floor: its pages, its text, its state, and how the state was computed.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/floors/{floor}", tag = "floors", params(FloorAt, PageQuery), responses((status = 200, body = Floor)))]
pub(crate) async fn one(
    requester: Requester,
    PathOf(at): PathOf<FloorAt>,
    QueryOf(look): QueryOf<PageQuery>,
) -> Answer<Floor> {
    let found =
        call(&requester, move |engine, owner| engine.floor(owner, at.story, at.branch, at.floor as usize, look.page));
    Ok(Json(found.await?))
}

/// Returns the state at a floor, or the value at one path of it.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/floors/{floor}/state", tag = "floors", params(FloorAt, StateQuery), responses((status = 200, body = State)))]
pub(crate) async fn state(
    requester: Requester,
    PathOf(at): PathOf<FloorAt>,
    QueryOf(query): QueryOf<StateQuery>,
) -> Answer<State> {
    let path = query.path.as_deref().map(str::parse::<StatePath>).transpose();
    let path = path.map_err(|error: PathError| ApiError::bad_request(&error.to_string()))?;
    let found = call(&requester, move |engine, owner| engine.state_at(owner, at.story, at.branch, at.floor as usize));
    let state = found.await?;
    let value = match &path {
        Some(path) => path.get(&state).cloned(),
        None => Some(state.clone()),
    };
    Ok(Json(State { hash: state.hash(), found: value.is_some(), value: value.map(Into::into) }))
}

/// Returns floors with the whole texts of all their pages.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/path", tag = "floors", params(RefAt, RangeQuery), responses((status = 200, body = Path)))]
pub(crate) async fn path(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(range): QueryOf<RangeQuery>,
) -> Answer<Path> {
    let found = call(&requester, move |engine, owner| {
        engine.turns(owner, at.story, at.branch, range.from as usize, range.limit())
    });
    Ok(Json(found.await?))
}

/// Returns the messages of a branch for a model; hidden turns and remarks are left out.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/messages", tag = "floors", params(RefAt), responses((status = 200, body = Messages)))]
pub(crate) async fn messages(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Messages> {
    let found = call(&requester, move |engine, owner| engine.messages_for_prompt(owner, at.story, at.branch));
    Ok(Json(Messages { messages: found.await? }))
}
