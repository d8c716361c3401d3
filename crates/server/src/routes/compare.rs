//! Comparing branches, merging states, recomputing states.

use storeyline_engine::{self as engine, By};
use storeyline_state::StoryId;
use storeyline_wire::Prefer;
use storeyline_wire::address::{HeadQuery, RefAt, TwoRefsAt};
use storeyline_wire::compare::{Comparison, Merge, MergePreview, MergeQuery, Merged, Reprocess, Reprocessed};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::rules_change;
use crate::routes::{Answer, CLIENT, call, change};

/// Compares two branches or tags: shared floors, texts, states.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/compare/{other}", tag = "branches", params(TwoRefsAt), responses((status = 200, body = Comparison)))]
pub(crate) async fn compare(requester: Requester, PathOf(at): PathOf<TwoRefsAt>) -> Answer<Comparison> {
    let compared = call(&requester, move |engine, owner| engine.compare(owner, at.story, at.branch, at.other));
    Ok(Json(compared.await?))
}

/// Previews merging the state of another branch into this one.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/merge/{other}", tag = "branches", params(TwoRefsAt, MergeQuery), responses((status = 200, body = MergePreview)))]
pub(crate) async fn preview(
    requester: Requester,
    PathOf(at): PathOf<TwoRefsAt>,
    QueryOf(query): QueryOf<MergeQuery>,
) -> Answer<MergePreview> {
    let prefer = query.prefer.unwrap_or(Prefer::Ours);
    let preview =
        call(&requester, move |engine, owner| engine.preview_merge(owner, at.story, at.branch, at.other, prefer));
    Ok(Json(preview.await?))
}

/// Merges the state of another branch into this one, as an override of its last page.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/merge", tag = "branches", params(RefAt, HeadQuery), request_body = Merge, responses((status = 200, body = Merged)))]
pub(crate) async fn merge(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    QueryOf(query): QueryOf<HeadQuery>,
    JsonBody(wire): JsonBody<Merge>,
) -> Answer<Merged> {
    let (story, into, from) = (at.story, at.branch, wire.from);
    if wire.prefer.is_none() {
        let preview =
            call(&requester, move |engine, owner| engine.preview_merge(owner, story, into, from, Prefer::Ours));
        let count = preview.await?.conflicts.len();
        // A merge with conflicts needs a preference; a preview does not.
        if count > 0 {
            return Err(ApiError::conflicts(count));
        }
    }
    let merged = change(&requester, move |engine, owner| {
        let by = By { client: CLIENT, head: query.head };
        engine.merge_state(owner, story, into, from, wire.prefer.unwrap_or(Prefer::Ours), by)
    });
    let (edited, preview) = merged.await?;
    Ok(Json(Merged { edited, merge: preview }))
}

/// Recomputes states under the current rules, or previews other rules.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/reprocess", tag = "changes", params(RefAt), request_body = Reprocess, responses((status = 200, body = Reprocessed)))]
pub(crate) async fn reprocess(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<Reprocess>,
) -> Answer<Reprocessed> {
    let (story, branch) = (at.story, at.branch);
    let request = reprocess_request(&requester, story, wire).await?;
    let done = match request.dry_run || request.what_if.is_some() {
        true => call(&requester, move |engine, owner| engine.preview_reprocess(owner, story, branch, &request)).await?,
        false => {
            change(&requester, move |engine, owner| engine.reprocess(owner, story, branch, &request, CLIENT)).await?
        }
    };
    Ok(Json(done))
}

/// Returns what is to be recomputed, with the other rules if there are any.
pub(crate) async fn reprocess_request(
    requester: &Requester,
    story: StoryId,
    wire: Reprocess,
) -> Result<engine::Reprocess, ApiError> {
    let what_if = match wire.what_if {
        None => None,
        Some(change) => {
            let mut rules = call(requester, move |engine, owner| engine.story_rules(owner, story)).await?.rules;
            rules_change(change)?.set.apply(&mut rules);
            Some(rules)
        }
    };
    let to = wire.to.map(|last| last as usize + 1);
    Ok(engine::Reprocess { from: wire.from as usize, to, what_if, dry_run: wire.dry_run })
}
