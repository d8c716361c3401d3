//! Reads request bodies: bounded in size, in time and in the memory of all of them together, with lone surrogates
//! replaced.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use serde::de::DeserializeOwned;
use storeyline_engine::Owner;
use storeyline_state::json::replace_lone_surrogates;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::permits::{Permit, Permits};
use crate::refusals::{INTERNAL, TOO_LARGE, TOO_SLOW};

/// In bytes, for anything except whole chats.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// In bytes. Large enough for the first sync of a long chat, and for a chat file.
const MAX_CHAT: usize = 128 * 1024 * 1024;

/// In bytes. Smaller bodies need no permit, and are parsed where they are read.
const SMALL: usize = 64 * 1024;

/// Bytes per permit.
const UNIT: usize = 64 * 1024;

/// Bytes of bodies in memory at a time, in all and for one owner; parsed, they need several times as much. A body
/// larger than an owner's share takes the whole share.
const MAX_IN_MEMORY: (usize, usize) = (36 * 1024 * 1024, 12 * 1024 * 1024);

/// Time for a body, beside one second for each [`SLOWEST`] bytes.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes per second of a slow phone.
const SLOWEST: u64 = 128 * 1024;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// A JSON body that may contain a whole chat.
pub(crate) struct ChatBody<T>(pub(crate) T);

/// Limits the memory of all bodies.
pub(crate) struct BodyMemory(Permits);

/// Allows to have a body in memory; held as long as anything made of it is used.
pub(crate) type BodyPermit = Arc<Permit>;

impl BodyMemory {
    pub(crate) fn new() -> BodyMemory {
        BodyMemory(Permits::new(MAX_IN_MEMORY.0 / UNIT, MAX_IN_MEMORY.1 / UNIT))
    }

    /// Waits until there is memory for the body of a request; `None` if it is small. One of unknown length may become
    /// as large as any.
    pub(crate) async fn reserve(&self, owner: &Owner, headers: &HeaderMap) -> Result<Option<BodyPermit>, ApiError> {
        let length = length(headers);
        if length.is_some_and(|length| length > MAX_CHAT) {
            return Err(TOO_LARGE.into());
        }
        let length = length.unwrap_or(if headers.contains_key(TRANSFER_ENCODING) { MAX_CHAT } else { 0 });
        match length <= SMALL {
            true => Ok(None),
            false => Ok(Some(Arc::new(self.0.acquire_many(owner, length.div_ceil(UNIT)).await?))),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        read_json(text(request, MAX_BODY).await?).await.map(JsonBody)
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for ChatBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        read_json(chat_text(request).await?).await.map(ChatBody)
    }
}

/// Reads the text of a chat file, or of a body that may contain one.
pub(crate) async fn chat_text(request: Request<Body>) -> Result<String, ApiError> {
    text(request, MAX_CHAT).await
}

/// Returns the length that a request declares.
pub(crate) fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Parses on a thread that may block if it takes long; the threads that accept requests are few.
async fn read_json<T: DeserializeOwned + Send + 'static>(text: String) -> Result<T, ApiError> {
    if text.len() <= SMALL {
        return parse(&text);
    }
    tokio::task::spawn_blocking(move || parse(&text)).await.unwrap_or_else(|_| Err(INTERNAL.into()))
}

pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    serde_json::from_str(&replace_lone_surrogates(text)).map_err(|error| ApiError::bad_json(&error.to_string()))
}

async fn text(request: Request<Body>, most: usize) -> Result<String, ApiError> {
    let length = length(request.headers());
    if length.is_some_and(|length| length > most) {
        return Err(TOO_LARGE.into());
    }
    let limit = BODY_TIMEOUT + Duration::from_secs(length.unwrap_or(most) as u64 / SLOWEST);
    let bytes = timeout(limit, axum::body::to_bytes(request.into_body(), most)).await.map_err(|_| TOO_SLOW)?;
    String::from_utf8(bytes.map_err(|_| TOO_LARGE)?.into()).map_err(|_| ApiError::bad_json("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    /// Reserves memory if there is some at once.
    async fn reserved(
        memory: &BodyMemory,
        owner: &str,
        header: (HeaderName, HeaderValue),
    ) -> Option<Option<BodyPermit>> {
        let (owner, headers) = (Owner::named(owner), HeaderMap::from_iter([header]));
        timeout(Duration::from_millis(20), memory.reserve(&owner, &headers)).await.ok()?.ok()
    }

    #[tokio::test]
    async fn bodies_wait_for_memory_and_those_of_another_owner_do_not() {
        let memory = BodyMemory::new();
        let length = |length: usize| (CONTENT_LENGTH, HeaderValue::from(length));
        let _first = reserved(&memory, "anna", length(5 << 20)).await.unwrap();
        let second = reserved(&memory, "anna", length(5 << 20)).await.unwrap();
        assert!(reserved(&memory, "anna", length(5 << 20)).await.is_none(), "two at a time");
        assert!(reserved(&memory, "anna", length(SMALL)).await.unwrap().is_none(), "a small one needs no permit");
        assert!(reserved(&memory, "bert", length(5 << 20)).await.is_some());
        drop(second);
        assert!(reserved(&memory, "anna", length(5 << 20)).await.is_some());
        let chunked = (TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
        let _all = reserved(&memory, "bert", chunked).await.unwrap();
        assert!(
            reserved(&memory, "bert", length(SMALL + 1)).await.is_none(),
            "an unknown length counts as the largest"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_come_is_given_up() {
        let never = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        let request = Request::builder().header(CONTENT_LENGTH, 100).body(never).unwrap();
        assert_eq!(text(request, MAX_BODY).await.err().map(|error| error.code()), Some("too_slow"));
    }
}
