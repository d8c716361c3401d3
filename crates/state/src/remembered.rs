//! A digest that is computed when it is first asked for and kept.
//!
//! It is a function of what cannot change while it is shared, so whoever computes it at the same
//! time gets the same halves: they are simply stored, and nobody waits for anybody.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::digest::Sum;

/// A digest, once it is known.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    low: AtomicU64,
    high: AtomicU64,
    is_known: AtomicBool,
}

impl Remembered {
    /// Returns the digest, if it is known.
    pub(crate) fn get(&self) -> Option<Sum> {
        // Acquire: whoever sees that it is known sees the halves.
        let is_known = self.is_known.load(Ordering::Acquire);
        is_known.then(|| {
            let [low, high] = [&self.low, &self.high].map(|half| u128::from(half.load(Ordering::Relaxed)));
            Sum(high << 64 | low)
        })
    }

    /// Returns the digest, computed now if it is not known.
    pub(crate) fn get_or(&self, compute: impl FnOnce() -> Sum) -> Sum {
        self.get().unwrap_or_else(|| {
            let sum = compute();
            self.low.store(sum.0 as u64, Ordering::Relaxed);
            self.high.store((sum.0 >> 64) as u64, Ordering::Relaxed);
            self.is_known.store(true, Ordering::Release);
            sum
        })
    }

    /// Forgets the digest and returns it, because it will not be right any more.
    pub(crate) fn take(&mut self) -> Option<Sum> {
        let sum = self.get();
        *self.is_known.get_mut() = false;
        sum
    }
}

impl From<Sum> for Remembered {
    fn from(Sum(sum): Sum) -> Self {
        let [low, high] = [sum as u64, (sum >> 64) as u64].map(AtomicU64::new);
        Remembered { low, high, is_known: AtomicBool::new(true) }
    }
}

impl Clone for Remembered {
    fn clone(&self) -> Self {
        self.get().map_or_else(Remembered::default, Remembered::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_computed_once_and_forgotten_when_taken() {
        let mut own = Remembered::default();
        let sum = own.get_or(|| Sum(1 << 64 | 2));
        assert_eq!(own.get_or(|| unreachable!("it is known")), sum);
        assert_eq!((own.clone().get(), own.take(), own.get()), (Some(sum), Some(sum), None));
    }
}
