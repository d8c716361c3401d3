//! Measures how time grows with the size of the input, for tests: a limit in seconds depends on the
//! machine.

use std::time::{Duration, Instant};

/// Ratio of the two input sizes.
const TIMES: usize = 16;

/// Linear work takes 16 times as long, quadratic work 256 times.
const MAX_RATIO: u32 = 80;

/// Runs work of one size and of 16 times that size, the best of three each.
pub(crate) fn assert_linear<Work: Fn()>(size: usize, prepare: impl Fn(usize) -> Work) {
    let best = |work: Work| (0..3).map(|_| spent(&work)).min().unwrap_or_default();
    let (small, large) = (best(prepare(size)), best(prepare(TIMES * size)));
    assert!(large <= small * MAX_RATIO, "{size}: {small:?}, {}: {large:?}", TIMES * size);
}

fn spent(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    #[test]
    #[should_panic(expected = "3200")]
    fn quadratic_work_is_noticed() {
        super::assert_linear(200, |size| move || assert!((0..size).all(|_| (0..size).all(|n| black_box(n) < size))));
    }
}
