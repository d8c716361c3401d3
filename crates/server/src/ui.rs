//! Serves the files of the embedded web UI and the pages about the API.

use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::ApiError;
use crate::refusals::NOT_FOUND;
use crate::{assets, openapi};

/// Forbids foreign resources: the page works without network.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/// Returns the pages about the API; they contain no secret.
fn about_the_api(path: &str) -> Option<(&'static str, &'static [u8])> {
    Some(match path {
        "docs" | "docs/" => ("docs/index.html", include_bytes!("docs/index.html")),
        "docs/docs.js" => ("docs/docs.js", include_bytes!("docs/docs.js")),
        "docs/docs.css" => ("docs/docs.css", include_bytes!("docs/docs.css")),
        "docs/openapi.json" => ("docs/openapi.json", openapi::openapi_json().as_bytes()),
        _ => return None,
    })
}

/// Handles any other path: a file of the UI.
pub(crate) async fn file(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") || uri.path().starts_with("/var-manager/") {
        return ApiError::from(NOT_FOUND).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some((name, bytes)) = about_the_api(path) {
        return (headers(name, "no-cache"), bytes).into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(bytes) = assets::web(path) else {
        return if path == "index.html" {
            Html(NOT_BUILT).into_response()
        } else {
            (StatusCode::NOT_FOUND, ApiError::from(NOT_FOUND)).into_response()
        };
    };
    // File names of built assets contain a hash; the page itself must not be cached.
    let caching = if path == "index.html" { "no-cache" } else { "max-age=31536000, immutable" };
    (headers(path, caching), bytes).into_response()
}

fn headers(path: &str, caching: &'static str) -> [(header::HeaderName, &'static str); 5] {
    [
        (header::CONTENT_TYPE, content_type(path)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, caching),
    ]
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>Storeyline</title>
<p>引擎正在运行，但这个程序里没有网页界面。请用 <code>cargo xtask run</code> 构建。
<p>The engine runs, but this program was built without its web page. Build it with <code>cargo xtask run</code>.";
