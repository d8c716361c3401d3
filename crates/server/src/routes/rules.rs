//! The rules for new pages of a story.

use axum::Json;
use storeyline_engine::RulesChange;

use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, CLIENT, call, change};
use crate::wire::address::StoryAt;
use crate::wire::operation::DoneWire;
use crate::wire::rules::{RulesChangeWire, RulesWire};

/// Returns the rules for new pages of a story.
#[utoipa::path(get, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), responses((status = 200, body = RulesWire)))]
pub(crate) async fn story_rules(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Answer<RulesWire> {
    let rules = call(&requester, move |engine, owner| engine.story_rules(owner, at.story.0)).await?;
    Ok(Json(rules.into()))
}

/// Changes the user's choices among the rules for new pages.
///
/// A choice stays whatever the card says later. Existing pages keep their rules until they are re-processed.
#[utoipa::path(post, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), request_body = RulesChangeWire, responses((status = 200, body = DoneWire)))]
pub(crate) async fn change_rules(
    requester: Requester,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<RulesChangeWire>,
) -> Answer<DoneWire> {
    let story = at.story.0;
    let chosen = RulesChange::try_from(wire)?;
    let done = change(&requester, move |engine, owner| engine.choose_rules(owner, story, &chosen, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}
