//! Links and tokens of browsers.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A one-time link.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Link {
    /// The address to open, relative to the server. The code is behind `#`, so that it is in no request and no log.
    pub link: String,
    /// Milliseconds since 1970.
    pub expires: u64,
}

/// The code of a link that was opened.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct OpenLink {
    pub code: String,
}

/// The token that a browser gets for a link.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NewToken {
    /// Sent with every request as `Authorization: Bearer …`.
    pub token: String,
    /// The owner whose stories it opens.
    pub owner: String,
    /// Milliseconds since 1970; every use prolongs it.
    pub expires: u64,
}

/// `/tokens/{token}`
#[derive(Deserialize, IntoParams)]
pub struct TokenAt {
    /// The id of a token.
    pub token: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Tokens {
    pub tokens: Vec<Token>,
}

/// The token of a browser, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Token {
    /// Its id, to withdraw it.
    pub token: String,
    pub owner: String,
    /// Milliseconds since 1970, as all times here.
    pub made: u64,
    /// The last use, give or take an hour.
    pub used: u64,
    pub expires: u64,
    /// Whether this request came with it.
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Withdrawn {
    /// The id of the token.
    pub withdrawn: String,
}
