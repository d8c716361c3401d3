//! Hostile messages, by the thousand here and by the million in `cargo xtask soak`: the invariants
//! of evaluation hold for every text.
//!
//! An input is generated from a seed and an index alone. One that violates an invariant is written
//! to a file whose name is printed.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and shows its numbers")]

mod corpus;
mod damage;
mod grammar;
mod input;
mod invariants;
mod random;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use corpus::Corpus;
use input::Input;

/// Number of inputs in `cargo test`.
const INPUTS: u64 = 3_000;

/// An input that takes longer than this counts as hanging.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Progress of the workers.
#[derive(Default)]
struct Progress {
    next: AtomicU64,
    done: AtomicU64,
    with_calls: AtomicU64,
    finished: AtomicUsize,
}

#[test]
fn evaluation_keeps_its_promises_for_hostile_text() {
    let inputs = variable("STOREYLINE_SOAK_INPUTS").unwrap_or(INPUTS);
    let seed = variable("STOREYLINE_SOAK_SEED").unwrap_or(1);
    let corpus = Corpus::read();
    let progress = Progress::default();
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let now: Vec<AtomicU64> = (0..workers).map(|_| AtomicU64::new(0)).collect();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for now in &now {
            let (corpus, progress) = (&corpus, &progress);
            scope.spawn(move || work(corpus, seed, inputs, progress, now));
        }
        watch(&corpus, seed, inputs, &progress, &now, start);
    });
    let (done, with_calls) = (progress.done.into_inner(), progress.with_calls.into_inner());
    let per_second = done as f64 / start.elapsed().as_secs_f64();
    let share = 100 * with_calls / done.max(1);
    println!("{done} inputs from seed {seed}, {share} % with calls, {per_second:.0} a second: all invariants kept");
    assert!(share >= 50, "at least half of the inputs must reach a function");
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

fn work(corpus: &Corpus, seed: u64, inputs: u64, progress: &Progress, now: &AtomicU64) {
    loop {
        let index = progress.next.fetch_add(1, Ordering::Relaxed);
        if index >= inputs {
            break;
        }
        now.store(index, Ordering::Relaxed);
        let kept = catch_unwind(AssertUnwindSafe(|| invariants::check(&Input::make(corpus, seed, index))));
        match kept {
            Ok(Ok(calls)) => progress.with_calls.fetch_add(u64::from(calls > 0), Ordering::Relaxed),
            Ok(Err(broken)) => report_violation(corpus, seed, index, &broken),
            Err(_) => report_violation(corpus, seed, index, "it panicked"),
        };
        progress.done.fetch_add(1, Ordering::Relaxed);
    }
    progress.finished.fetch_add(1, Ordering::Relaxed);
}

/// Prints progress until the workers are done or one of them hangs.
fn watch(corpus: &Corpus, seed: u64, inputs: u64, progress: &Progress, now: &[AtomicU64], start: Instant) {
    let mut seen: Vec<(u64, Instant)> = now.iter().map(|_| (0, start)).collect();
    let mut shown = start;
    while progress.finished.load(Ordering::Relaxed) < now.len() {
        std::thread::sleep(Duration::from_millis(20));
        for (now, seen) in now.iter().zip(&mut seen) {
            let index = now.load(Ordering::Relaxed);
            if index != seen.0 {
                *seen = (index, Instant::now());
            } else if seen.1.elapsed() > TIMEOUT && progress.next.load(Ordering::Relaxed) < inputs {
                report_violation(corpus, seed, index, "it takes for ever");
            }
        }
        if shown.elapsed() > Duration::from_secs(5) {
            shown = Instant::now();
            let done = progress.done.load(Ordering::Relaxed);
            println!("{done} of {inputs} inputs, {:.0} a second", done as f64 / start.elapsed().as_secs_f64());
        }
    }
}

/// Saves the input that violated an invariant, and exits.
fn report_violation(corpus: &Corpus, seed: u64, index: u64, broken: &str) -> ! {
    let input = Input::make(corpus, seed, index);
    let file = format!("{}/hostile-{seed}-{index}.txt", env!("CARGO_TARGET_TMPDIR"));
    let told = format!("input {index} of seed {seed}: {broken}\n\n{}\n\n{input:#?}\n", input.text);
    let kept = std::fs::write(&file, told);
    println!("input {index} of seed {seed}: {broken}\nkept in {file} ({kept:?})");
    std::process::exit(1);
}
