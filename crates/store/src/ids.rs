//! Ids of new rows.
//!
//! A block of ids is reserved in the row of the owner and given out in memory, so that a new row has its id at
//! once and a commit writes no counter. What is left of a block when the program ends is never given.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sqlite::Durability;
use crate::store::{Owner, Store};
use crate::tables::owners::{self, OwnerRow};

/// Nodes and states have counters of their own: where ids follow each other, rows are read together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum IdKind {
    Node,
    State,
    Other,
}

/// How many ids are reserved at once.
const BLOCK: i64 = 1_024;

/// The owners that were seen, with the ids that are reserved for them.
#[derive(Default)]
pub(crate) struct Ids(Mutex<HashMap<Owner, Reserved>>);

struct Reserved {
    owner: OwnerKey,
    /// By kind.
    left: [Range<i64>; 3],
}

impl Ids {
    fn lock(&self) -> MutexGuard<'_, HashMap<Owner, Reserved>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn owner(&self, owner: &Owner) -> Option<OwnerKey> {
        self.lock().get(owner).map(|reserved| reserved.owner)
    }

    pub(crate) fn add_owner(&self, owner: &Owner, key: OwnerKey) {
        self.lock().entry(owner.clone()).or_insert(Reserved { owner: key, left: [0..0, 0..0, 0..0] });
    }

    /// Adds reserved ids. Another thread may have reserved later ones meanwhile: then these are lost, because the ids
    /// of a draft only ever rise.
    fn add_block(&self, owner: &Owner, kind: IdKind, ids: Range<i64>) {
        if let Some(reserved) = self.lock().get_mut(owner) {
            let left = &mut reserved.left[kind as usize];
            if ids.start >= left.start {
                *left = ids;
            }
        }
    }

    /// Gives an id; nothing if none is reserved.
    pub(crate) fn take(&self, owner: &Owner, kind: IdKind) -> Option<i64> {
        self.lock().get_mut(owner)?.left[kind as usize].next()
    }
}

impl Store {
    /// Reserves ids. The caller has no transaction open.
    pub(crate) fn reserve_ids(&self, owner: &Owner, kind: IdKind) -> Result<(), StoreError> {
        // A commit that uses the ids comes after this in the log, so one is never on disk without the other.
        let (key, ids) = self.database.write(Durability::Normal, |sql| {
            let mut row = owners::find_or_new(sql, owner)?;
            let OwnerRow { key, last, .. } = &mut row;
            let first = last[kind as usize] + 1;
            last[kind as usize] += BLOCK;
            let ids = (*key, key.row_id(first)..key.row_id(first + BLOCK));
            owners::put(sql, owner, &row)?;
            Ok::<_, StoreError>(ids)
        })?;
        self.ids.add_owner(owner, key);
        self.ids.add_block(owner, kind, ids);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_is_given_twice() {
        let store = Store::in_memory().unwrap();
        let owner = Owner::local();
        let mut given = std::collections::HashSet::new();
        for round in 0..4 {
            store.reserve_ids(&owner, IdKind::Node).unwrap();
            // The other program has reserved its own block since; what is left of this one is lost at the end.
            let some = (0..BLOCK / (1 + round % 2)).map(|_| store.ids.take(&owner, IdKind::Node).unwrap());
            some.for_each(|id| assert!(id > 0 && given.insert(id)));
        }
        assert!(store.ids.take(&owner, IdKind::State).is_none());
    }

    #[test]
    fn ids_only_ever_rise() {
        let (ids, owner) = (Ids::default(), Owner::local());
        ids.add_owner(&owner, OwnerKey(1));
        // Two threads reserved at once; the one that was first hears of it last.
        ids.add_block(&owner, IdKind::Other, 2_000..3_000);
        assert_eq!(ids.take(&owner, IdKind::Other), Some(2_000));
        ids.add_block(&owner, IdKind::Other, 1_000..2_000);
        assert_eq!(ids.take(&owner, IdKind::Other), Some(2_001));
    }
}
