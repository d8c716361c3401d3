//! Templates and function libraries, with all their versions.

use axum::Json;
use storeyline_engine::authors::exchange;
use storeyline_engine::authors::{Library, Scope};
use storeyline_engine::new_id;

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{Asker, PathOf, QueryOf};
use crate::routes::{Answer, call, change};
use crate::wire::keeps::{
    CardAt, CardsWire, ImportedLibraryWire, LibraryWire, NewVersionWire, PutLibraryWire, PutTemplateWire, ScopeQuery,
    TemplateWire, VersionsWire,
};
use crate::wire::rules::library as read_library;
use crate::wire::value::Any;

/// The cards that have a template.
#[utoipa::path(get, path = "/api/v1/templates", tag = "keeps", responses((status = 200, body = CardsWire)))]
pub(crate) async fn templates(asker: Asker) -> Answer<CardsWire> {
    let cards = call(&asker, |engine, owner| engine.template_cards(owner)).await?;
    Ok(Json(CardsWire { cards }))
}

/// The initial state that is kept for a card.
#[utoipa::path(get, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), responses((status = 200, body = TemplateWire)))]
pub(crate) async fn template(asker: Asker, PathOf(at): PathOf<CardAt>) -> Answer<TemplateWire> {
    let card = at.card.clone();
    let found = call(&asker, move |engine, owner| engine.template(owner, &card)).await?;
    let template = found.ok_or_else(|| ApiError::nothing_here("这张卡没有模板。", "This card has no template."))?;
    Ok(Json(TemplateWire { card: at.card, template: Any(template) }))
}

/// Keeps the initial state of a card; stories that run are not touched.
#[utoipa::path(put, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), request_body = PutTemplateWire, responses((status = 200, body = NewVersionWire)))]
pub(crate) async fn put_template(
    asker: Asker,
    PathOf(at): PathOf<CardAt>,
    JsonBody(wire): JsonBody<PutTemplateWire>,
) -> Answer<NewVersionWire> {
    let done = change(&asker, move |engine, owner| engine.put_template(owner, &at.card, Some(&wire.template.0)));
    Ok(Json(NewVersionWire { version: done.await? }))
}

/// Keeps no template for a card any more; its versions stay.
#[utoipa::path(delete, path = "/api/v1/templates/{card}", tag = "keeps", params(CardAt), responses((status = 200, body = NewVersionWire)))]
pub(crate) async fn drop_template(asker: Asker, PathOf(at): PathOf<CardAt>) -> Answer<NewVersionWire> {
    let done = change(&asker, move |engine, owner| engine.put_template(owner, &at.card, None));
    Ok(Json(NewVersionWire { version: done.await? }))
}

/// Every template that a card had, the newest first.
#[utoipa::path(get, path = "/api/v1/templates/{card}/versions", tag = "keeps", params(CardAt), responses((status = 200, body = VersionsWire)))]
pub(crate) async fn template_versions(asker: Asker, PathOf(at): PathOf<CardAt>) -> Answer<VersionsWire> {
    let versions = call(&asker, move |engine, owner| engine.template_versions(owner, &at.card)).await?;
    Ok(Json(versions.into()))
}

/// The cards that have functions of their own; the empty name stands for all cards.
#[utoipa::path(get, path = "/api/v1/libraries", tag = "keeps", responses((status = 200, body = CardsWire)))]
pub(crate) async fn library_scopes(asker: Asker) -> Answer<CardsWire> {
    let cards = call(&asker, |engine, owner| engine.library_scopes(owner)).await?;
    Ok(Json(CardsWire { cards }))
}

/// The functions that are kept for all cards, or for one.
#[utoipa::path(get, path = "/api/v1/library", tag = "keeps", params(ScopeQuery), responses((status = 200, body = LibraryWire)))]
pub(crate) async fn library(asker: Asker, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<LibraryWire> {
    let library = call(&asker, move |engine, owner| engine.library(owner, &query.card)).await?;
    Ok(Json(LibraryWire { library: Any(exchange::export(&library)) }))
}

/// Keeps functions for all cards, or for one, as they stand; new stories take them.
#[utoipa::path(put, path = "/api/v1/library", tag = "keeps", params(ScopeQuery), request_body = PutLibraryWire, responses((status = 200, body = NewVersionWire)))]
pub(crate) async fn put_library(
    asker: Asker,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<PutLibraryWire>,
) -> Answer<NewVersionWire> {
    let library = read_library(&wire.library, scope(&query.card))?;
    let done = change(&asker, move |engine, owner| engine.put_library(owner, &query.card, &library));
    Ok(Json(NewVersionWire { version: done.await? }))
}

/// Every library that was kept, the newest first.
#[utoipa::path(get, path = "/api/v1/library/versions", tag = "keeps", params(ScopeQuery), responses((status = 200, body = VersionsWire)))]
pub(crate) async fn library_versions(asker: Asker, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<VersionsWire> {
    let versions = call(&asker, move |engine, owner| engine.library_versions(owner, &query.card)).await?;
    Ok(Json(versions.into()))
}

/// Adds functions from elsewhere: they get new ids and are switched off.
#[utoipa::path(post, path = "/api/v1/library/import", tag = "keeps", params(ScopeQuery), request_body = PutLibraryWire, responses((status = 200, body = ImportedLibraryWire)))]
pub(crate) async fn import_library(
    asker: Asker,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<PutLibraryWire>,
) -> Answer<ImportedLibraryWire> {
    let new = exchange::import(&wire.library.0, scope(&query.card), new_id);
    let names = new.library.functions.iter().map(|function| function.name.clone());
    let names: Vec<String> = names.chain(new.library.rules.iter().map(|rule| rule.name.clone())).collect();
    let version = change(&asker, move |engine, owner| {
        let mut library: Library = engine.library(owner, &query.card)?;
        library.functions.extend(new.library.functions);
        library.rules.extend(new.library.rules);
        engine.put_library(owner, &query.card, &library)
    });
    let problems = new.problems.iter().map(Into::into).collect();
    Ok(Json(ImportedLibraryWire { version: version.await?, imported: names, problems }))
}

fn scope(card: &str) -> Scope {
    if card.is_empty() { Scope::Global } else { Scope::Card }
}
