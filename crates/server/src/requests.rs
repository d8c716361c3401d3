//! Middleware around every request: assigns an id, logs one line, writes errors as JSON.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use storeyline_engine::Owner;

use crate::answer::Json;
use crate::error::ApiError;
use crate::random::random_hex;
use crate::serve::App;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// How requests are logged on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    Quiet,
    /// A line for people.
    Text,
    /// A line of JSON.
    Json,
}

/// The owner of a request, for the log.
#[derive(Clone)]
pub(crate) struct RequestOwner(pub(crate) Owner);

/// Assigns an id to a request, writes the body of its errors, and logs it.
pub(crate) async fn log_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = request.headers().get(HEADER).and_then(sane).unwrap_or_else(random_hex);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    let error = response.extensions_mut().remove::<Arc<ApiError>>();
    if let Some(error) = &error {
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        response = (status, Json(error.wire(&id))).into_response();
        response.headers_mut().extend(headers.into_iter().filter_map(|(name, value)| Some((name?, value))));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, id);
    }
    if app.log != Log::Quiet {
        let code = error.as_deref().map(ApiError::code);
        let line = log_line(app.log, &id, (&method, &path), &response, code, began.elapsed());
        // A closed standard error is no reason to fail.
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
    response
}

/// Returns the id given by the client, if it is safe to log.
fn sane(given: &HeaderValue) -> Option<String> {
    let text = given.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!text.is_empty() && text.len() <= 64 && text.bytes().all(plain)).then(|| text.to_owned())
}

/// Returns the log line of a request. It never contains texts of a story.
fn log_line(
    log: Log,
    id: &str,
    (method, path): (&Method, &str),
    response: &Response,
    code: Option<&str>,
    took: Duration,
) -> String {
    let milliseconds = took.as_secs_f64() * 1_000.0;
    let status = response.status().as_u16();
    let owner = response.extensions().get::<RequestOwner>().map(|asked| asked.0.name());
    if log == Log::Text {
        let code = code.map(|code| format!(" {code}")).unwrap_or_default();
        let owner = owner.map(|owner| format!(" owner={owner}")).unwrap_or_default();
        return format!("{method} {path} {status}{code} {milliseconds:.1} ms{owner} request={id}");
    }
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    let milliseconds = (milliseconds * 1_000.0).round() / 1_000.0;
    serde_json::json!({
        "time": time, "request": id, "method": method.as_str(), "path": path,
        "status": status, "code": code, "ms": milliseconds, "owner": owner,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_can_stand_in_a_log_are_taken_over() {
        let given = |text: &str| HeaderValue::from_bytes(text.as_bytes()).ok().and_then(|value| sane(&value));
        assert_eq!(given("a-1_2.B").as_deref(), Some("a-1_2.B"));
        for odd in ["", "a b", "a\"b", "{}", "é", &"x".repeat(65)] {
            assert_eq!(given(odd), None, "{odd}");
        }
    }
}
