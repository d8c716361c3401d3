//! The HTTP server: routes, access, the embedded UI.
//!
//! In: requests. Out: JSON as described in `docs/api.md`. A route parses its arguments, makes one
//! call of the engine and shows the result; it contains no decisions.

pub mod assets;

mod access;
mod answer;
mod body;
mod browsers;
mod connections;
mod error;
mod extract;
mod openapi;
mod parse;
mod permits;
mod random;
mod refusals;
mod requests;
mod routes;
mod serve;
mod ui;
mod var_manager;

pub use access::account;
pub use browsers::{BrowserToken, Browsers};
pub use openapi::openapi_json;
pub use requests::Log;
pub use serve::{Serve, ServeError, Started, start};

/// Entry point of the fuzzer; not part of the program.
#[cfg(feature = "fuzzing")]
pub mod fuzzing {
    use storeyline_wire::assets::PutLibrary;
    use storeyline_wire::chats::{Cast, Decide, OpenChat};
    use storeyline_wire::import::{ImportChat, ImportFolder, ReadCard};
    use storeyline_wire::operation::BranchEdit;
    use storeyline_wire::rules::{Evaluate, RulesChange};
    use storeyline_wire::sync::SyncRequest;

    use crate::body::parse;
    use crate::parse::{cast, host_chat, import_request, rules_change};

    /// Reads a body as every type that can contain much.
    pub fn read_bodies(text: &str) {
        let _ = parse::<OpenChat>(text).map(host_chat);
        let _ = parse::<Cast>(text).map(|wire| cast(&wire));
        let _ = parse::<SyncRequest>(text);
        let _ = parse::<RulesChange>(text).map(rules_change);
        let _ = parse::<ImportChat>(text).map(import_request);
        let _ = parse::<Evaluate>(text).map(|wire| wire.rules.map(rules_change));
        let _ = (parse::<ImportFolder>(text), parse::<ReadCard>(text), parse::<PutLibrary>(text));
        let _ = (parse::<BranchEdit>(text), parse::<Decide>(text));
    }
}
