//! Where stories are kept: SQLite, one file. The only crate with SQL.
//!
//! In: nodes, turns, bodies, states, refs and operations in the words of `history`. Out: the same,
//! after a crash too. One writer; every operation is one transaction; every key begins with the
//! owner. Layout and invariants: `docs/format/sqlite.md`.

mod schema;
mod store;
mod tx;

pub mod foreign;

mod clients;
mod nodes;
mod operations;
mod refs;
mod states;
mod stories;
mod stuck;
mod values;

pub use operations::{Operation, OperationKind};
pub use refs::{HostBinding, Ref, RefKind};
pub use store::{Owner, Store, StoreError};
pub use stories::Story;
pub use tx::Tx;
