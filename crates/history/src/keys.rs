//! Row keys of a store. They have no meaning outside of it and are never shown.

use serde::{Deserialize, Serialize};

macro_rules! key {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub i64);
    };
}

key!(NodeKey);
key!(TurnKey);
key!(
    /// One version of a page: its text and the other inputs of evaluation.
    PageKey
);
key!(
    /// An evaluation and its state; also the initial state.
    StateKey
);
key!(ValueKey);
