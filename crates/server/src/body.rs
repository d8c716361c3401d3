//! Reading a body: bounded, and half a surrogate pair is no reason to refuse it.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;
use storeyline_state::json::mend_surrogates;

use crate::error::ApiError;

/// Anything but whole chats.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// A whole first sync of a long chat fits, and so does a chat file.
const MAX_CHAT: usize = 128 * 1024 * 1024;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// A JSON body that may hold a whole chat.
pub(crate) struct ChatBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        read_json(&text(request, MAX_BODY).await?).map(JsonBody)
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for ChatBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        read_json(&text(request, MAX_CHAT).await?).map(ChatBody)
    }
}

/// Reads the text of a chat file.
pub(crate) async fn chat_text(request: Request<Body>) -> Result<String, ApiError> {
    text(request, MAX_CHAT).await
}

/// Reads JSON text.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    serde_json::from_str(&mend_surrogates(text)).map_err(|error| ApiError::bad_json(&error.to_string()))
}

async fn text(request: Request<Body>, most: usize) -> Result<String, ApiError> {
    let said = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if said.is_some_and(|length| length > most) {
        return Err(ApiError::too_large());
    }
    let bytes = axum::body::to_bytes(request.into_body(), most).await.map_err(|_| ApiError::too_large())?;
    String::from_utf8(bytes.into()).map_err(|_| ApiError::bad_json("it is not UTF-8"))
}
