//! Searching the texts of all pages, and the index for it.

use axum::Json;
use storeyline_engine::{Owner, Search};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{Asker, QueryOf};
use crate::routes::{Answer, call};
use crate::wire::search::{HitsWire, SearchIndexWire, SearchQuery, SwitchSearchWire};

/// More hits than these nobody reads.
const MAX_HITS: u32 = 1_000;

/// Pages on all branches that hold all the words.
#[utoipa::path(get, path = "/api/v1/search", tag = "search", params(SearchQuery), responses((status = 200, body = HitsWire)))]
pub(crate) async fn search(asker: Asker, QueryOf(query): QueryOf<SearchQuery>) -> Answer<HitsWire> {
    let words = query.words();
    if words.is_empty() {
        return Err(ApiError::bad_request("`q` holds no word"));
    }
    let hits = call(&asker, move |engine, owner| {
        let limit = query.limit.min(MAX_HITS) as usize;
        engine.search(owner, &Search { words: &words, story: query.story.map(|story| story.0), limit })
    });
    Ok(Json(hits.await?.into()))
}

/// Whether there is an index for searching.
#[utoipa::path(get, path = "/api/v1/search/index", tag = "search", responses((status = 200, body = SearchIndexWire)))]
pub(crate) async fn status(asker: Asker) -> Answer<SearchIndexWire> {
    let status = call(&asker, |engine, owner| engine.search_status(owner)).await?;
    Ok(Json(SearchIndexWire::new(status, asker.owner == Owner::local())))
}

/// Switches the index on or off, for all owners; answers when it is done.
#[utoipa::path(post, path = "/api/v1/search/index", tag = "search", request_body = SwitchSearchWire, responses((status = 200, body = SearchIndexWire)))]
pub(crate) async fn switch(asker: Asker, JsonBody(wire): JsonBody<SwitchSearchWire>) -> Answer<SearchIndexWire> {
    asker.must_be_local()?;
    let status = call(&asker, move |engine, owner| {
        engine.switch_search(wire.on, |_, _| {})?;
        engine.search_status(owner)
    });
    Ok(Json(SearchIndexWire::new(status.await?, true)))
}
