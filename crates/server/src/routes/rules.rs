//! The rules that new pages of a story take.

use axum::Json;

use crate::body::JsonBody;
use crate::extract::{Asker, PathOf};
use crate::routes::{Answer, CLIENT, call, change};
use crate::wire::address::StoryAt;
use crate::wire::operation::DoneWire;
use crate::wire::rules::{RulesChangeWire, RulesWire};
use crate::wire::value::Any;

/// The rules that new pages of a story take.
#[utoipa::path(get, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), responses((status = 200, body = RulesWire)))]
pub(crate) async fn story_rules(asker: Asker, PathOf(at): PathOf<StoryAt>) -> Answer<RulesWire> {
    let rules = call(&asker, move |engine, owner| engine.story_rules(owner, at.story.0)).await?;
    Ok(Json(RulesWire { rules: Any(rules.to_value()) }))
}

/// Changes the rules that new pages take.
///
/// Pages that are there keep theirs until they are re-processed.
#[utoipa::path(post, path = "/api/v1/stories/{story}/rules", tag = "stories", params(StoryAt), request_body = RulesChangeWire, responses((status = 200, body = DoneWire)))]
pub(crate) async fn change_rules(
    asker: Asker,
    PathOf(at): PathOf<StoryAt>,
    JsonBody(wire): JsonBody<RulesChangeWire>,
) -> Answer<DoneWire> {
    let story = at.story.0;
    let mut rules = call(&asker, move |engine, owner| engine.story_rules(owner, story)).await?;
    wire.apply(&mut rules)?;
    let done = change(&asker, move |engine, owner| engine.change_rules(owner, story, &rules, CLIENT));
    Ok(Json(DoneWire { operation: Some(done.await?) }))
}
