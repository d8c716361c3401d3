//! The HTTP server: routes, wire types, access, the embedded UI.
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
mod permits;
mod random;
mod refusals;
mod requests;
mod routes;
mod serve;
mod ui;
pub mod wire;

pub use access::account;
pub use browsers::{BrowserToken, Browsers};
pub use openapi::openapi_json;
pub use requests::Log;
pub use serve::{Serve, ServeError, Started, start};

/// Entry point of the fuzzer; not part of the program.
#[cfg(feature = "fuzzing")]
pub mod fuzzing {
    use storeyline_engine as engine;

    use crate::body::parse;
    use crate::wire::chats::{Cast, Decide, OpenChat};
    use crate::wire::import::{ImportChat, ImportFolder, ReadCard};
    use crate::wire::keeps::PutLibrary;
    use crate::wire::operation::Wanted;
    use crate::wire::rules::{Evaluate, RulesChange};
    use crate::wire::sync::SyncWire;

    /// Reads a body as every type that can contain much.
    pub fn read_bodies(text: &str) {
        let _ = parse::<OpenChat>(text).map(engine::HostChat::try_from);
        let _ = parse::<Cast>(text).map(engine::Cast::try_from);
        let _ = parse::<SyncWire>(text).map(engine::SyncRequest::try_from);
        let _ = parse::<RulesChange>(text).map(engine::RulesChange::try_from);
        let _ = parse::<ImportChat>(text).map(ImportChat::request);
        let _ =
            parse::<Evaluate>(text).map(|wire| wire.rules.map(|change| change.apply(&mut engine::Rules::default())));
        let _ = (parse::<ImportFolder>(text), read_json::<ReadCard>(text), read_json::<PutLibrary>(text));
        let _ = (parse::<Wanted>(text), read_json::<Decide>(text));
    }
}
