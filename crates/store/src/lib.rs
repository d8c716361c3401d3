//! Where stories are stored: SQLite, one file. The only crate with SQL.
//!
//! A [`View`] reads and cannot write. A [`Draft`] is a view with new rows in memory; [`Store::commit`] writes
//! them in one short transaction, or says that something has changed meanwhile. Every key begins with the
//! owner. Layout: `docs/format/sqlite.md`.

mod error;
mod ids;
mod keys;
mod store;

mod commit;
mod draft;
mod new_states;
mod view;

mod tables;

mod codec;

mod cache;

mod sql;
mod sqlite;

mod collect;
mod hold;
pub mod private;
mod restore;
mod search;
mod stats;
mod verify;

pub use codec::records::seed_of;
pub use collect::{Collected, Expiry};
pub use draft::{Draft, Evaluator};
pub use error::{DiskTrouble, StoreError};
pub use hold::{Hold, Holder};
pub use keys::{RefKey, StoryKey, TextKey};
pub use search::{FoundPage, Standing, Stands};
pub use sqlite::foreign;
pub use sqlite::full_text::fold;
pub use sqlite::{Durability, Work};
pub use stats::{Bytes, Stats};
pub use store::{Owner, Store};
pub use tables::assets::{Asset, AssetKind};
pub use tables::foreign_snapshots::ForeignSnapshot;
pub use tables::operations::{Change, ChangeSeq, Description, Detail, Operation, OperationKind, RulesParts};
pub use tables::pages::{KnownPage, PageText};
pub use tables::refs::{HostBinding, Ref, RefKind};
pub use tables::stories::{NewStory, Story};
pub use verify::{CheckedRows, RowProblem};
pub use view::View;
