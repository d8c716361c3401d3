//! Health check and the description of the routes.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use storeyline_wire::care::Health;

use crate::answer::Json;
use crate::openapi;

/// Tells whether the server is running. Needs no token.
#[utoipa::path(get, path = "/healthz", tag = "care", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { ok: true, name: "storeyline".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// Returns the description of all routes, as OpenAPI 3.1.
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "care", responses((status = 200, body = storeyline_wire::value::Object)))]
pub(crate) async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::openapi_json()).into_response()
}
