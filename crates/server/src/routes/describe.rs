//! Health check and the description of the routes.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::answer::Json;
use crate::openapi;
use crate::wire::care::Health;

/// Tells whether the server is running. Needs no token.
#[utoipa::path(get, path = "/healthz", tag = "care", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { ok: true, name: "storeyline", version: env!("CARGO_PKG_VERSION") })
}

/// Returns the description of all routes, as OpenAPI 3.1.
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "care", responses((status = 200, body = crate::wire::value::Object)))]
pub(crate) async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::openapi_json()).into_response()
}
