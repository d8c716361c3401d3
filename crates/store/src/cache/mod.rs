//! One cache for rows that never change, already decoded.
//!
//! Ids are never given twice, so an entry is right or absent, whoever else writes to the database.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync;
use storeyline_history::{Rules, Turn};
use storeyline_state::{StateHash, Value, ValueHash};

use crate::keys::OwnerKey;
use crate::tables::nodes::StoredNode;
use crate::tables::pages::PageRow;
use crate::tables::states::{Distance, WholeFrame};

/// Bytes that all entries together may weigh, estimated.
const CAPACITY: u64 = 32 * 1024 * 1024;

/// Entries that are expected, for the size of the tables.
const USUAL_ENTRIES: usize = 16_384;

/// A state, its hash, and where its keyframe is.
#[derive(Clone)]
pub(crate) struct CachedState {
    pub(crate) state: Value,
    pub(crate) hash: StateHash,
    pub(crate) distance: Distance,
}

/// Rules, the hash under which they are stored, and the length of their JSON.
#[derive(Clone)]
pub(crate) struct CachedRules {
    pub(crate) rules: Arc<Rules>,
    pub(crate) hash: ValueHash,
    pub(crate) length: usize,
}

/// The names of the player and the character.
pub(crate) type CachedNames = Arc<(String, String)>;

macro_rules! entries {
    ($($kind:ident($held:ty): $entry:ident => $weight:expr;)*) => {
        #[derive(Clone)]
        pub(crate) enum Entry {
            $($kind($held),)*
        }

        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        $(impl Cached for $held {
            const KIND: Kind = Kind::$kind;

            fn wrap(self) -> Entry {
                Entry::$kind(self)
            }

            fn unwrap(entry: Entry) -> Option<Self> {
                if let Entry::$kind(held) = entry { Some(held) } else { None }
            }
        })*

        impl Entry {
            fn weight(&self) -> u64 {
                match self {
                    $(Entry::$kind($entry) => $weight,)*
                }
            }
        }
    };
}

entries! {
    Node(StoredNode): _node => 300;
    Turn(Arc<Turn>): turn => 250 + 100 * turn.pages.len() as u64;
    Page(Arc<PageRow>): _page => 500;
    // In memory a state takes about eight times what its keyframe takes.
    State(CachedState): state => 500 + 8 * state.distance.size as u64;
    Frame(Arc<WholeFrame>): frame => 200 + frame.code.len() as u64;
    Rules(CachedRules): rules => 4_000 + 8 * rules.length as u64;
    Names(CachedNames): names => 200 + names.0.len() as u64 + names.1.len() as u64;
}

/// Something that is cached under its owner and id.
pub(crate) trait Cached: Sized {
    const KIND: Kind;
    fn wrap(self) -> Entry;
    fn unwrap(entry: Entry) -> Option<Self>;
}

type Key = (Kind, OwnerKey, i64);

#[derive(Clone)]
struct Weigh;

impl Weighter<Key, Entry> for Weigh {
    fn weight(&self, _: &Key, entry: &Entry) -> u64 {
        entry.weight()
    }
}

pub(crate) struct Cache(sync::Cache<Key, Entry, Weigh>);

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache(sync::Cache::with_weighter(USUAL_ENTRIES, CAPACITY, Weigh))
    }

    pub(crate) fn get<T: Cached>(&self, owner: OwnerKey, id: i64) -> Option<T> {
        self.0.get(&(T::KIND, owner, id)).and_then(T::unwrap)
    }

    pub(crate) fn put<T: Cached>(&self, owner: OwnerKey, id: i64, held: T) {
        self.0.insert((T::KIND, owner, id), held.wrap());
    }

    /// Forgets everything: rows were repaired or deleted.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }
}
