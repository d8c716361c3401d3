//! Access control: loopback host names only, no foreign origins, a token in a header, and our own header for every
//! change.
//!
//! There is no cookie: a browser would send it to every port of this machine. The token of the data folder opens the
//! stories of every owner; the token of a browser those of one ([`Browsers`]).

use std::time::SystemTime;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use storeyline_engine::Owner;
use storeyline_state::text;

use crate::body;
use crate::browsers::Browsers;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::refusals::{
    BAD_HOST, BAD_ORIGIN, BAD_OWNER, NEEDS_TOKEN, NO_HEADER, NO_TOKEN, NOT_JSON, TOO_LARGE, TOO_MANY,
};
use crate::requests::RequestOwner;
use crate::serve::App;

/// Header that names an account.
const OWNER: &str = "x-storeyline-owner";

/// In bytes; no host has longer names.
const MAX_OWNER: usize = 64;

/// Exchanges the code of a link for a token, so that it needs none.
pub(crate) const TOKENS: &str = "/api/v1/tokens";

/// Bytes of a body that is read without a token.
const MAX_OPEN_BODY: usize = 4 * 1024;

/// The secrets of a running server.
pub(crate) struct Access {
    token: String,
    browsers: Browsers,
}

/// The id of the browser's token that a request came with.
#[derive(Clone)]
pub(crate) struct BrowserId(pub(crate) String);

impl Access {
    pub(crate) fn new(token: String, browsers: Browsers) -> Self {
        Access { token, browsers }
    }

    pub(crate) fn browsers(&self) -> &Browsers {
        &self.browsers
    }

    /// Returns the owner whose stories a request may see. With the token of the data folder that is the named account,
    /// or the owner who runs the program; with the token of a browser the owner it was made for.
    fn owner(&self, headers: &HeaderMap) -> Result<(Owner, Option<BrowserId>), ApiError> {
        let named = headers.get(OWNER);
        let given = bearer(headers).ok_or(NO_TOKEN)?;
        if equal_secrets(given, &self.token) {
            let owner = named.map_or(Some(Owner::local()), named_account).ok_or(BAD_OWNER)?;
            return Ok((owner, None));
        }
        let token = self.browsers.find(given, SystemTime::now()).ok_or(NO_TOKEN)?;
        if named.is_some() {
            return Err(NEEDS_TOKEN.into());
        }
        Ok((token.owner, Some(BrowserId(token.id))))
    }
}

/// Returns the token in the headers.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

fn named_account(name: &HeaderValue) -> Option<Owner> {
    account(name.to_str().ok()?)
}

/// Parses the name of an account; it goes into keys and logs.
pub fn account(name: &str) -> Option<Owner> {
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
    if path == TOKENS && request.method() == Method::POST {
        check_change(request.method(), path, headers)?;
        if body::length(headers).is_none_or(|length| length > MAX_OPEN_BODY) {
            return Err(TOO_LARGE.into());
        }
        return Ok(next.run(request).await);
    }
    let (owner, browser) = app.access.owner(headers)?;
    check_change(request.method(), path, headers)?;
    if request.extensions().get::<Connection>().is_some_and(|connection| !connection.claim(&owner)) {
        return Err(TOO_MANY.into());
    }
    if let Some(permit) = app.bodies.reserve(&owner, headers).await? {
        request.extensions_mut().insert(permit);
    }
    request.extensions_mut().insert(owner.clone());
    if let Some(browser) = browser {
        request.extensions_mut().insert(browser);
    }
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

    /// Returns the owner for these headers, or the code of the refusal.
    fn owner_of(access: &Access, given: &[(&str, &str)]) -> Result<String, &'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.insert(header::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        access.owner(&headers).map(|(owner, _)| owner.name().to_owned()).map_err(|error| error.code())
    }

    fn access() -> (Access, String, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let browsers = Browsers::new(folder.path());
        let now = SystemTime::now();
        let (code, _) = browsers.make_link(&Owner::named("bert"), now).unwrap();
        let (token, _) = browsers.redeem(&code, now).unwrap().unwrap();
        (Access::new("secret".into(), browsers), format!("Bearer {token}"), folder)
    }

    #[test]
    fn tokens_in_the_header_are_accepted_and_nothing_else() {
        let (access, browser, _folder) = access();
        assert_eq!(owner_of(&access, &[("authorization", "Bearer secret")]), Ok("local".into()));
        assert_eq!(owner_of(&access, &[("authorization", &browser)]), Ok("bert".into()));
        assert_eq!(owner_of(&access, &[("authorization", "Bearer wrong")]), Err("no_token"));
        assert_eq!(owner_of(&access, &[("authorization", "Bearer ../token")]), Err("no_token"));
        let cookie = format!("storeyline={}", browser.strip_prefix("Bearer ").unwrap());
        for cookie in ["storeyline=secret", &cookie] {
            assert_eq!(owner_of(&access, &[("cookie", cookie)]), Err("no_token"));
        }
        assert_eq!(owner_of(&access, &[]), Err("no_token"));
    }

    #[test]
    fn an_account_counts_with_the_token_of_the_data_folder_only() {
        let (access, browser, _folder) = access();
        let token = ("authorization", "Bearer secret");
        assert_eq!(owner_of(&access, &[token, ("x-storeyline-owner", "anna-1")]), Ok("anna-1".into()));
        let named = [("authorization", browser.as_str()), ("x-storeyline-owner", "anna")];
        assert_eq!(owner_of(&access, &named), Err("needs_token"));
        assert_eq!(owner_of(&access, &[("x-storeyline-owner", "anna")]), Err("no_token"));
        for odd in ["", "a b", "a/b", "é", &"x".repeat(65)] {
            assert_eq!(owner_of(&access, &[token, ("x-storeyline-owner", odd)]), Err("bad_owner"), "{odd}");
        }
    }
}
