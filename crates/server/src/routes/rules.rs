//! The rules for new pages of a story.

use storeyline_wire::address::StoryAt;
use storeyline_wire::operation::Done;
use storeyline_wire::rules::{Rules, RulesChange};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::parse::rules_change;
use crate::routes::{Answer, CLIENT, call, change};

/// Returns the rules for new pages of a story.
#[utoipa::path(get, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), responses((status = 200, body = Rules)))]
pub(crate) async fn story_rules(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<Rules> {
    let found = call(&requester, move |engine, owner| engine.story_rules(owner, at.story)).await?;
    Ok(Json(found.shown()))
}

/// Changes the user's choices among the rules for new pages.
///
/// A choice stays whatever the card says later. Existing pages keep their rules until they are re-processed.
#[utoipa::path(post, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), request_body = RulesChange, responses((status = 200, body = Done)))]
pub(crate) async fn change_rules(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<RulesChange>,
) -> Answer<Done> {
    let story = at.story;
    let chosen = rules_change(wire)?;
    let done = change(&requester, move |engine, owner| engine.choose_rules(owner, story, &chosen, CLIENT));
    Ok(Json(Done { operation: Some(done.await?) }))
}
