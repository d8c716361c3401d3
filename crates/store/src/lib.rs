//! Where stories are kept: SQLite, one file. The only crate with SQL.
//!
//! In: turns, pages, evaluations, refs and operations in the words of `history`. Out: the same, after
//! a crash too. One writer, many readers; every operation is one transaction; every look-up names the
//! owner. Layout and invariants: `docs/format/sqlite.md`.

mod error;
mod sql;
mod sqlite;

mod hold;
mod recent;
mod recent_states;
mod restore;
mod runs;
mod schema;
mod store;
mod tx;

mod code;
mod pack;
mod state_code;
mod trace_code;

mod clients;
mod collect;
mod foreign_snapshots;
mod fresh;
mod fresh_code;
mod full_text;
mod keeps;
mod memos;
mod mend_fresh;
mod named;
mod notes;
mod operations;
mod pages;
mod refs;
mod search;
mod spread;
mod states;
mod stats;
mod stories;
mod texts;
mod texts_ahead;
mod turns;
mod values;

pub mod foreign;

pub use collect::{Collected, Expiry};
pub use error::{DiskTrouble, StoreError};
pub use foreign_snapshots::ForeignSnapshot;
pub use hold::{Hold, Holder};
pub use keeps::{KeepKind, Keepsake};
pub use operations::{Operation, OperationKind};
pub use pages::{KnownPage, PageText, seed_of};
pub use refs::{HostBinding, Ref, RefKind};
pub use search::{FoundPage, Standing, Stands, fold};
pub use sqlite::{Durability, Work};
pub use stats::{Bytes, Stats};
pub use store::{Owner, Store};
pub use stories::{NewStory, Story};
pub use tx::Tx;
