//! Function libraries: read, save, import, what cards carry, trying out a function.

use std::time::Instant;

use storeyline_engine::authors::{Scope, function_manual};
use storeyline_engine::{LibraryImport, Tried, shown_evaluation, shown_matches};
use storeyline_wire::address::RefAt;
use storeyline_wire::assets::{Cards, NewVersion, Versions};
use storeyline_wire::library::{
    ChooseLibrary, FunctionUses, ImportLibrary, ImportedLibrary, Library, PutLibrary, ReportCarried, ReportedCarried,
    ScopeQuery, TriedFunction, TriedPattern, TryFunction, TryPattern,
};

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::library as read_library;
use crate::routes::{Answer, call, change, parsed};

/// Lists the cards that have functions; the empty name stands for all cards.
#[utoipa::path(get, path = "/api/v1/libraries", tag = "library", responses((status = 200, body = Cards)))]
pub(crate) async fn scopes(requester: Requester) -> Answer<Cards> {
    let cards = call(&requester, |engine, owner| engine.library_scopes(owner)).await?;
    Ok(Json(Cards { cards }))
}

/// Returns the functions for all cards, or for one.
#[utoipa::path(get, path = "/api/v1/library", tag = "library", params(ScopeQuery), responses((status = 200, body = Library)))]
pub(crate) async fn library(requester: Requester, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<Library> {
    Ok(Json(call(&requester, move |engine, owner| engine.shown_library(owner, &query.card)).await?))
}

/// Saves functions for all cards, or for one, unchanged. New replies use them; older floors change when they are re-processed.
#[utoipa::path(put, path = "/api/v1/library", tag = "library", params(ScopeQuery), request_body = PutLibrary, responses((status = 200, body = NewVersion)))]
pub(crate) async fn put(
    requester: Requester,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<PutLibrary>,
) -> Answer<NewVersion> {
    let done = parsed(&requester.app.writers, &requester, move |engine, owner| {
        let scope = if query.card.is_empty() { Scope::Global } else { Scope::Card };
        let library = read_library(&wire.library, scope)?;
        Ok(engine.put_library(owner, &query.card, &library, wire.based_on)?)
    });
    Ok(Json(NewVersion { version: done.await? }))
}

/// Returns all saved versions of a library, the newest first.
#[utoipa::path(get, path = "/api/v1/library/versions", tag = "library", params(ScopeQuery), responses((status = 200, body = Versions)))]
pub(crate) async fn versions(requester: Requester, QueryOf(query): QueryOf<ScopeQuery>) -> Answer<Versions> {
    let versions = call(&requester, move |engine, owner| engine.library_versions(owner, &query.card)).await?;
    Ok(Json(Versions { versions }))
}

/// Imports functions from elsewhere: they get new ids, and are switched off unless they are named.
#[utoipa::path(post, path = "/api/v1/library/import", tag = "library", params(ScopeQuery), request_body = ImportLibrary, responses((status = 200, body = ImportedLibrary)))]
pub(crate) async fn import(
    requester: Requester,
    QueryOf(query): QueryOf<ScopeQuery>,
    JsonBody(wire): JsonBody<ImportLibrary>,
) -> Answer<ImportedLibrary> {
    let imported = change(&requester, move |engine, owner| {
        let ImportLibrary { library, enable, dry_run } = &wire;
        let import = LibraryImport { scope: &query.card, file: &library.0, enable, dry_run: *dry_run };
        engine.import_library(owner, &import)
    });
    Ok(Json(imported.await?))
}

/// Tells what functions a card carries now. A library that was saved here and not edited follows the card.
#[utoipa::path(post, path = "/api/v1/library/carried", tag = "library", request_body = ReportCarried, responses((status = 200, body = ReportedCarried)))]
pub(crate) async fn carried(requester: Requester, JsonBody(wire): JsonBody<ReportCarried>) -> Answer<ReportedCarried> {
    Ok(Json(change(&requester, move |engine, owner| engine.report_carried(owner, &wire)).await?))
}

/// Decides which functions of a card count after those in the card and those saved here both changed.
#[utoipa::path(post, path = "/api/v1/library/choose", tag = "library", request_body = ChooseLibrary, responses((status = 200, body = Library)))]
pub(crate) async fn choose(requester: Requester, JsonBody(wire): JsonBody<ChooseLibrary>) -> Answer<Library> {
    Ok(Json(change(&requester, move |engine, owner| engine.choose_library(owner, &wire.card, wire.keep)).await?))
}

/// Runs a function or rule on a text and a state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/library/try", tag = "library", request_body = TryFunction, responses((status = 200, body = TriedFunction)))]
pub(crate) async fn try_function(requester: Requester, JsonBody(wire): JsonBody<TryFunction>) -> Answer<TriedFunction> {
    let done = parsed(&requester.app.readers, &requester, move |engine, owner| {
        let tried = Tried::read(&wire.function.0).map_err(|words| ApiError::bad_words(&words))?;
        let state = wire.state.as_ref().map(|state| &state.0);
        let done = engine.try_function(owner, &tried, &wire.message, wire.place.as_ref(), state, &wire.card)?;
        Ok(TriedFunction {
            evaluation: shown_evaluation(&done.evaluation, &wire.message),
            printed: done.printed,
            milliseconds: done.milliseconds,
            manual: function_manual(&tried),
        })
    });
    Ok(Json(done.await?))
}

/// Finds the matches of a pattern in a text, as a story would.
#[utoipa::path(post, path = "/api/v1/library/try-pattern", tag = "library", request_body = TryPattern, responses((status = 200, body = TriedPattern)))]
pub(crate) async fn try_pattern(requester: Requester, JsonBody(wire): JsonBody<TryPattern>) -> Answer<TriedPattern> {
    let done = call(&requester, move |engine, owner| {
        let start = Instant::now();
        let found = engine.try_pattern(owner, &wire.pattern, &wire.text)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        let (matches, problem) = match found {
            Ok(found) => (shown_matches(&found, &wire.text), None),
            Err(words) => (Vec::new(), Some(words)),
        };
        Ok(TriedPattern { matches, problem, milliseconds })
    });
    Ok(Json(done.await?))
}

/// Counts how often each function was used on the newest 1,000 floors of a branch.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/function-uses", tag = "library", params(RefAt), responses((status = 200, body = FunctionUses)))]
pub(crate) async fn uses(requester: Requester, PathOf(at): PathOf<RefAt>) -> Answer<FunctionUses> {
    Ok(Json(call(&requester, move |engine, owner| engine.function_uses(owner, at.story, at.branch)).await?))
}
