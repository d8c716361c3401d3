//! The hash by which a wide object finds its keys: quick, and not to be foreseen.
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

/// Returns the hash of a key.
pub(super) fn key_hash(key: &str) -> u64 {
    let [front, back] = *SECRET;
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
}
