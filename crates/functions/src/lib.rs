//! What calls mean: the built-in functions, each declared once, and the peers' rules for the same
//! names.
//!
//! In: a state and a call. Out: the next state with its ops, or a diagnostic; a call is all or
//! nothing. Parsing is done before, evaluation of a page after.

pub mod builtin;
mod draft;
mod growth;
pub mod library;
pub mod manual;
mod moment;
pub mod page;
pub mod profile;
mod run;
pub mod schema;
pub mod script;
mod target;
mod trace;
mod written;

mod mvu;
mod native;
mod patch;
pub mod sam;
mod varsystem;

pub use builtin::{Builtin, builtins, find};
pub use draft::{Draft, Refusal};
pub use library::Library;
pub use mvu::locks::Locks;
pub use profile::Profile;
pub use run::{Conventions, Outcome, run};
pub use schema::Schema;
pub use script::{Incomplete, Script, Scripts, Stopped};
pub use trace::{CallTrace, Verdict};
