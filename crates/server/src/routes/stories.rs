//! Routes of stories: list, create, read, change, trash, restore.

use storeyline_engine::{self as engine, Choices, Settings};
use storeyline_wire::address::StoryAt;
use storeyline_wire::operation::Done;
use storeyline_wire::story::{
    BegunStory, DoneMany, Example, NewStory, Stories, StoriesQuery, StoryChange, StoryDetail,
};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::profile;
use crate::routes::{Answer, CLIENT, call, change as change_with};

/// Lists all stories, the last changed first.
#[utoipa::path(get, path = "/api/v1/stories", tag = "stories", params(StoriesQuery), responses((status = 200, body = Stories)))]
pub(crate) async fn list(requester: Requester, QueryOf(query): QueryOf<StoriesQuery>) -> Answer<Stories> {
    let stories = call(&requester, move |engine, owner| match query.trash {
        true => engine.trashed_stories(owner),
        false => engine.stories(owner),
    });
    Ok(Json(Stories { stories: stories.await? }))
}

/// Creates a story without a host.
///
/// Its first branch has no floor yet; the first one is appended.
#[utoipa::path(post, path = "/api/v1/stories", tag = "stories", request_body = NewStory, responses((status = 200, body = BegunStory)))]
pub(crate) async fn begin(requester: Requester, JsonBody(wire): JsonBody<NewStory>) -> Answer<BegunStory> {
    let profile = wire.profile.as_deref().map(profile).transpose()?;
    let new = engine::NewStory {
        title: wire.title,
        card: wire.card,
        choices: Choices { profile, first_state: wire.template.map(|template| template.0), ..Choices::default() },
        branch: wire.branch.unwrap_or_else(|| "main".to_owned()),
    };
    let (story, branch) = change_with(&requester, move |engine, owner| engine.begin_story(owner, &new, CLIENT)).await?;
    Ok(Json(BegunStory { story, branch }))
}

/// Returns the example story in a language; creates it if there is none.
///
/// Every owner has their own. One in the trash stays there, and a new one is created.
#[utoipa::path(post, path = "/api/v1/example", tag = "stories", request_body = Example, responses((status = 200, body = BegunStory)))]
pub(crate) async fn example(requester: Requester, JsonBody(wire): JsonBody<Example>) -> Answer<BegunStory> {
    let opened = change_with(&requester, move |engine, owner| engine.open_example(owner, wire.language, CLIENT));
    Ok(Json(opened.await?))
}

/// Returns one story, in the trash or not.
#[utoipa::path(get, path = "/api/v1/stories/{story}", tag = "stories", params(StoryAt), responses((status = 200, body = StoryDetail)))]
pub(crate) async fn one(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<StoryDetail> {
    Ok(Json(call(&requester, move |engine, owner| engine.story(owner, at.story)).await?))
}

/// Changes the title or the edit policy of a story.
#[utoipa::path(post, path = "/api/v1/stories/{story}", tag = "stories", params(StoryAt), request_body = StoryChange, responses((status = 200, body = DoneMany)))]
pub(crate) async fn change(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<StoryChange>,
) -> Answer<DoneMany> {
    let story = at.story;
    let done = change_with(&requester, move |engine, owner| {
        engine.story(owner, story)?;
        let mut operations = Vec::new();
        if let Some(title) = &wire.title {
            operations.extend(engine.rename_story(owner, story, title, CLIENT)?);
        }
        if let Some(edit_policy) = wire.edit_policy {
            operations.extend(engine.change_settings(owner, story, Settings { edit_policy }, CLIENT)?);
        }
        Ok(operations)
    });
    Ok(Json(DoneMany { operations: done.await? }))
}

/// Moves a story to the trash.
///
/// It is no longer listed. It comes back when it is restored, when the operation is undone, or when anything is done to it.
#[utoipa::path(delete, path = "/api/v1/stories/{story}", tag = "stories", params(StoryAt), responses((status = 200, body = Done)))]
pub(crate) async fn trash(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.trash_story(owner, at.story, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}

/// Restores a story from the trash.
#[utoipa::path(post, path = "/api/v1/stories/{story}/restore", tag = "stories", params(StoryAt), responses((status = 200, body = Done)))]
pub(crate) async fn restore(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Done> {
    let done = change_with(&requester, move |engine, owner| engine.restore_story(owner, at.story, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}
