//! Access control: loopback host names only, no foreign origins, a token or our cookie, and our
//! header for every change.

use std::collections::HashSet;
use std::sync::Mutex;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use storeyline_engine::Owner;
use storeyline_state::text;

use crate::error::ApiError;
use crate::refusals::{BAD_HOST, BAD_ORIGIN, BAD_OWNER, NO_HEADER, NO_TOKEN, NOT_JSON, OWNER_NEEDS_TOKEN};
use crate::requests::RequestOwner;
use crate::serve::App;

const COOKIE: &str = "storeyline";

/// Header that names an account.
const OWNER: &str = "x-storeyline-owner";

/// In bytes; no host has longer names.
const MAX_OWNER: usize = 64;

/// The secrets of a running server.
pub(crate) struct Access {
    token: String,
    /// Codes of one-time links that were not opened yet.
    links: Mutex<HashSet<String>>,
}

impl Access {
    pub(crate) fn new(token: String) -> Self {
        Access { token, links: Mutex::default() }
    }

    /// Adds the code of a one-time link.
    pub(crate) fn add_link(&self, code: String) {
        self.links.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(code);
    }

    fn use_link(&self, code: &str) -> bool {
        self.links.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(code)
    }

    /// Returns the cookie. It is derived from the token, so a page stays signed in when the server
    /// restarts.
    fn cookie(&self) -> String {
        text::hash(&format!("storeyline cookie {}", self.token)).to_string()
    }

    /// Returns the owner whose stories a request may see: the named account, if the request has the
    /// token; without a name, and with the cookie always, the owner who runs the program.
    fn owner(&self, headers: &HeaderMap) -> Result<Owner, ApiError> {
        let named = headers.get(OWNER);
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        if bearer.is_some_and(|given| equal_secrets(given, &self.token)) {
            return named.map_or(Ok(Owner::local()), |name| account(name).ok_or_else(|| BAD_OWNER.into()));
        }
        match (self.has_cookie(headers), named) {
            (false, _) => Err(NO_TOKEN.into()),
            (true, Some(_)) => Err(OWNER_NEEDS_TOKEN.into()),
            (true, None) => Ok(Owner::local()),
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let ours = cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE);
        ours.is_some_and(|(_, given)| equal_secrets(given, &self.cookie()))
    }
}

/// Parses the name of an account; it comes from a header and goes into keys and logs.
fn account(name: &HeaderValue) -> Option<Owner> {
    let name = name.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'@');
    (!name.is_empty() && name.len() <= MAX_OWNER && name.bytes().all(plain)).then(|| Owner::named(name))
}

/// Compares hashes, so that the time taken reveals nothing about the secret.
fn equal_secrets(given: &str, secret: &str) -> bool {
    text::hash(given) == text::hash(secret)
}

/// Accepts a chat file as its body.
pub(crate) const IMPORT: &str = "/api/v1/import";

/// Accepts archives as its body.
const ARCHIVES: &str = "/api/v1/archives";

/// Media type of JSON lines.
pub(crate) const CHAT_FILE: &str = "application/x-ndjson";

/// Checks every request: the host name must be a loopback name, the origin our own.
pub(crate) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let headers = request.headers();
    let named = request
        .uri()
        .authority()
        .map(|authority| authority.as_str())
        .or_else(|| headers.get(header::HOST)?.to_str().ok());
    let host = named.filter(|host| is_loopback(host)).ok_or(BAD_HOST)?;
    let own = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host));
    if !headers.get(header::ORIGIN).is_none_or(own) {
        return Err(BAD_ORIGIN.into());
    }
    let path = request.uri().path();
    if !(path.starts_with("/api/") || path.starts_with("/var-manager/")) {
        return Ok(next.run(request).await);
    }
    let owner = app.access.owner(headers)?;
    check_change(request.method(), path, headers)?;
    request.extensions_mut().insert(owner.clone());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(RequestOwner(owner));
    Ok(response)
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

fn check_change(method: &Method, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    if *method == Method::GET || *method == Method::HEAD {
        return Ok(());
    }
    if headers.get("x-storeyline").is_none() {
        return Err(NO_HEADER.into());
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let empty = length.is_none_or(|length| length == "0") && headers.get(header::TRANSFER_ENCODING).is_none();
    if empty && headers.get(header::CONTENT_TYPE).is_none() {
        return Ok(());
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or_default().trim();
    // A form cannot send this media type either.
    let is_chat = (path == IMPORT || path == ARCHIVES) && kind.eq_ignore_ascii_case(CHAT_FILE);
    if is_chat || kind.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(NOT_JSON.into()) }
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

    /// Returns the owner for these headers, or the code of the refusal.
    fn owner_of(access: &Access, given: &[(&str, &str)]) -> Result<String, &'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.insert(header::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        access.owner(&headers).map(|owner| owner.name().to_owned()).map_err(|error| error.code())
    }

    #[test]
    fn token_and_cookie_are_accepted_and_nothing_else() {
        let access = Access::new("secret".into());
        let cookie = format!("a=b; storeyline={}", access.cookie());
        assert_eq!(owner_of(&access, &[("authorization", "Bearer secret")]), Ok("local".into()));
        assert_eq!(owner_of(&access, &[("cookie", &cookie)]), Ok("local".into()));
        assert_eq!(owner_of(&access, &[("authorization", "Bearer wrong")]), Err("no_token"));
        assert_eq!(owner_of(&access, &[("cookie", "storeyline=secret")]), Err("no_token"));
        assert_eq!(owner_of(&access, &[]), Err("no_token"));
    }

    #[test]
    fn an_account_counts_with_the_token_only() {
        let access = Access::new("secret".into());
        let cookie = format!("storeyline={}", access.cookie());
        let token = ("authorization", "Bearer secret");
        assert_eq!(owner_of(&access, &[token, ("x-storeyline-owner", "anna-1")]), Ok("anna-1".into()));
        assert_eq!(owner_of(&access, &[("cookie", &cookie), ("x-storeyline-owner", "anna")]), Err("owner_needs_token"));
        assert_eq!(owner_of(&access, &[("x-storeyline-owner", "anna")]), Err("no_token"));
        for odd in ["", "a b", "a/b", "é", &"x".repeat(65)] {
            assert_eq!(owner_of(&access, &[token, ("x-storeyline-owner", odd)]), Err("bad_owner"), "{odd}");
        }
    }
}
