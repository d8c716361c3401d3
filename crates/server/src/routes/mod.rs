//! The routes: parse the arguments, make one call of the engine, show the result.

mod archive;
mod cards;
mod care;
mod changes;
mod chats;
mod compare;
mod describe;
mod evaluate;
mod events;
mod floors;
mod import;
mod keeps;
mod library;
mod operations;
mod previews;
mod refs;
mod rules;
mod search;
mod snapshots;
mod stories;
mod tokens;
mod trails;
mod tree;
mod var_manager;

use axum::Router;
use storeyline_engine::{Engine, EngineError, Owner, ReadEngine};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::answer::Json;
use crate::error::ApiError;
use crate::extract::Requester;
use crate::permits::Permits;
use crate::refusals::{BAD_METHOD, INTERNAL};
use crate::serve::App;
use crate::{access, openapi, requests, ui};

/// The result of a route.
type Answer<T> = Result<Json<T>, ApiError>;

/// The routes in the description.
fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::head())
        .routes(routes!(describe::health))
        .routes(routes!(describe::description))
        .routes(routes!(tokens::make_link))
        .routes(routes!(tokens::redeem, tokens::list))
        .routes(routes!(tokens::withdraw))
        .routes(routes!(chats::open))
        .routes(routes!(chats::sync))
        .routes(routes!(chats::examine))
        .routes(routes!(chats::consents, chats::decide))
        .routes(routes!(chats::file))
        .routes(routes!(chats::forget))
        .routes(routes!(chats::unused))
        .routes(routes!(stories::list, stories::begin))
        .routes(routes!(stories::example))
        .routes(routes!(stories::one, stories::change, stories::trash))
        .routes(routes!(stories::restore))
        .routes(routes!(rules::story_rules, rules::change_rules))
        .routes(routes!(refs::list, refs::create))
        .routes(routes!(refs::change, refs::trash))
        .routes(routes!(refs::restore))
        .routes(routes!(refs::switch))
        .routes(routes!(floors::list))
        .routes(routes!(floors::one))
        .routes(routes!(floors::state))
        .routes(routes!(floors::path))
        .routes(routes!(floors::messages))
        .routes(routes!(operations::log, operations::operate))
        .routes(routes!(operations::undo))
        .routes(routes!(operations::redo))
        .routes(routes!(compare::compare))
        .routes(routes!(compare::preview))
        .routes(routes!(compare::merge))
        .routes(routes!(compare::reprocess))
        .routes(routes!(previews::edit))
        .routes(routes!(previews::reprocess))
        .routes(routes!(trails::blame))
        .routes(routes!(trails::causes))
        .routes(routes!(trails::history))
        .routes(routes!(tree::graph))
        .routes(routes!(tree::marks))
        .routes(routes!(tree::siblings))
        .routes(routes!(tree::page))
        .routes(routes!(tree::log))
        .routes(routes!(import::export))
        .routes(routes!(search::search))
        .routes(routes!(search::status, search::switch))
        .routes(routes!(evaluate::evaluate))
        .routes(routes!(evaluate::functions))
        .routes(routes!(evaluate::manual))
        .routes(routes!(evaluate::replay))
        .routes(routes!(evaluate::strip_mvu))
        .routes(routes!(evaluate::infer_schema))
        .routes(routes!(keeps::templates))
        .routes(routes!(keeps::template, keeps::put_template, keeps::drop_template))
        .routes(routes!(keeps::template_versions))
        .routes(routes!(library::scopes))
        .routes(routes!(library::library, library::put))
        .routes(routes!(library::versions))
        .routes(routes!(library::import))
        .routes(routes!(library::carried))
        .routes(routes!(library::choose))
        .routes(routes!(library::try_function))
        .routes(routes!(library::try_pattern))
        .routes(routes!(library::uses))
        .routes(routes!(snapshots::list, snapshots::create))
        .routes(routes!(snapshots::from_floor))
        .routes(routes!(snapshots::one, snapshots::put, snapshots::throw_away))
        .routes(routes!(snapshots::to_template))
        .routes(routes!(import::import))
        .routes(routes!(import::folder))
        .routes(routes!(archive::write))
        .routes(routes!(archive::read))
        .routes(routes!(cards::read))
        .routes(routes!(care::status))
        .routes(routes!(care::stats))
        .routes(routes!(care::story_stats))
        .routes(routes!(care::verify))
        .routes(routes!(care::collect))
        .routes(routes!(care::back_up))
        .routes(routes!(changes::wait))
        .routes(routes!(events::events))
        .merge(var_manager())
}

/// The routes of ST-VarSystem's plugin.
fn var_manager() -> OpenApiRouter<App> {
    use var_manager as vm;
    OpenApiRouter::new()
        .routes(routes!(vm::probe))
        .routes(routes!(vm::save))
        .routes(routes!(vm::cleanup))
        .routes(routes!(vm::delete_of_chat_in_body, vm::post_of_chat))
        .routes(routes!(vm::delete_of_chat))
        .routes(routes!(vm::one, vm::put, vm::delete))
        .routes(routes!(vm::save_template))
        .routes(routes!(vm::template))
        .routes(routes!(vm::save_global, vm::globals))
        .routes(routes!(vm::global, vm::delete_global))
        .routes(routes!(vm::reprocess))
        .routes(routes!(vm::trash))
        .routes(routes!(vm::restore))
}

pub(crate) fn description() -> OpenApi {
    openapi::finish(described().into_openapi())
}

pub(crate) fn router(app: App) -> Router {
    let (routes, _) = described().split_for_parts();
    routes
        .fallback(ui::file)
        .method_not_allowed_fallback(async || ApiError::from(BAD_METHOD))
        .layer(axum::middleware::from_fn_with_state(app.clone(), access::guard))
        .layer(axum::middleware::from_fn_with_state(app.clone(), requests::log_request))
        .with_state(app)
}

/// Reads for the requester, on a thread that may block.
async fn call<T: Send + 'static>(
    requester: &Requester,
    work: impl FnOnce(&ReadEngine, &Owner) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    run(&requester.app.readers, requester, move |engine, owner| work(engine, owner)).await
}

/// Changes something; the engine notifies clients that wait for changes.
async fn change<T: Send + 'static>(
    requester: &Requester,
    work: impl FnOnce(&Engine, &Owner) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    run(&requester.app.writers, requester, work).await
}

async fn run<T: Send + 'static>(
    permits: &Permits,
    requester: &Requester,
    work: impl FnOnce(&Engine, &Owner) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    parsed(permits, requester, move |engine, owner| Ok(work(engine, owner)?)).await
}

/// Same for work that parses what a stranger wrote, such as a card: on the threads that answer requests it would hold
/// up every other request.
async fn parsed<T: Send + 'static>(
    permits: &Permits,
    requester: &Requester,
    work: impl FnOnce(&Engine, &Owner) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let permit = permits.acquire(&requester.owner).await?;
    let (engine, owner) = (requester.app.engine.clone(), requester.owner.clone());
    // The work goes on when the client has left, and so does what it needs.
    let body = requester.body.clone();
    let done = tokio::task::spawn_blocking(move || {
        let done = work(&engine, &owner);
        drop((permit, body));
        done
    });
    done.await.unwrap_or_else(|_| Err(INTERNAL.into()))
}

/// Client name in the log of operations.
const CLIENT: &str = "http";
