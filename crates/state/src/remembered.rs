//! A digest that is computed when it is first asked for and kept.
//!
//! It is a function of what cannot change while it is shared, so whoever computes it at the same
//! time gets the same words: they are simply stored, and nobody waits for anybody.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::digest::Sum;

/// A digest, once it is known.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    words: [AtomicU64; 4],
    is_known: AtomicBool,
}

impl Remembered {
    /// Returns the digest, if it is known.
    pub(crate) fn get(&self) -> Option<Sum> {
        // Acquire: whoever sees that it is known sees the words.
        let is_known = self.is_known.load(Ordering::Acquire);
        is_known.then(|| Sum(self.words.each_ref().map(|word| word.load(Ordering::Relaxed))))
    }

    /// Returns the digest, computed now if it is not known.
    pub(crate) fn get_or(&self, compute: impl FnOnce() -> Sum) -> Sum {
        self.get().unwrap_or_else(|| {
            let sum = compute();
            for (own, word) in self.words.iter().zip(sum.0) {
                own.store(word, Ordering::Relaxed);
            }
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

impl Clone for Remembered {
    fn clone(&self) -> Self {
        let copy = Remembered::default();
        if let Some(sum) = self.get() {
            copy.get_or(|| sum);
        }
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_computed_once_and_forgotten_when_taken() {
        let mut own = Remembered::default();
        let sum = own.get_or(|| Sum([1, 2, 3, 4]));
        assert_eq!(own.get_or(|| unreachable!("it is known")), sum);
        assert_eq!((own.clone().get(), own.take(), own.get()), (Some(sum), Some(sum), None));
    }
}
