//! Compares random stories with a simple model: after every step each ref and each page must have the
//! path, the texts and the state that a plain list of full copies has.
//!
//! A part runs with the tests; `cargo xtask soak --stories` runs 10,000 sequences of 50 operations.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and a soak tells how far it is"
)]

mod branches;
mod checks;
mod edits;
mod naive;
mod outside;
mod play;
mod undo;

use std::collections::BTreeMap;

use play::Play;

/// Random numbers from a seed.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_stories_agree_with_plain_lists_of_full_copies() {
    let sequences = number("STOREYLINE_SOAK_STORIES", 120);
    let first = number("STOREYLINE_SOAK_SEED", 1) * 1_000_000;
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for sequence in 0..sequences {
        let seed = first + sequence;
        let mut play = Play::new(seed);
        for step in 0..50 {
            let (kind, changed) = play.step();
            *counts.entry(kind).or_default() += usize::from(changed);
            play.check(&format!("seed {seed}, step {step}, {kind}"));
        }
        play.check_whole(&format!("seed {seed}, at the end"));
        play.check_archive(&format!("seed {seed}, read from its archive"));
        if sequence % 500 == 499 {
            eprintln!("{} of {sequences} sequences", sequence + 1);
        }
    }
    eprintln!("operations that changed something: {counts:?}");
    if sequences >= 10_000 {
        let rare: Vec<_> = counts.iter().filter(|(_, count)| **count < 500).collect();
        assert!(rare.is_empty(), "done too rarely to prove anything: {rare:?}");
    }
}
