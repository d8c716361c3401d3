//! Routes of branches and tags: list, create, change, trash, restore, switch.

use storeyline_engine as engine;

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, CLIENT, call, change as change_with};
use crate::wire::address::{RefAt, StoryAt};
use crate::wire::common::all;
use crate::wire::operation::Done;
use crate::wire::story::{MadeRef, NewRef, RefChange, RefKind, Refs};

/// Lists all branches and tags of a story, including those in the trash.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), responses((status = 200, body = Refs)))]
pub(crate) async fn list(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Refs> {
    let story = at.story.0;
    let found = call(&requester, move |engine, owner| {
        Ok((engine.ref_lines(owner, story)?, engine.current_branch(owner, story)?))
    });
    let (refs, current) = found.await?;
    Ok(Json(Refs { refs: all(refs), current: current.map(Into::into) }))
}

/// Creates a branch or a tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs", tag = "branches", params(StoryAt), request_body = NewRef, responses((status = 200, body = MadeRef)))]
pub(crate) async fn create(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<NewRef>,
) -> Answer<MadeRef> {
    let kind = match wire.kind {
        RefKind::Branch => engine::RefKind::Branch,
        RefKind::Tag => engine::RefKind::Tag,
    };
    let made = change_with(&requester, move |engine, owner| {
        let floor = wire.floor.map(|floor| floor as usize);
        let (from, name, switch) = (wire.from.0, wire.name.as_str(), wire.switch);
        engine.create_ref(owner, at.story.0, &engine::NewRef { from, floor, kind, name, note: "", switch }, CLIENT)
    });
    let made = made.await?;
    Ok(Json(MadeRef { branch: made.id.into(), operation: Some(made.operation) }))
}

/// Changes the name, note or colour of a branch or tag.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), request_body = RefChange, responses((status = 200, body = Done)))]
pub(crate) async fn change(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<RefChange>,
) -> Answer<Done> {
    let wanted = engine::RefChange { name: wire.name, note: wire.note, colour: wire.colour };
    let done = change_with(&requester, move |engine, owner| {
        engine.change_ref(owner, at.story.0, at.branch.0, &wanted, CLIENT)
    });
    Ok(Json(Done { operation: done.await? }))
}

/// Moves a branch or tag to the trash.
#[utoipa::path(delete, path = "/api/v1/stories/{story}/refs/{ref}", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn trash(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.trash_ref(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}

/// Restores a branch or tag from the trash.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/restore", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn restore(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.restore_ref(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}

/// Makes this branch the current one.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/switch", tag = "branches", params(RefAt), responses((status = 200, body = Done)))]
pub(crate) async fn switch(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<Done> {
    let done =
        change_with(&requester, move |engine, owner| engine.switch_branch(owner, at.story.0, at.branch.0, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}
