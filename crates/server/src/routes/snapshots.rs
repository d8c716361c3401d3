//! Global snapshots: labelled states outside any story.

use storeyline_wire::assets::{
    KeptSnapshot, NewVersion, PutSnapshot, Snapshot, SnapshotAt, SnapshotFloor, Snapshots, SnapshotsQuery, ToTemplate,
};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, call, change};

fn unknown() -> ApiError {
    ApiError::nothing_here("没有这个全局快照。", "There is no such global snapshot.")
}

/// Lists global snapshots, the newest first.
#[utoipa::path(get, path = "/api/v1/snapshots", tag = "keeps", params(SnapshotsQuery), responses((status = 200, body = Snapshots)))]
pub(crate) async fn list(requester: Requester, QueryOf(query): QueryOf<SnapshotsQuery>) -> Answer<Snapshots> {
    let snapshots = call(&requester, move |engine, owner| engine.snapshots(owner, &query.q)).await?;
    Ok(Json(Snapshots { snapshots }))
}

/// Saves a new global snapshot.
#[utoipa::path(post, path = "/api/v1/snapshots", tag = "keeps", request_body = PutSnapshot, responses((status = 200, body = KeptSnapshot)))]
pub(crate) async fn create(requester: Requester, JsonBody(wire): JsonBody<PutSnapshot>) -> Answer<KeptSnapshot> {
    let kept = change(&requester, move |engine, owner| engine.put_snapshot(owner, None, &wire)).await?;
    Ok(Json(KeptSnapshot { snapshot: kept }))
}

/// Saves the state of a floor as a global snapshot.
#[utoipa::path(post, path = "/api/v1/snapshots/from-floor", tag = "keeps", request_body = SnapshotFloor, responses((status = 200, body = KeptSnapshot)))]
pub(crate) async fn from_floor(requester: Requester, JsonBody(wire): JsonBody<SnapshotFloor>) -> Answer<KeptSnapshot> {
    let kept = change(&requester, move |engine, owner| engine.snapshot_floor(owner, &wire)).await?;
    Ok(Json(KeptSnapshot { snapshot: kept }))
}

/// Returns a global snapshot with its state.
#[utoipa::path(get, path = "/api/v1/snapshots/{snapshot}", tag = "keeps", params(SnapshotAt), responses((status = 200, body = Snapshot)))]
pub(crate) async fn one(requester: Requester, PathOf(at): PathOf<SnapshotAt>) -> Answer<Snapshot> {
    let found = call(&requester, move |engine, owner| engine.snapshot(owner, &at.snapshot)).await?;
    Ok(Json(found.ok_or_else(unknown)?))
}

/// Saves a new version of a global snapshot; a deleted one is back then.
#[utoipa::path(put, path = "/api/v1/snapshots/{snapshot}", tag = "keeps", params(SnapshotAt), request_body = PutSnapshot, responses((status = 200, body = KeptSnapshot)))]
pub(crate) async fn put(
    requester: Requester,
    PathOf(at): PathOf<SnapshotAt>,
    JsonBody(wire): JsonBody<PutSnapshot>,
) -> Answer<KeptSnapshot> {
    let kept = change(&requester, move |engine, owner| engine.replace_snapshot(owner, &at.snapshot, &wire));
    Ok(Json(KeptSnapshot { snapshot: kept.await?.ok_or_else(unknown)? }))
}

/// Deletes a global snapshot; its versions stay.
#[utoipa::path(delete, path = "/api/v1/snapshots/{snapshot}", tag = "keeps", params(SnapshotAt), responses((status = 200, body = KeptSnapshot)))]
pub(crate) async fn throw_away(requester: Requester, PathOf(at): PathOf<SnapshotAt>) -> Answer<KeptSnapshot> {
    let dropped = change(&requester, move |engine, owner| {
        let known = engine.snapshot(owner, &at.snapshot)?;
        known.map(|_| engine.drop_snapshot(owner, &at.snapshot).map(|()| at.snapshot)).transpose()
    });
    Ok(Json(KeptSnapshot { snapshot: dropped.await?.ok_or_else(unknown)? }))
}

/// Makes the state of a global snapshot the template of a card.
#[utoipa::path(post, path = "/api/v1/snapshots/{snapshot}/template", tag = "keeps", params(SnapshotAt), request_body = ToTemplate, responses((status = 200, body = NewVersion)))]
pub(crate) async fn to_template(
    requester: Requester,
    PathOf(at): PathOf<SnapshotAt>,
    JsonBody(wire): JsonBody<ToTemplate>,
) -> Answer<NewVersion> {
    let done = change(&requester, move |engine, owner| engine.snapshot_to_template(owner, &at.snapshot, &wire.card));
    Ok(Json(NewVersion { version: done.await?.ok_or_else(unknown)? }))
}
