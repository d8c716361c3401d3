//! Who may ask: loopback names only, no foreign pages, a token or our cookie, our header for
//! every change.

use std::collections::HashSet;
use std::sync::Mutex;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use storeyline_state::text;

use crate::error::ApiError;
use crate::serve::App;

/// The name of our cookie.
const COOKIE: &str = "storeyline";

/// The secrets of a running server.
pub(crate) struct Access {
    token: String,
    /// Codes of links that were not opened yet.
    links: Mutex<HashSet<String>>,
}

impl Access {
    pub(crate) fn new(token: String) -> Self {
        Access { token, links: Mutex::default() }
    }

    /// Makes a link code that works once.
    pub(crate) fn add_link(&self, code: String) {
        self.links.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(code);
    }

    fn use_link(&self, code: &str) -> bool {
        self.links.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(code)
    }

    /// The cookie follows from the token, so a page stays signed in when the server restarts.
    fn cookie(&self) -> String {
        text::hash(&format!("storeyline cookie {}", self.token)).to_string()
    }

    fn allows(&self, headers: &HeaderMap) -> bool {
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let ours = cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE);
        bearer.is_some_and(|given| same(given, &self.token))
            || ours.is_some_and(|(_, given)| same(given, &self.cookie()))
    }
}

/// Compares hashes, so that the time taken says nothing about the secret.
fn same(given: &str, secret: &str) -> bool {
    text::hash(given) == text::hash(secret)
}

/// For every request: the host name must be a loopback name, the origin our own.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let named = request
        .uri()
        .authority()
        .map(|authority| authority.as_str())
        .or_else(|| headers.get(header::HOST)?.to_str().ok());
    let Some(host) = named.filter(|host| is_loopback(host)) else {
        return ApiError::bad_host().into_response();
    };
    if let Some(origin) = headers.get(header::ORIGIN) {
        let own = origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host));
        if !own {
            return ApiError::bad_origin().into_response();
        }
    }
    let path = request.uri().path();
    if path.starts_with("/api/") {
        if !app.access.allows(headers) {
            return ApiError::no_token().into_response();
        }
        if let Err(error) = check_change(request.method(), headers) {
            return error.into_response();
        }
    }
    next.run(request).await
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

fn check_change(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    if *method == Method::GET || *method == Method::HEAD {
        return Ok(());
    }
    if headers.get("x-storeyline").is_none() {
        return Err(ApiError::no_header());
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if is_json { Ok(()) } else { Err(ApiError::not_json()) }
}

/// `GET /open/{code}`: a one-time link signs the browser in.
pub(crate) async fn open_link(
    State(app): State<App>,
    axum::extract::Path(code): axum::extract::Path<String>,
) -> Response {
    if !app.access.use_link(&code) {
        return Redirect::to("/").into_response();
    }
    let cookie = format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000", app.access.cookie());
    ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_answered() {
        for host in ["127.0.0.1:8000", "localhost", "localhost:1", "[::1]:80", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "127.0.0.1:80:80", "", "0.0.0.0"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_link_works_once() {
        let access = Access::new("secret".into());
        access.add_link("code".into());
        assert!(access.use_link("code"));
        assert!(!access.use_link("code"));
    }

    #[test]
    fn token_and_cookie_are_accepted_and_nothing_else() {
        let access = Access::new("secret".into());
        let with = |name: header::HeaderName, value: String| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            access.allows(&headers)
        };
        assert!(with(header::AUTHORIZATION, "Bearer secret".into()));
        assert!(with(header::COOKIE, format!("a=b; storeyline={}", access.cookie())));
        assert!(!with(header::AUTHORIZATION, "Bearer wrong".into()));
        assert!(!with(header::COOKIE, "storeyline=secret".into()));
        assert!(!access.allows(&HeaderMap::new()));
    }
}
