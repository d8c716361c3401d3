//! Ids of rows, numbered per owner and table. They mean nothing outside the store and are never shown.
//!
//! A negative id names a row of a draft that is not committed yet.

macro_rules! key {
    ($visibility:vis $($name:ident)*) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(pub(crate) i64);
    )* };
}

key!(pub(crate) OwnerKey);
key!(pub StoryKey RefKey TextKey);

impl RefKey {
    /// The key of a ref that is in no draft and in no table yet.
    pub const NEW: RefKey = RefKey(0);
}

/// A row of a draft has a negative id: −1 for the first, −2 for the second.
pub(crate) fn draft_id(index: usize) -> i64 {
    -1 - index as i64
}

/// Returns the index of a row of a draft; nothing for a stored row.
pub(crate) fn draft_index(id: i64) -> Option<usize> {
    (id < 0).then(|| (-1 - id) as usize)
}
