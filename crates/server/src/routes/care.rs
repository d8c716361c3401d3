//! Looking after the data folder.

use axum::Json;
use storeyline_engine::{Collect, Owner};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{Asker, PathOf, QueryOf};
use crate::routes::{Answer, call, change};
use crate::wire::address::StoryAt;
use crate::wire::care::{CollectWire, CollectedWire, StatsWire, StatusQuery, StatusWire, VerifiedWire, VerifyWire};
use crate::wire::search::SearchIndexWire;

/// Nobody waits longer than a hundred years.
const MOST_DAYS: u32 = 36_500;

/// How the engine and its database are.
///
/// With `check` the database looks for damage in its file, which takes a while and which only those who run the engine may ask for.
#[utoipa::path(get, path = "/api/v1/status", tag = "care", params(StatusQuery), responses((status = 200, body = StatusWire)))]
pub(crate) async fn status(asker: Asker, QueryOf(query): QueryOf<StatusQuery>) -> Answer<StatusWire> {
    if query.check {
        asker.must_be_local()?;
    }
    let status = call(&asker, move |engine, owner| {
        let local = *owner == Owner::local();
        Ok(StatusWire {
            version: env!("CARGO_PKG_VERSION"),
            layout: engine.layout(),
            wal: engine.has_wal(),
            owner: owner.name().to_owned(),
            last: engine.last_change(owner)?.into(),
            search: SearchIndexWire::new(engine.search_status(owner)?, local),
            file_bytes: local.then(|| engine.file_bytes()),
            problems: query.check.then(|| engine.quick_integrity()).transpose()?,
        })
    });
    Ok(Json(status.await?))
}

/// How many things there are, and how many bytes they take.
#[utoipa::path(get, path = "/api/v1/stats", tag = "care", responses((status = 200, body = StatsWire)))]
pub(crate) async fn stats(asker: Asker) -> Answer<StatsWire> {
    let local = asker.owner == Owner::local();
    let stats = call(&asker, move |engine, owner| if local { engine.stats(owner) } else { engine.counts(owner) });
    Ok(Json(StatsWire::new(stats.await?, local)))
}

/// How many things a story has, and about how many bytes they take.
#[utoipa::path(get, path = "/api/v1/stories/{story}/stats", tag = "care", params(StoryAt), responses((status = 200, body = StatsWire)))]
pub(crate) async fn story_stats(asker: Asker, PathOf(at): PathOf<StoryAt>) -> Answer<StatsWire> {
    let stats = call(&asker, move |engine, owner| engine.story_stats(owner, at.story.0)).await?;
    Ok(Json(StatsWire::new(stats, true)))
}

/// Computes every state again and compares; puts right what can be computed if asked to.
#[utoipa::path(post, path = "/api/v1/verify", tag = "care", request_body = VerifyWire, responses((status = 200, body = VerifiedWire)))]
pub(crate) async fn verify(asker: Asker, JsonBody(wire): JsonBody<VerifyWire>) -> Answer<VerifiedWire> {
    let verified = match wire.repair {
        true => change(&asker, |engine, owner| engine.repair(owner, |_| {})).await?,
        false => call(&asker, |engine, owner| engine.verify(owner, |_| {})).await?,
    };
    Ok(Json(verified.into()))
}

/// Collects what nothing holds any more; only counts it unless `dry_run` is false.
#[utoipa::path(post, path = "/api/v1/gc", tag = "care", request_body = CollectWire, responses((status = 200, body = CollectedWire)))]
pub(crate) async fn collect(asker: Asker, JsonBody(wire): JsonBody<CollectWire>) -> Answer<CollectedWire> {
    if wire.trash_days.max(wire.undo_days) > MOST_DAYS {
        return Err(ApiError::bad_request("there are at most 36500 days"));
    }
    let request =
        Collect { dry_run: wire.dry_run, trash_days: i64::from(wire.trash_days), undo_days: i64::from(wire.undo_days) };
    let collected = change(&asker, move |engine, owner| engine.collect(owner, request)).await?;
    Ok(Json(CollectedWire::new(collected, wire.dry_run)))
}
