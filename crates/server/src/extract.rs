//! Extractors of routes: the requester, path parameters, query parameters. Invalid ones give our
//! own error responses.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use storeyline_engine::Owner;

use crate::access::BrowserId;
use crate::body::BodyPermit;
use crate::error::ApiError;
use crate::refusals::{NO_TOKEN, NOT_FOUND, NOT_LOCAL};
use crate::serve::App;

/// The owner of a request, and the server's state.
#[derive(Clone)]
pub(crate) struct Requester {
    pub(crate) app: App,
    pub(crate) owner: Owner,
    /// The id of the browser's token; `None` for a program with the token of the data folder.
    pub(crate) browser: Option<String>,
    /// Held by everything that works with the body of the request.
    pub(crate) body: Option<BodyPermit>,
}

impl Requester {
    /// Refuses requests of other owners than the one who runs the program, who alone may change
    /// what all owners share.
    pub(crate) fn must_be_local(&self) -> Result<(), ApiError> {
        if self.owner == Owner::local() { Ok(()) } else { Err(NOT_LOCAL.into()) }
    }
}

impl FromRequestParts<App> for Requester {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        // The access middleware inserts the owner.
        let owner = parts.extensions.get::<Owner>().cloned().ok_or(NO_TOKEN)?;
        let browser = parts.extensions.get::<BrowserId>().map(|id| id.0.clone());
        let body = parts.extensions.get::<BodyPermit>().cloned();
        Ok(Requester { app: app.clone(), owner, browser, body })
    }
}

/// Path parameters. A path with invalid ids does not exist.
pub(crate) struct PathOf<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PathOf<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::<T>::from_request_parts(parts, app).await;
        path.map(|Path(path)| PathOf(path)).map_err(|_| ApiError::from(NOT_FOUND))
    }
}

/// Query parameters.
pub(crate) struct QueryOf<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for QueryOf<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        query.map(|Query(query)| QueryOf(query)).map_err(|error| ApiError::bad_request(&error.body_text()))
    }
}
