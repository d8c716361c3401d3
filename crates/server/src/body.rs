//! Reading a body: bounded, and half a surrogate pair is no reason to refuse it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;
use storeyline_state::json::replace_lone_surrogates;
use tokio::sync::OwnedSemaphorePermit;

use crate::error::ApiError;
use crate::serve::App;

/// Anything but whole chats.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// A whole first sync of a long chat fits, and so does a chat file.
const MAX_CHAT: usize = 128 * 1024 * 1024;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// A JSON body that may hold a whole chat. One that is large keeps its seat as long as it is in memory.
pub(crate) struct ChatBody<T>(pub(crate) T, pub(crate) Seat);

/// The right to have a large body in memory.
pub(crate) type Seat = Option<OwnedSemaphorePermit>;

/// What is larger than this needs a seat.
const LARGE: usize = 1024 * 1024;

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        read_json(&text(request, MAX_BODY).await?).map(JsonBody)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for ChatBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, app: &App) -> Result<Self, ApiError> {
        let (text, seat) = chat_text(request, app).await?;
        Ok(ChatBody(read_json(&text)?, seat))
    }
}

/// Reads the text of a chat file, or of what may hold one.
pub(crate) async fn chat_text(request: Request<Body>, app: &App) -> Result<(String, Seat), ApiError> {
    let length = said_length(&request);
    if length.is_some_and(|length| length > MAX_CHAT) {
        return Err(ApiError::too_large());
    }
    let seat = match length.is_none_or(|length| length > LARGE) {
        true => Some(Arc::clone(&app.large).acquire_owned().await.map_err(|_| ApiError::internal())?),
        false => None,
    };
    Ok((text(request, MAX_CHAT).await?, seat))
}

fn said_length(request: &Request<Body>) -> Option<usize> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads JSON text.
fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    serde_json::from_str(&replace_lone_surrogates(text)).map_err(|error| ApiError::bad_json(&error.to_string()))
}

async fn text(request: Request<Body>, most: usize) -> Result<String, ApiError> {
    if said_length(&request).is_some_and(|length| length > most) {
        return Err(ApiError::too_large());
    }
    let bytes = axum::body::to_bytes(request.into_body(), most).await.map_err(|_| ApiError::too_large())?;
    String::from_utf8(bytes.into()).map_err(|_| ApiError::bad_json("it is not UTF-8"))
}
