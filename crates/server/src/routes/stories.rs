//! Stories, floors and changes of a branch.

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use serde_json::{Value as Json_, json};
use storeyline_engine::By;
use storeyline_state::{PageId, RefId, StoryId};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::routes::{call, change};
use crate::serve::App;
use crate::wire::request::OperationWire;
use crate::wire::view::{FloorLineWire, FloorWire, StoryWire};

/// More floors than these come in parts.
const MAX_FLOORS: usize = 1_000;

pub(crate) async fn list(State(app): State<App>) -> Result<Json<Json_>, ApiError> {
    let stories = call(&app, |engine, owner| engine.stories(owner)).await?;
    let stories: Vec<StoryWire> = stories.into_iter().map(Into::into).collect();
    Ok(Json(json!({ "stories": stories })))
}

#[derive(Deserialize)]
pub(crate) struct Range {
    #[serde(default)]
    from: usize,
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    200
}

pub(crate) async fn floors(
    State(app): State<App>,
    Path((story, branch)): Path<(String, String)>,
    Query(range): Query<Range>,
) -> Result<Json<Json_>, ApiError> {
    let (story, branch) = ids(&story, &branch)?;
    let (total, floors) =
        call(&app, move |engine, owner| engine.floors(owner, story, branch, range.from, range.limit.min(MAX_FLOORS)))
            .await?;
    let floors: Vec<FloorLineWire> = floors.into_iter().map(Into::into).collect();
    Ok(Json(json!({ "total": total, "floors": floors })))
}

#[derive(Deserialize)]
pub(crate) struct Look {
    page: Option<String>,
}

pub(crate) async fn floor(
    State(app): State<App>,
    Path((story, branch, floor)): Path<(String, String, usize)>,
    Query(look): Query<Look>,
) -> Result<Json<FloorWire>, ApiError> {
    let (story, branch) = ids(&story, &branch)?;
    let page: Option<PageId> = look.page.map(|page| page.parse()).transpose().map_err(|_| ApiError::not_found())?;
    let view = call(&app, move |engine, owner| engine.floor(owner, story, branch, floor, page)).await?;
    Ok(Json(view.into()))
}

pub(crate) async fn operate(
    State(app): State<App>,
    Path((story, branch)): Path<(String, String)>,
    JsonBody(wire): JsonBody<OperationWire>,
) -> Result<Json<Json_>, ApiError> {
    let (story, branch) = ids(&story, &branch)?;
    let edit = wire.into();
    let edited =
        change(&app, move |engine, owner| engine.edit_branch(owner, story, branch, &edit, By::client("http"))).await?;
    Ok(Json(json!({ "operation": edited.operation, "node": edited.node.to_string() })))
}

/// An address with something else than ids in it does not exist.
pub(super) fn ids(story: &str, branch: &str) -> Result<(StoryId, RefId), ApiError> {
    match (story.parse(), branch.parse()) {
        (Ok(story), Ok(branch)) => Ok((story, branch)),
        _ => Err(ApiError::not_found()),
    }
}
