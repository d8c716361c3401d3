//! The HTTP server: routes, wire types, access, the embedded UI.
//!
//! In: requests. Out: JSON as described in `docs/api.md`. A route parses its arguments, makes one
//! call of the engine and shows the result; it contains no decisions.

pub mod assets;

mod access;
mod body;
mod error;
mod extract;
mod openapi;
mod permits;
mod random;
mod requests;
mod routes;
mod serve;
mod shapes;
mod typescript;
mod ui;
mod wire;

pub use openapi::openapi_json;
pub use requests::Log;
pub use serve::{Serve, ServeError, Started, start};
pub use shapes::{evaluation_json, floor_json, floor_lines_json, stories_json};
pub use typescript::typescript;
