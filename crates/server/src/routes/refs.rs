//! Routes of branches and tags: list, create, change, trash, restore, switch.
use storeyline_wire::address::{RefAt, StoryAt};
use storeyline_wire::operation::Done;
use storeyline_wire::story::{MadeRef, NewRef, RefChange, Refs};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, CLIENT, call, change as change_with};

/// Lists all branches and tags of a story, including those in the trash.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), responses((status = 200, body = Refs)))]
pub(crate) async fn list(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Refs> {
    let story = at.story;
    let found = call(&requester, move |engine, owner| {
        Ok((engine.ref_lines(owner, story)?, engine.current_branch(owner, story)?))
    });
    let (refs, current) = found.await?;
    Ok(Json(Refs { refs, current }))
}

/// Creates a branch or a tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), request_body = NewRef, responses((status = 200, body = MadeRef)))]
pub(crate) async fn create(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<NewRef>,
) -> Answer<MadeRef> {
    let made = change_with(&requester, move |engine, owner| engine.create_ref(owner, at.story, &wire, CLIENT));
    let made = made.await?;
    Ok(Json(MadeRef { branch: made.id, operation: Some(made.operation) }))
}

/// Changes the name, note or colour of a branch or tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), request_body = RefChange, responses((status = 200, body = Done)))]
pub(crate) async fn change(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<RefChange>,
) -> Answer<Done> {
    let done =
        change_with(&requester, move |engine, owner| engine.change_ref(owner, at.story, at.branch, &wire, CLIENT));
    Ok(Json(Done { operation: done.await? }))
}

/// Moves a branch or tag to the trash.
#[utoipa::path(delete, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn trash(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.trash_ref(owner, at.story, at.branch, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}

/// Restores a branch or tag from the trash.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/restore", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn restore(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.restore_ref(owner, at.story, at.branch, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}

/// Makes this branch the current one.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/switch", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn switch(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.switch_branch(owner, at.story, at.branch, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}
