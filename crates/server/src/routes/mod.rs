//! The routes: read the arguments, one call of the engine, show the result.

mod changes;
mod chats;
mod stories;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use storeyline_engine::{Engine, EngineError, Owner};

use crate::access;
use crate::error::ApiError;
use crate::serve::App;
use crate::ui;

/// All routes.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .route("/healthz", get(ui::health))
        .route("/open/{code}", get(access::open_link))
        .route("/api/v1/chats", post(chats::open))
        .route("/api/v1/chats/forget", post(chats::forget))
        .route("/api/v1/cards/look", post(chats::look))
        .route("/api/v1/stories/{story}/refs/{branch}/file", post(chats::file))
        .route("/api/v1/sync", post(chats::sync))
        .route("/api/v1/stories", get(stories::list))
        .route("/api/v1/stories/{story}/refs/{branch}/floors", get(stories::floors))
        .route("/api/v1/stories/{story}/refs/{branch}/floors/{floor}", get(stories::floor))
        .route("/api/v1/stories/{story}/refs/{branch}/operations", post(stories::operate))
        .route("/api/v1/changes", get(changes::wait))
        .fallback(ui::file)
        .layer(axum::middleware::from_fn_with_state(app.clone(), access::guard))
        .with_state(app)
}

/// Calls the engine on a thread that may block.
async fn call<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Engine, &Owner) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    let engine = Arc::clone(&app.engine);
    let done = tokio::task::spawn_blocking(move || work(&engine, &Owner::local())).await;
    match done {
        Ok(result) => Ok(result?),
        Err(_) => Err(ApiError::internal()),
    }
}

/// Calls the engine and wakes whoever waits for changes.
async fn change<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Engine, &Owner) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    let result = call(app, work).await;
    app.changed.notify_waiters();
    result
}
