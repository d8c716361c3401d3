//! Ids of rows, numbered per owner (`ids.rs`). They mean nothing outside the store and are never shown.

use serde::{Deserialize, Serialize};

macro_rules! key {
    ($visibility:vis $($name:ident)*) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        $visibility struct $name(pub(crate) i64);
    )* };
}

key!(pub(crate) OwnerKey);
key!(pub StoryKey RefKey TextKey);

impl RefKey {
    /// The key of a ref that is in no draft and in no table yet.
    pub const NEW: RefKey = RefKey(0);
}

impl OwnerKey {
    /// Returns the id of a row from its number among those of the owner. The owner stands in front, so that the rows
    /// of an owner lie together.
    pub(crate) fn row_id(self, number: i64) -> i64 {
        (self.0 << NUMBER_BITS) | number
    }
}

/// Bits of an id for the number; the bits above are the owner.
const NUMBER_BITS: u32 = 36;

/// Selects the rows of the owner `$1` in a table whose key is `id`.
macro_rules! own_rows {
    () => {
        "owner = $1 AND id >= ($1 << 36) AND id < (($1 + 1) << 36)"
    };
}
pub(crate) use own_rows;
