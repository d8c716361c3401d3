//! Ids of rows, numbered per owner (`ids.rs`). They mean nothing outside the store and are never shown.

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
