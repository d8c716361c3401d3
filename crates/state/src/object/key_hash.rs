//! The hash of a key and the path it selects through the trie of a wide object.
//!
//! The hash multiplies words into 128 bits and folds them, with a random secret per process, so
//! that keys which collide on purpose cannot be constructed. Nothing that is shown, stored or
//! hashed depends on it.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

static SECRET: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let random = RandomState::new();
    // Odd, so that no factor is zero.
    [random.hash_one(0) | 1, random.hash_one(1) | 1]
});

/// An odd number with well mixed bits, so that each word changes all bits of the next state.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Number of hash bits that one branch uses.
const BITS: u32 = 4;

/// Number of children of a branch.
pub(super) const WIDTH: usize = 1 << BITS;

/// Number of steps that use up one hash.
const STEPS: u32 = u64::BITS / BITS;

/// The sequence of child indexes of a key. It does not end: when a hash is used up the next one is
/// computed, so two different keys always separate.
#[derive(Debug, Clone, Copy)]
pub(super) struct HashPath<'a> {
    key: &'a str,
    left: u64,
    taken: u32,
}

impl<'a> HashPath<'a> {
    pub(super) fn new(key: &'a str, hash: u64) -> HashPath<'a> {
        HashPath { key, left: hash, taken: 0 }
    }

    /// Returns the path of another key, starting at the current depth.
    pub(super) fn fork<'b>(&self, key: &'b str) -> HashPath<'b> {
        let round = self.taken.saturating_sub(1) / STEPS;
        let gone = self.taken - round * STEPS;
        let left = hash_of_round(key, round).checked_shr(gone * BITS).unwrap_or(0);
        HashPath { key, left, taken: self.taken }
    }

    /// Returns the index of the next child.
    pub(super) fn step(&mut self) -> usize {
        if self.taken > 0 && self.taken.is_multiple_of(STEPS) {
            self.left = hash_of_round(self.key, self.taken / STEPS);
        }
        self.taken += 1;
        let child = self.left as usize % WIDTH;
        self.left >>= BITS;
        child
    }
}

/// Returns the first hash of a key.
pub(super) fn key_hash(key: &str) -> u64 {
    hash_of_round(key, 0)
}

fn hash_of_round(key: &str, round: u32) -> u64 {
    let [front, back] = *SECRET;
    let front = front.wrapping_add(u64::from(round).wrapping_mul(MIX));
    let (words, rest) = key.as_bytes().as_chunks::<8>();
    let mixed = words.iter().fold(front ^ key.len() as u64, |state, word| fold(state ^ u64::from_le_bytes(*word), MIX));
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    fold(fold(mixed ^ last, MIX) ^ front, back)
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn similar_keys_are_spread_over_all_branches() {
        let hashes: HashSet<u64> = (0..20_000).map(|n| key_hash(&format!("角色{n}"))).collect();
        assert_eq!(hashes.len(), 20_000);
        for shift in (0..64).step_by(4) {
            let mut counts = [0; 16];
            hashes.iter().for_each(|hash| counts[(hash >> shift & 15) as usize] += 1);
            assert!(counts.iter().all(|count| (1_000..1_500).contains(count)), "{shift}: {counts:?}");
        }
    }

    #[test]
    fn two_paths_continue_at_the_same_depth_and_separate() {
        let (mut own, mut steps) = (HashPath::new("甲", key_hash("甲")), Vec::new());
        for _ in 0..3 * STEPS {
            let (mut same, mut other) = (own.fork("甲"), own.fork("乙"));
            let rest = |path: &mut HashPath<'_>| (0..STEPS + 1).map(|_| path.step()).collect::<Vec<_>>();
            assert_eq!(rest(&mut same), rest(&mut own.clone()));
            assert_ne!(rest(&mut other), rest(&mut own.clone()));
            steps.push(own.step());
        }
        let (first, later) = steps.split_at(STEPS as usize);
        assert_ne!(first, &later[..STEPS as usize], "another hash follows the first");
    }
}
