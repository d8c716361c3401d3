//! Addresses: where a thing lies in its store. They mean nothing outside of it and are never shown.

macro_rules! key {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);
    };
}

key!(
    /// A node.
    NodeKey
);
key!(
    /// A turn.
    TurnKey
);
key!(
    /// One version of a page: its text and the other inputs of evaluation.
    PageKey
);
key!(
    /// An evaluation and the state it led to; the initial state too.
    StateKey
);
key!(
    /// A stored JSON value.
    ValueKey
);
