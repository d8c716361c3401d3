//! Reading a JSON body: bounded, and half a surrogate pair is no reason to refuse it.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;
use storeyline_state::json::mend_surrogates;

use crate::error::ApiError;

/// A whole first sync of a long chat fits.
const MAX_BODY: usize = 128 * 1024 * 1024;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        let said = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|length| length > MAX_BODY) {
            return Err(ApiError::too_large());
        }
        let bytes = axum::body::to_bytes(request.into_body(), MAX_BODY).await.map_err(|_| ApiError::too_large())?;
        let text = std::str::from_utf8(&bytes).map_err(|_| ApiError::bad_json("it is not UTF-8"))?;
        let value =
            serde_json::from_str(&mend_surrogates(text)).map_err(|error| ApiError::bad_json(&error.to_string()))?;
        Ok(JsonBody(value))
    }
}
