//! The way of a key through the tree of a wide object: quick to find, and not to be foreseen.
//!
//! Words are multiplied into 128 bits and folded, with a secret of this run of the program in front
//! and behind: nobody outside can make keys that fall together. Nothing that is shown, stored or
//! hashed depends on it.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

static SECRET: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let random = RandomState::new();
    // Odd, so that no factor is zero.
    [random.hash_one(0) | 1, random.hash_one(1) | 1]
});

/// An odd number whose bits are well mixed, so that each word moves all bits of the next state.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many bits of the hash one branch looks at.
const BITS: u32 = 4;

/// How many children a branch has.
pub(super) const WIDTH: usize = 1 << BITS;

/// So many steps use up one hash.
const STEPS: u32 = u64::BITS / BITS;

/// Where a key goes at each branch. It never ends: two keys part sooner or later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way<'a> {
    key: &'a str,
    left: u64,
    taken: u32,
}

impl<'a> Way<'a> {
    /// Begins the way of a key whose hash is known.
    pub(super) fn new(key: &'a str, hash: u64) -> Way<'a> {
        Way { key, left: hash, taken: 0 }
    }

    /// Returns the way of another key from the same depth on.
    pub(super) fn beside<'b>(&self, key: &'b str) -> Way<'b> {
        let round = self.taken.saturating_sub(1) / STEPS;
        let gone = self.taken - round * STEPS;
        let left = hash_of_round(key, round).checked_shr(gone * BITS).unwrap_or(0);
        Way { key, left, taken: self.taken }
    }

    /// Takes a step: which child is next.
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

/// Returns the hash of a key, with which its way begins.
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
    fn keys_of_one_kind_are_spread_over_all_branches() {
        let hashes: HashSet<u64> = (0..20_000).map(|n| key_hash(&format!("角色{n}"))).collect();
        assert_eq!(hashes.len(), 20_000);
        for shift in (0..64).step_by(4) {
            let mut counts = [0; 16];
            hashes.iter().for_each(|hash| counts[(hash >> shift & 15) as usize] += 1);
            assert!(counts.iter().all(|count| (1_000..1_500).contains(count)), "{shift}: {counts:?}");
        }
    }

    #[test]
    fn two_ways_go_on_at_the_same_depth_and_part() {
        let (mut own, mut steps) = (Way::new("甲", key_hash("甲")), Vec::new());
        for _ in 0..3 * STEPS {
            let (mut same, mut other) = (own.beside("甲"), own.beside("乙"));
            let rest = |way: &mut Way<'_>| (0..STEPS + 1).map(|_| way.step()).collect::<Vec<_>>();
            assert_eq!(rest(&mut same), rest(&mut own.clone()));
            assert_ne!(rest(&mut other), rest(&mut own.clone()));
            steps.push(own.step());
        }
        let (first, later) = steps.split_at(STEPS as usize);
        assert_ne!(first, &later[..STEPS as usize], "another hash follows the first");
    }
}
