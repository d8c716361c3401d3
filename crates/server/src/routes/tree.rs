//! The tree of a story: graph, marked floors, pages beside the active ones, places of a page, all operations.

use std::time::{Duration, Instant};

use storeyline_wire::address::{RangeQuery, RefAt, StoryAt};
use storeyline_wire::tree::{Graph, Marks, MarksQuery, PageAt, PagePlaces, Siblings, StoryLog, StoryLogQuery};

use crate::answer::Json;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, call};

/// How long marked floors are searched for.
const MARKS_TIME: Duration = Duration::from_secs(5);

/// Returns the tree of a story: chains of floors, branches, tags and forks. Floors of long runs are left out.
#[utoipa::path(get, path = "/api/v1/stories/{story}/graph", tag = "branches", params(StoryAt), responses((status = 200, body = Graph)))]
pub(crate) async fn graph(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Graph> {
    Ok(Json(call(&requester, move |engine, owner| engine.graph(owner, at.story)).await?))
}

/// Returns the floors of all branches with failed calls, with hand edits, or that changed a path.
#[utoipa::path(get, path = "/api/v1/stories/{story}/marks", tag = "branches", params(StoryAt, MarksQuery), responses((status = 200, body = Marks)))]
pub(crate) async fn marks(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    QueryOf(query): QueryOf<MarksQuery>,
) -> Answer<Marks> {
    let (app, start) = (requester.app.clone(), Instant::now());
    let found = call(&requester, move |engine, owner| {
        engine.marks(owner, at.story, &query, &|| app.stopping() || start.elapsed() > MARKS_TIME)
    });
    Ok(Json(found.await?))
}

/// Returns the pages of those floors of a range that have several, and what follows each of them.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/siblings", tag = "floors", params(RefAt, RangeQuery), responses((status = 200, body = Siblings)))]
pub(crate) async fn siblings(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(range): QueryOf<RangeQuery>,
) -> Answer<Siblings> {
    let found = call(&requester, move |engine, owner| {
        engine.siblings(owner, at.story, at.branch, range.from as usize, range.limit())
    });
    Ok(Json(found.await?))
}

/// Returns the branches, floors and numbers at which a page is.
#[utoipa::path(get, path = "/api/v1/stories/{story}/pages/{page}", tag = "floors", params(PageAt), responses((status = 200, body = PagePlaces)))]
pub(crate) async fn page(requester: Requester, PathOf(at): PathOf<PageAt>) -> Answer<PagePlaces> {
    Ok(Json(call(&requester, move |engine, owner| engine.places_of_page(owner, at.story, at.page)).await?))
}

/// Returns the operations on all branches and tags of a story, the newest first.
#[utoipa::path(get, path = "/api/v1/stories/{story}/operations", tag = "changes", params(StoryAt, StoryLogQuery), responses((status = 200, body = StoryLog)))]
pub(crate) async fn log(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    QueryOf(query): QueryOf<StoryLogQuery>,
) -> Answer<StoryLog> {
    Ok(Json(call(&requester, move |engine, owner| engine.story_log(owner, at.story, &query)).await?))
}
