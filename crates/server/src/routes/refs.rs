//! Routes of branches and tags: list, create, change, trash, restore, switch.

use axum::Json;
use storeyline_engine::{RefChange, RefKind};

use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, CLIENT, call, change as change_with};
use crate::wire::address::{RefAt, StoryAt};
use crate::wire::operation::DoneWire;
use crate::wire::story::{MadeRefWire, NewRefWire, RefChangeWire, RefKindWire, RefsWire};

/// Lists all branches and tags of a story, including those in the trash.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), responses((status = 200, body = RefsWire)))]
pub(crate) async fn list(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<RefsWire> {
    let story = at.story.0;
    let found = call(&requester, move |engine, owner| {
        Ok((engine.ref_lines(owner, story)?, engine.current_branch(owner, story)?))
    });
    let (refs, current) = found.await?;
    Ok(Json(RefsWire { refs: refs.into_iter().map(Into::into).collect(), current: current.map(Into::into) }))
}

/// Creates a branch or a tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), request_body = NewRefWire, responses((status = 200, body = MadeRefWire)))]
pub(crate) async fn create(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<NewRefWire>,
) -> Answer<MadeRefWire> {
    let kind = match wire.kind {
        RefKindWire::Branch => RefKind::Branch,
        RefKindWire::Tag => RefKind::Tag,
    };
    let made = change_with(&requester, move |engine, owner| {
        let floor = wire.floor.map(|floor| floor as usize);
        engine.create_ref(owner, at.story.0, wire.from.0, floor, kind, &wire.name, wire.switch, CLIENT)
    });
    let made = made.await?;
    Ok(Json(MadeRefWire { branch: made.id.into(), operation: Some(made.operation) }))
}

/// Changes the name, note or colour of a branch or tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), request_body = RefChangeWire, responses((status = 200, body = DoneWire)))]
pub(crate) async fn change(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<RefChangeWire>,
) -> Answer<DoneWire> {
    let wanted = RefChange { name: wire.name, note: wire.note, colour: wire.colour };
    let done = change_with(&requester, move |engine, owner| {
        engine.change_ref(owner, at.story.0, at.branch.0, &wanted, CLIENT)
    });
    Ok(Json(DoneWire { operation: done.await? }))
}

/// Moves a branch or tag to the trash.
#[utoipa::path(delete, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), responses((status = 200, body = DoneWire)))]
pub(crate) async fn trash(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<DoneWire> {
    let done = change_with(&requester, move |engine, owner| engine.trash_ref(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}

/// Restores a branch or tag from the trash.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/restore", tag = "branches", params(RefAt), responses((status = 200, body = DoneWire)))]
pub(crate) async fn restore(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<DoneWire> {
    let done = change_with(&requester, move |engine, owner| engine.restore_ref(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}

/// Makes this branch the current one.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/switch", tag = "branches", params(RefAt), responses((status = 200, body = DoneWire)))]
pub(crate) async fn switch(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<DoneWire> {
    let done =
        change_with(&requester, move |engine, owner| engine.switch_branch(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}
