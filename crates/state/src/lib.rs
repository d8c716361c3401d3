//! Basic types of all other crates: ids, canonical text, paths, diagnostics, and the JSON tree that
//! holds the state of a story.
//!
//! In: JSON text, paths, changes. Out: values with a content hash, ops that can be applied and
//! inverted, differences. This crate does no I/O, reads no clock and knows nothing of chats.

pub mod id;
pub mod iso_date;
pub mod story_time;
pub mod text;

pub mod json;
pub mod list;
pub mod number;
pub mod object;
pub mod value;

mod digest;

pub mod align;
pub mod diff;
pub mod merge;
pub mod op;
pub mod path;
#[cfg(feature = "schema")]
mod schema;
pub mod spot;

mod named;

pub mod diagnostic;
mod explanation;

pub use diagnostic::{Diagnostic, Severity, Words};
#[doc(hidden)]
pub use digest::Sum;
pub use explanation::{Explain, Explanation};
pub use id::{ChatId, NodeId, PageId, RefId, StateHash, StoryId, TextHash, ValueHash};
pub use list::List;
pub use number::Number;
pub use object::Object;
pub use op::{Change, Op, Ops, Step};
pub use path::StatePath;
pub use spot::Spot;
pub use value::{Text, Value};
