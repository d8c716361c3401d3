//! Full-text search of all pages, and its index.

use storeyline_engine::{Owner, Search};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{QueryOf, Requester};
use crate::routes::{Answer, call, change};
use crate::wire::search::{Hits, SearchIndex, SearchQuery, SwitchSearch};

const MAX_HITS: u32 = 1_000;

/// Returns pages on all branches that contain all the words.
#[utoipa::path(get, path = "/api/v1/search", tag = "search", params(SearchQuery), responses((status = 200, body = Hits)))]
pub(crate) async fn search(requester: Requester, QueryOf(query): QueryOf<SearchQuery>) -> Answer<Hits> {
    let words = query.words();
    if words.is_empty() {
        return Err(ApiError::bad_request("`q` holds no word"));
    }
    let app = requester.app.clone();
    let hits = call(&requester, move |engine, owner| {
        let (story, limit) = (query.story.map(|story| story.0), query.limit.min(MAX_HITS) as usize);
        engine.search(owner, &Search { words: &words, story, limit, stop: &|| app.stopping() })
    });
    Ok(Json(hits.await?.into()))
}

/// Tells whether there is a search index.
#[utoipa::path(get, path = "/api/v1/search/index", tag = "search", responses((status = 200, body = SearchIndex)))]
pub(crate) async fn status(requester: Requester) -> Answer<SearchIndex> {
    let status = call(&requester, |engine, owner| engine.search_status(owner)).await?;
    Ok(Json(SearchIndex::new(status, requester.owner == Owner::local())))
}

/// Switches the search index on or off, for all owners; responds when it is done.
#[utoipa::path(post, path = "/api/v1/search/index", tag = "search", request_body = SwitchSearch, responses((status = 200, body = SearchIndex)))]
pub(crate) async fn switch(requester: Requester, JsonBody(wire): JsonBody<SwitchSearch>) -> Answer<SearchIndex> {
    requester.must_be_local()?;
    let status = change(&requester, move |engine, owner| {
        engine.switch_search(wire.on, |_, _| {})?;
        engine.search_status(owner)
    });
    Ok(Json(SearchIndex::new(status.await?, true)))
}
