//! Maintenance of the data folder.

use std::time::SystemTime;

use storeyline_engine::{self as engine, Owner, private};
use storeyline_state::iso_date;
use storeyline_wire::address::StoryAt;
use storeyline_wire::care::{BackedUp, Collect, Collected, Stats, Status, StatusQuery, Verified, Verify};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::browsers::milliseconds;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::random::random_hex;
use crate::refusals::INTERNAL;
use crate::routes::search::for_owner;
use crate::routes::{Answer, call, change, parsed};

/// A hundred years.
const MAX_DAYS: u32 = 36_500;

/// Returns the status of the engine and its database.
///
/// With `check` the database checks its file for damage, which takes a while and is allowed only to the owner who runs the engine.
#[utoipa::path(get, path = "/api/v1/status", tag = "care", params(StatusQuery), responses((status = 200, body = Status)))]
pub(crate) async fn status(requester: Requester, QueryOf(query): QueryOf<StatusQuery>) -> Answer<Status> {
    if query.check {
        requester.must_be_local()?;
    }
    let data = requester.app.data.clone();
    let status = call(&requester, move |engine, owner| {
        let local = *owner == Owner::local();
        let mut problems = query.check.then(|| engine.quick_integrity()).transpose()?;
        // Who asks how it is wants an answer also when the disk is full or fails.
        let (mut last, mut search) = (Default::default(), Default::default());
        match engine.last_change(owner).and_then(|found| Ok((found, engine.search_status(owner)?))) {
            Ok(found) => (last, search) = found,
            Err(error) => problems.get_or_insert_default().push(error.to_string()),
        }
        Ok(Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            layout: engine.layout(),
            wal: engine.has_wal(),
            owner: owner.name().to_owned(),
            last,
            search: for_owner(search, owner),
            file_bytes: local.then(|| engine.file_bytes()),
            data: local.then(|| data.display().to_string()),
            problems,
        })
    });
    Ok(Json(status.await?))
}

/// Counts rows and bytes of all stories.
#[utoipa::path(get, path = "/api/v1/stats", tag = "care", responses((status = 200, body = Stats)))]
pub(crate) async fn stats(requester: Requester) -> Answer<Stats> {
    let local = requester.owner == Owner::local();
    let stats = call(&requester, move |engine, owner| if local { engine.stats(owner) } else { engine.counts(owner) });
    Ok(Json(stats.await?))
}

/// Counts rows and bytes of one story; the bytes are approximate.
#[utoipa::path(get, path = "/api/v1/stories/{story}/stats", tag = "care", params(StoryAt), responses((status = 200, body = Stats)))]
pub(crate) async fn story_stats(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Stats> {
    Ok(Json(call(&requester, move |engine, owner| engine.story_stats(owner, at.story)).await?))
}

/// Recomputes every state and compares; repairs what can be recomputed if requested.
#[utoipa::path(post, path = "/api/v1/verify", tag = "care", request_body = Verify, responses((status = 200, body = Verified)))]
pub(crate) async fn verify(requester: Requester, JsonBody(wire): JsonBody<Verify>) -> Answer<Verified> {
    let verified = match wire.repair {
        true => change(&requester, |engine, owner| engine.repair(owner, |_| {})).await?,
        false => call(&requester, |engine, owner| engine.verify(owner, |_| {})).await?,
    };
    Ok(Json(verified))
}

/// Collects unreachable rows; only counts them unless `dry_run` is false.
#[utoipa::path(post, path = "/api/v1/gc", tag = "care", request_body = Collect, responses((status = 200, body = Collected)))]
pub(crate) async fn collect(requester: Requester, JsonBody(wire): JsonBody<Collect>) -> Answer<Collected> {
    if wire.trash_days.max(wire.undo_days) > MAX_DAYS {
        return Err(ApiError::bad_request("there are at most 36500 days"));
    }
    let request = engine::Collect {
        dry_run: wire.dry_run,
        trash_days: i64::from(wire.trash_days),
        undo_days: i64::from(wire.undo_days),
        // Requests go on meanwhile.
        shrink: false,
    };
    Ok(Json(change(&requester, move |engine, owner| engine.collect(owner, request)).await?))
}

/// Copies the whole database into the folder `backups` of the data folder. Only for the owner who runs the engine.
#[utoipa::path(post, path = "/api/v1/backup", tag = "care", responses((status = 200, body = BackedUp)))]
pub(crate) async fn back_up(requester: Requester) -> Answer<BackedUp> {
    requester.must_be_local()?;
    let folder = requester.app.data.join("backups");
    let made = parsed(&requester.app.readers, &requester, move |engine, _| {
        private::create_folder(&folder).map_err(|_| ApiError::from(INTERNAL))?;
        let moment = iso_date::write(milliseconds(SystemTime::now()) as i64).unwrap_or_default();
        let file = format!("storeyline-{}-{}.db", moment.replace([':', '.'], "-"), &random_hex()[..6]);
        let path = folder.join(&file);
        engine.back_up(&path)?;
        let bytes = std::fs::metadata(&path).map_or(0, |found| found.len());
        Ok(BackedUp { file, bytes })
    });
    Ok(Json(made.await?))
}
