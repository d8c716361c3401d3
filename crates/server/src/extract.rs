//! What a route is given: who asks, the parts of its address, its questions. Whatever does not fit is
//! answered in our own words.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use storeyline_engine::Owner;

use crate::error::ApiError;
use crate::serve::App;

/// Who asks, and whom.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) app: App,
    pub(crate) owner: Owner,
}

impl Asker {
    /// Whether this is the one who runs the program, who alone decides about what all owners share.
    pub(crate) fn must_be_local(&self) -> Result<(), ApiError> {
        if self.owner == Owner::local() { Ok(()) } else { Err(ApiError::not_local()) }
    }
}

impl FromRequestParts<App> for Asker {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        // The guard puts the owner there; without it nobody is asked for.
        let owner = parts.extensions.get::<Owner>().cloned().ok_or_else(ApiError::no_token)?;
        Ok(Asker { app: app.clone(), owner })
    }
}

/// The parts of an address. One with something else than ids in it does not exist.
pub(crate) struct PathOf<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PathOf<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::<T>::from_request_parts(parts, app).await;
        path.map(|Path(path)| PathOf(path)).map_err(|_| ApiError::not_found())
    }
}

/// What stands after the question mark.
pub(crate) struct QueryOf<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for QueryOf<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        query.map(|Query(query)| QueryOf(query)).map_err(|error| ApiError::bad_request(&error.body_text()))
    }
}
