//! Timing, and what is made of many times.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_state::{Value, json};

use crate::Done;

/// Runs the work and returns how long it took; its result is dropped outside of the time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let mut times = Vec::new();
    time_into(&mut times, work);
    times[0]
}

/// Runs the work, adds how long it took, and returns its result.
pub(crate) fn time_into<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed());
    result
}

pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Returns the time that this part of all, which are sorted, do not exceed: 0.5 is the median.
pub(crate) fn at_part(sorted: &[Duration], part: f64) -> Duration {
    let index = (sorted.len() as f64 * part) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

pub(crate) fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / times.len().max(1) as u32
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// How many times longer the first took than the second.
pub(crate) fn ratio(first: Duration, second: Duration) -> f64 {
    first.as_secs_f64() / second.as_secs_f64()
}

pub(crate) fn read_text(path: &Path) -> Done<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

pub(crate) fn read_json(path: &Path) -> Done<Value> {
    json::read(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()).into())
}
