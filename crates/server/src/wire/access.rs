//! Links and tokens of browsers.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::browsers::BrowserToken;

/// A one-time link.
#[derive(Serialize, ToSchema)]
pub(crate) struct Link {
    /// The address to open, relative to the server. The code is behind `#`, so that it is in no request and no log.
    pub(crate) link: String,
    /// Milliseconds since 1970.
    pub(crate) expires: u64,
}

/// The code of a link that was opened.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OpenLink {
    pub(crate) code: String,
}

/// The token that a browser gets for a link.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewToken {
    /// Sent with every request as `Authorization: Bearer …`.
    pub(crate) token: String,
    /// The owner whose stories it opens.
    pub(crate) owner: String,
    /// Milliseconds since 1970; every use prolongs it.
    pub(crate) expires: u64,
}

/// `/tokens/{token}`
#[derive(Deserialize, IntoParams)]
pub(crate) struct TokenAt {
    /// The id of a token.
    pub(crate) token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
}

/// The token of a browser, without its secret.
#[derive(Serialize, ToSchema)]
pub struct Token {
    /// Its id, to withdraw it.
    token: String,
    owner: String,
    /// Milliseconds since 1970, as all times here.
    made: u64,
    /// The last use, give or take an hour.
    used: u64,
    expires: u64,
    /// Whether this request came with it.
    current: bool,
}

impl Token {
    pub fn new(token: BrowserToken, current: Option<&str>) -> Token {
        Token {
            owner: token.owner.name().to_owned(),
            made: milliseconds(token.made),
            used: milliseconds(token.used),
            expires: milliseconds(token.expires()),
            current: current == Some(&token.id),
            token: token.id,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Withdrawn {
    /// The id of the token.
    pub(crate) withdrawn: String,
}

pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as u64)
}
