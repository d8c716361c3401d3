//! A cached digest, computed on first use.
//!
//! The digest is a function of data that cannot change while it is shared. Threads that compute it
//! at the same time store the same two halves, so no lock is needed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::digest::Sum;

#[derive(Debug, Default)]
pub(crate) struct CachedSum {
    low: AtomicU64,
    high: AtomicU64,
    is_known: AtomicBool,
}

impl CachedSum {
    pub(crate) fn get(&self) -> Option<Sum> {
        // Acquire pairs with the release store in `get_or`, so that the halves are visible.
        let is_known = self.is_known.load(Ordering::Acquire);
        is_known.then(|| {
            let [low, high] = [&self.low, &self.high].map(|half| u128::from(half.load(Ordering::Relaxed)));
            Sum(high << 64 | low)
        })
    }

    pub(crate) fn get_or(&self, compute: impl FnOnce() -> Sum) -> Sum {
        self.get().unwrap_or_else(|| {
            let sum = compute();
            self.low.store(sum.0 as u64, Ordering::Relaxed);
            self.high.store((sum.0 >> 64) as u64, Ordering::Relaxed);
            self.is_known.store(true, Ordering::Release);
            sum
        })
    }

    /// Clears the cache and returns the old digest, because the data is about to change.
    pub(crate) fn take(&mut self) -> Option<Sum> {
        let sum = self.get();
        *self.is_known.get_mut() = false;
        sum
    }
}

impl From<Sum> for CachedSum {
    fn from(Sum(sum): Sum) -> Self {
        let [low, high] = [sum as u64, (sum >> 64) as u64].map(AtomicU64::new);
        CachedSum { low, high, is_known: AtomicBool::new(true) }
    }
}

impl Clone for CachedSum {
    fn clone(&self) -> Self {
        self.get().map_or_else(CachedSum::default, CachedSum::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_computed_once_and_forgotten_when_taken() {
        let mut own = CachedSum::default();
        let sum = own.get_or(|| Sum(1 << 64 | 2));
        assert_eq!(own.get_or(|| unreachable!("it is known")), sum);
        assert_eq!((own.clone().get(), own.take(), own.get()), (Some(sum), Some(sum), None));
    }
}
