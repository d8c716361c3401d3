//! Templates and function libraries, with all their versions.

use storeyline_engine::authors::Scope;
use storeyline_engine::authors::exchange;
use storeyline_engine::{self as engine, new_id};
use storeyline_wire::assets::{
    CardAt, Cards, ImportedLibrary, Library, NewVersion, PutLibrary, PutTemplate, ScopeQuery, Template, Versions,
};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::library as read_library;
use crate::routes::{Answer, call, change, parsed};

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

/// Lists the cards that have their own functions; the empty name stands for all cards.
#[utoipa::path(get, path = "/api/v1/libraries", tag = "keeps", responses((status = 200, body = Cards)))]
pub(crate) async fn library_scopes(requester: Requester) -> Answer<Cards> {
    let cards = call(&requester, |engine, owner| engine.library_scopes(owner)).await?;
    Ok(Json(Cards { cards }))
}

/// Returns the functions saved for all cards, or for one.
#[utoipa::path(get, path = "/api/v1/library", tag = "keeps", params(ScopeQuery), responses((status = 200, body = Library)))]
pub(crate) async fn library(requester: Requester, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<Library> {
    let library = call(&requester, move |engine, owner| engine.library(owner, &query.card)).await?;
    Ok(Json(Library { library: storeyline_wire::Json(exchange::export(&library)) }))
}

/// Saves functions for all cards, or for one, unchanged; new stories take them.
#[utoipa::path(put, path = "/api/v1/library", tag = "keeps", params(ScopeQuery), request_body = PutLibrary, responses((status = 200, body = NewVersion)))]
pub(crate) async fn put_library(
    requester: Requester,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<PutLibrary>,
) -> Answer<NewVersion> {
    let done = parsed(&requester.app.writers, &requester, move |engine, owner| {
        let library = read_library(&wire.library, scope(&query.card))?;
        Ok(engine.put_library(owner, &query.card, &library)?)
    });
    Ok(Json(NewVersion { version: done.await? }))
}

/// Returns all versions of a library, the newest first.
#[utoipa::path(get, path = "/api/v1/library/versions", tag = "keeps", params(ScopeQuery), responses((status = 200, body = Versions)))]
pub(crate) async fn library_versions(requester: Requester, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<Versions> {
    let versions = call(&requester, move |engine, owner| engine.library_versions(owner, &query.card)).await?;
    Ok(Json(Versions { versions }))
}

/// Imports functions from elsewhere: they get new ids and are switched off.
#[utoipa::path(post, path = "/api/v1/library/import", tag = "keeps", params(ScopeQuery), request_body = PutLibrary, responses((status = 200, body = ImportedLibrary)))]
pub(crate) async fn import_library(
    requester: Requester,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<PutLibrary>,
) -> Answer<ImportedLibrary> {
    let imported = change(&requester, move |engine, owner| {
        let new = exchange::import(&wire.library.0, scope(&query.card), new_id);
        let names = new.library.functions.iter().map(|function| function.name.clone());
        let names: Vec<String> = names.chain(new.library.rules.iter().map(|rule| rule.name.clone())).collect();
        let mut library: engine::authors::Library = engine.library(owner, &query.card)?;
        library.functions.extend(new.library.functions);
        library.rules.extend(new.library.rules);
        let version = engine.put_library(owner, &query.card, &library)?;
        Ok(ImportedLibrary { version, imported: names, problems: new.problems })
    });
    Ok(Json(imported.await?))
}

fn scope(card: &str) -> Scope {
    if card.is_empty() { Scope::Global } else { Scope::Card }
}
