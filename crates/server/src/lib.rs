//! The HTTP server: routes, wire types, access, the embedded UI.
//!
//! In: requests. Out: JSON as described in `docs/api.md`. A route parses its arguments, makes one
//! call of the engine and shows the result; it contains no decisions.

pub mod assets;

mod access;
mod body;
mod browsers;
mod connections;
mod error;
mod extract;
mod openapi;
mod permits;
mod random;
mod refusals;
mod requests;
mod routes;
mod serve;
mod typescript;
mod ui;
pub mod wire;

pub use access::account;
pub use browsers::{BrowserToken, Browsers};
pub use openapi::openapi_json;
pub use requests::Log;
pub use serve::{Serve, ServeError, Started, start};
pub use typescript::typescript;
