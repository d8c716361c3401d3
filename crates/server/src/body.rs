//! Reads request bodies: bounded, with lone surrogates replaced.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;
use storeyline_state::json::replace_lone_surrogates;
use tokio::sync::OwnedSemaphorePermit;

use crate::error::ApiError;
use crate::refusals::{INTERNAL, TOO_LARGE};
use crate::serve::App;

/// In bytes, for anything except whole chats.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// In bytes. Large enough for the first sync of a long chat, and for a chat file.
const MAX_CHAT: usize = 128 * 1024 * 1024;

pub(crate) struct JsonBody<T>(pub(crate) T);

/// A JSON body that may contain a whole chat. A large one keeps its permit as long as it is in
/// memory.
pub(crate) struct ChatBody<T>(pub(crate) T, pub(crate) LargeBodyPermit);

/// Permit to have a large body in memory.
pub(crate) type LargeBodyPermit = Option<OwnedSemaphorePermit>;

/// Larger bodies need a permit; in bytes.
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
        let (text, permit) = chat_text(request, app).await?;
        Ok(ChatBody(read_json(&text)?, permit))
    }
}

/// Reads the text of a chat file, or of a body that may contain one.
pub(crate) async fn chat_text(request: Request<Body>, app: &App) -> Result<(String, LargeBodyPermit), ApiError> {
    let length = said_length(&request);
    if length.is_some_and(|length| length > MAX_CHAT) {
        return Err(TOO_LARGE.into());
    }
    let permit = match length.is_none_or(|length| length > LARGE) {
        true => Some(Arc::clone(&app.large).acquire_owned().await.map_err(|_| INTERNAL)?),
        false => None,
    };
    Ok((text(request, MAX_CHAT).await?, permit))
}

fn said_length(request: &Request<Body>) -> Option<usize> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    serde_json::from_str(&replace_lone_surrogates(text)).map_err(|error| ApiError::bad_json(&error.to_string()))
}

async fn text(request: Request<Body>, most: usize) -> Result<String, ApiError> {
    if said_length(&request).is_some_and(|length| length > most) {
        return Err(TOO_LARGE.into());
    }
    let bytes = axum::body::to_bytes(request.into_body(), most).await.map_err(|_| TOO_LARGE)?;
    String::from_utf8(bytes.into()).map_err(|_| ApiError::bad_json("it is not UTF-8"))
}
