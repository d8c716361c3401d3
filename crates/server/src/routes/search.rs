//! Full-text search of all pages, and its index.

use storeyline_engine::{Owner, Search};
use storeyline_wire::search::{Hits, SearchIndex, SearchQuery, SwitchSearch};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{QueryOf, Requester};
use crate::parse::words;
use crate::routes::{Answer, call, change};

const MAX_HITS: u32 = 1_000;

/// Returns pages on all branches that contain all the words.
#[utoipa::path(get, path = "/api/v1/search", tag = "search", params(SearchQuery), responses((status = 200, body = Hits)))]
pub(crate) async fn search(requester: Requester, QueryOf(query): QueryOf<SearchQuery>) -> Answer<Hits> {
    let wanted = words(&query.q);
    if wanted.is_empty() {
        return Err(ApiError::bad_request("`q` holds no word"));
    }
    let app = requester.app.clone();
    let hits = call(&requester, move |engine, owner| {
        let (story, limit) = (query.story, query.limit.min(MAX_HITS) as usize);
        engine.search(owner, &Search { words: &wanted, story, limit, stop: &|| app.stopping() })
    });
    Ok(Json(hits.await?))
}

/// Tells whether there is a search index.
#[utoipa::path(get, path = "/api/v1/search/index", tag = "search", responses((status = 200, body = SearchIndex)))]
pub(crate) async fn status(requester: Requester) -> Answer<SearchIndex> {
    let status = call(&requester, |engine, owner| engine.search_status(owner)).await?;
    Ok(Json(for_owner(status, &requester.owner)))
}

/// Switches the search index on or off, for all owners; responds when it is done.
#[utoipa::path(post, path = "/api/v1/search/index", tag = "search", request_body = SwitchSearch, responses((status = 200, body = SearchIndex)))]
pub(crate) async fn switch(requester: Requester, JsonBody(wire): JsonBody<SwitchSearch>) -> Answer<SearchIndex> {
    requester.must_be_local()?;
    let status = change(&requester, move |engine, owner| {
        engine.switch_search(wire.on, |_, _| {})?;
        engine.search_status(owner)
    });
    Ok(Json(status.await?))
}

/// Leaves out the size of the index, which all owners share, for owners who do not run the engine.
pub(crate) fn for_owner(index: SearchIndex, owner: &Owner) -> SearchIndex {
    if *owner == Owner::local() { index } else { SearchIndex { bytes: 0, ..index } }
}
