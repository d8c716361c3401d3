//! Which evaluations there may be. Whoever evaluates many floors anew asks for each of them, and nearly
//! always in vain; after enough such answers all keys are read at once, and the next ones come from memory.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::code::split;
use crate::error::StoreError;
use crate::recent::KeyHasher;
use crate::sql::params;
use crate::tx::Tx;

/// Fewer answers are had one by one.
const LEAST: i64 = 64;

/// To look for one key takes as long as to read so many.
const WORTH: i64 = 16;

/// What a transaction knows about the memo keys that are stored.
pub(crate) enum Memos {
    /// So many were asked for in vain.
    Missed(i64),
    /// The first 8 bytes of all of them.
    Known(HashSet<i64, BuildHasherDefault<KeyHasher>>),
}

impl Default for Memos {
    fn default() -> Self {
        Memos::Missed(0)
    }
}

impl Tx<'_> {
    /// Tells whether there may be an evaluation under a key; if not, there is none.
    pub(crate) fn may_have_memo(&self, first: i64) -> bool {
        match &*self.memos.borrow() {
            Memos::Missed(_) => true,
            Memos::Known(known) => known.contains(&first),
        }
    }

    /// Notes that a key is not there; one of many, and all are read.
    pub(crate) fn miss_memo(&self) -> Result<(), StoreError> {
        {
            let Memos::Missed(missed) = &mut *self.memos.borrow_mut() else { return Ok(()) };
            *missed += 1;
            let all = self.numbers.get().map_or(i64::MAX, |numbers| numbers.state);
            if *missed < LEAST || missed.saturating_mul(WORTH) < all {
                return Ok(());
            }
        }
        let sql = "SELECT memo FROM state WHERE owner = $1 AND memo IS NOT NULL";
        let mut known: HashSet<i64, _> = self.many(sql, params![self.owner], |row| row.int(0))?.into_iter().collect();
        self.each_fresh(|batch| {
            let memos = batch.states.iter().filter_map(|state| state.memo);
            known.extend(memos.map(|memo| split(&memo).0));
        });
        self.memos.replace(Memos::Known(known));
        Ok(())
    }

    /// Notes that there is one more.
    pub(crate) fn add_memo(&self, first: i64) {
        if let Memos::Known(known) = &mut *self.memos.borrow_mut() {
            known.insert(first);
        }
    }
}
