//! Access of browsers: links that open the page, and the tokens that the page gets for them.

use std::io;
use std::time::SystemTime;

use axum::extract::State;
use axum::http::HeaderMap;
use storeyline_wire::access::{Link, NewToken, OpenLink, TokenAt, Tokens, Withdrawn};

use crate::access::bearer;
use crate::answer::Json;
use crate::body::JsonBody;
use crate::browsers::{Browsers, milliseconds};
use crate::error::ApiError;
use crate::extract::{PathOf, Requester};
use crate::refusals::{BAD_LINK, INTERNAL, NEEDS_TOKEN};
use crate::routes::Answer;
use crate::serve::App;

/// Makes a one-time link that opens the page for the owner of the request. Needs the token of the data folder.
#[utoipa::path(post, path = "/api/v1/links", tag = "access", responses((status = 200, body = Link)))]
pub(crate) async fn make_link(requester: Requester) -> Answer<Link> {
    // Access that was withdrawn must not live on in links that it made.
    if requester.browser.is_some() {
        return Err(NEEDS_TOKEN.into());
    }
    let owner = requester.owner.clone();
    let (code, expires) = on_disk(&requester.app, move |browsers, now| browsers.make_link(&owner, now)).await?;
    Ok(Json(Link { link: format!("/#open={code}"), expires: milliseconds(expires) }))
}

/// Exchanges the code of a link for a token. Needs no token; one of a browser that is sent along is replaced.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "access", request_body = OpenLink, responses((status = 200, body = NewToken)))]
pub(crate) async fn redeem(
    State(app): State<App>,
    headers: HeaderMap,
    JsonBody(wire): JsonBody<OpenLink>,
) -> Answer<NewToken> {
    let old = bearer(&headers).map(str::to_owned);
    let made = on_disk(&app, move |browsers, now| {
        let made = browsers.redeem(&wire.code, now)?;
        if let (Some((_, new)), Some(old)) = (&made, old.and_then(|old| browsers.find(&old, now)))
            && old.owner == new.owner
        {
            browsers.withdraw(&old.id, Some(&old.owner));
        }
        Ok(made)
    });
    let (token, made) = made.await?.ok_or(BAD_LINK)?;
    Ok(Json(NewToken { token, owner: made.owner.name().to_owned(), expires: milliseconds(made.expires()) }))
}

/// Lists the tokens of browsers that may see the owner's stories, the one used last first.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "access", responses((status = 200, body = Tokens)))]
pub(crate) async fn list(requester: Requester) -> Answer<Tokens> {
    let found = on_disk(&requester.app, |browsers, now| Ok(browsers.list(now))).await?;
    let own = found.into_iter().filter(|token| token.owner == requester.owner);
    Ok(Json(Tokens { tokens: own.map(|token| token.shown(requester.browser.as_deref())).collect() }))
}

/// Withdraws the token of a browser; from now on it opens nothing.
#[utoipa::path(delete, path = "/api/v1/tokens/{token}", tag = "access", params(TokenAt), responses((status = 200, body = Withdrawn)))]
pub(crate) async fn withdraw(requester: Requester, PathOf(at): PathOf<TokenAt>) -> Answer<Withdrawn> {
    let (id, owner) = (at.token.clone(), requester.owner.clone());
    let done = on_disk(&requester.app, move |browsers, _| Ok(browsers.withdraw(&id, Some(&owner)))).await?;
    match done {
        true => Ok(Json(Withdrawn { withdrawn: at.token })),
        false => Err(ApiError::nothing_here("没有这个令牌。", "There is no such token.")),
    }
}

/// Works with the files of the data folder, on a thread that may block.
async fn on_disk<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Browsers, SystemTime) -> io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let access = app.access.clone();
    let done = tokio::task::spawn_blocking(move || work(access.browsers(), SystemTime::now())).await;
    match done {
        Ok(Ok(result)) => Ok(result),
        _ => Err(INTERNAL.into()),
    }
}
