//! Templates, with all their versions.

use storeyline_wire::assets::{CardAt, Cards, NewVersion, PutTemplate, Template, Versions};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, Requester};
use crate::routes::{Answer, call, change};

/// Lists the cards that have a template.
#[utoipa::path(get, path = "/api/v1/templates", tag = "keeps", responses((status = 200, body = Cards)))]
pub(crate) async fn templates(requester: Requester) -> Answer<Cards> {
    let cards = call(&requester, |engine, owner| engine.template_cards(owner)).await?;
    Ok(Json(Cards { cards }))
}

/// Returns the template (initial state) saved for a card.
#[utoipa::path(get, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), responses((status = 200, body = Template)))]
pub(crate) async fn template(requester: Requester, PathOf(at): PathOf<CardAt>) -> Answer<Template> {
    let card = at.card.clone();
    let found = call(&requester, move |engine, owner| engine.template(owner, &card)).await?;
    let template = found.ok_or_else(|| ApiError::nothing_here("这张卡没有模板。", "This card has no template."))?;
    Ok(Json(Template { card: at.card, template: storeyline_wire::Json(template) }))
}

/// Saves the template of a card; running stories are not affected.
#[utoipa::path(put, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), request_body = PutTemplate, responses((status = 200, body = NewVersion)))]
pub(crate) async fn put_template(
    requester: Requester,
    PathOf(at): PathOf<CardAt>,
    JsonBody(wire): JsonBody<PutTemplate>,
) -> Answer<NewVersion> {
    let done = change(&requester, move |engine, owner| engine.put_template(owner, &at.card, Some(&wire.template.0)));
    Ok(Json(NewVersion { version: done.await? }))
}

/// Removes the template of a card; its versions stay.
#[utoipa::path(delete, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), responses((status = 200, body = NewVersion)))]
pub(crate) async fn drop_template(requester: Requester, PathOf(at): PathOf<CardAt>) -> Answer<NewVersion> {
    let done = change(&requester, move |engine, owner| engine.put_template(owner, &at.card, None));
    Ok(Json(NewVersion { version: done.await? }))
}

/// Returns all versions of a card's template, the newest first.
#[utoipa::path(get, path = "/api/v1/templates/{card}/versions", tag = "keeps", params(CardAt), responses((status = 200, body = Versions)))]
pub(crate) async fn template_versions(requester: Requester, PathOf(at): PathOf<CardAt>) -> Answer<Versions> {
    let versions = call(&requester, move |engine, owner| engine.template_versions(owner, &at.card)).await?;
    Ok(Json(Versions { versions }))
}
