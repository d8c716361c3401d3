//! The rules that new pages of a story take.

use axum::Json;
use storeyline_engine::RulesChange;

use crate::body::JsonBody;
use crate::extract::{Asker, PathOf};
use crate::routes::{Answer, CLIENT, call, change};
use crate::wire::address::StoryAt;
use crate::wire::operation::DoneWire;
use crate::wire::rules::{RulesChangeWire, RulesWire};

/// The rules that new pages of a story take.
#[utoipa::path(get, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), responses((status = 200, body = RulesWire)))]
pub(crate) async fn story_rules(asker: Asker, PathOf(at): PathOf<StoryAt>) -> Answer<RulesWire> {
    let rules = call(&asker, move |engine, owner| engine.story_rules(owner, at.story.0)).await?;
    Ok(Json(rules.into()))
}

/// Changes what the user chose of the rules that new pages take.
///
/// A choice stays whatever the card says later. Pages that are there keep their rules until they are re-processed.
#[utoipa::path(post, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), request_body = RulesChangeWire, responses((status = 200, body = DoneWire)))]
pub(crate) async fn change_rules(
    asker: Asker,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<RulesChangeWire>,
) -> Answer<DoneWire> {
    let story = at.story.0;
    let chosen = RulesChange::try_from(wire)?;
    let done = change(&asker, move |engine, owner| engine.choose_rules(owner, story, &chosen, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}
