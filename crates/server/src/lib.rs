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
mod typescript;
mod ui;
mod wire;

pub use openapi::openapi_json;
pub use requests::Log;
pub use serve::{Serve, ServeError, Started, start};
pub use typescript::typescript;

// The answers that `--json` prints too.
pub use wire::archive::ArchiveImportedWire;
pub use wire::care::{CollectedWire, StatsWire, VerifiedWire};
pub use wire::common::{ops as ops_wire, path as path_wire};
pub use wire::compare::{ComparedWire, FloorChangeWire};
pub use wire::import::{InitialWire, StoredWire};
pub use wire::search::{HitsWire, SearchIndexWire};
pub use wire::story::MessageWire;
pub use wire::trails::ValueChangeWire;
pub use wire::view::{EvaluationWire, FloorLineWire, FloorWire, StoryWire};
