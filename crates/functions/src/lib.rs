//! What calls mean: the built-in functions, each declared once.
//!
//! In: a state and a call. Out: the next state with its ops, or a diagnostic; a call is all or
//! nothing. Parsing is done before, order and evaluation of a page after.

pub mod builtin;
mod draft;
mod run;

mod add;
mod set;
mod unset;

pub use builtin::{BUILTINS, Builtin, find};
pub use draft::{Draft, Refusal};
pub use run::{Outcome, run};
