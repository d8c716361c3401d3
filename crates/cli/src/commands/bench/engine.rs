//! `storeyline bench engine`: a message from text to state and hash, at several sizes of the state.
//!
//! Naive is what a careful program without sharing does: one copy of the state per message, the same
//! calls carried out on it, the whole written as text and hashed. Both read the message.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use storeyline_engine::authors::{read_calls, try_text};
use storeyline_engine::{Arg, Call};
use storeyline_state::{Value, json};

use super::median;
use crate::failure::Failure;
use crate::out::{Context, read_json};

/// How long each line is measured at least.
const LEAST: Duration = Duration::from_millis(600);

/// So often a short piece of work is done for one long one.
const ROUND: usize = 15;

/// One line of the table.
struct Measured {
    state: &'static str,
    calls: &'static str,
    parse: Duration,
    ours: Duration,
    naive: Duration,
}

pub(super) fn run(context: &Context, inputs: &Path) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for state in ["10k", "100k", "1m"] {
        let path = inputs.join(format!("state-{state}.json"));
        let (text, ours) = (read(&path)?, read_json(&path)?);
        let naive: Json = serde_json::from_str(&text).expect("it was read as JSON just now");
        for calls in ["1", "20", "200"] {
            let message = read(&inputs.join(format!("msg-{state}-{calls}.txt")))?;
            check(&ours, &naive, &message);
            let (mut parse, mut whole, mut other) = (Vec::new(), Vec::new(), Vec::new());
            let begin = Instant::now();
            // In turn: the clock of a shared machine changes by half within a run.
            while begin.elapsed() < LEAST || other.len() < 11 {
                time(ROUND, &mut parse, || read_calls(&message));
                time(ROUND, &mut whole, || try_text(&ours, &message, "mvu").expect("a known profile").state.hash());
                time(1, &mut other, || naive_message(&naive, &message));
            }
            let [parse, whole, other] = [&mut parse, &mut whole, &mut other].map(|times| median(times));
            rows.push(Measured { state, calls, parse, ours: whole, naive: other });
        }
    }
    show(context, &rows);
    Ok(())
}

fn read(path: &PathBuf) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|source| Failure::file(path, source))
}

/// Two ways that give different states would not be worth comparing.
fn check(ours: &Value, naive: &Json, message: &str) {
    ours.hash();
    let state = try_text(ours, message, "mvu").expect("a known profile").state;
    let other = apply_all(naive, &read_calls(message));
    let other = json::read(&other.to_string()).expect("its own text");
    assert_eq!(state, other, "both ways give the same state");
}

fn naive_message(state: &Json, message: &str) -> [u8; 32] {
    let next = apply_all(state, &read_calls(message));
    *blake3::hash(&serde_json::to_vec(&next).expect("a tree can be written")).as_bytes()
}

fn apply_all(state: &Json, calls: &[Call]) -> Json {
    let mut next = state.clone();
    for call in calls {
        let _ = apply(&mut next, call);
    }
    next
}

/// `_.set`, `_.add` and `_.insert` where the path exists.
fn apply(state: &mut Json, call: &Call) -> Option<()> {
    let path = call.args.first()?.value.as_text()?;
    let place = path.split('.').try_fold(state, |value, key| value.get_mut(key))?;
    let value = |arg: &Arg| serde_json::from_str::<Json>(&json::write(&arg.value)).ok();
    match (call.name.as_str(), &call.args[1..]) {
        ("set", [new] | [_, new]) => *place = value(new)?,
        ("add", [by]) => *place = Json::from(place.as_i64()? + value(by)?.as_i64()?),
        ("insert", [item]) => place.as_array_mut()?.push(value(item)?),
        ("insert", [key, item]) => {
            place.as_object_mut()?.insert(key.value.as_text()?.to_owned(), value(item)?);
        }
        _ => return None,
    }
    Some(())
}

fn time<T>(rounds: usize, times: &mut Vec<Duration>, mut work: impl FnMut() -> T) {
    for _ in 0..rounds {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
}

fn show(context: &Context, rows: &[Measured]) {
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    if context.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| serde_json::json!({ "state": row.state, "calls": row.calls, "parse_us": us(row.parse), "message_us": us(row.ours), "naive_us": us(row.naive) }))
            .collect();
        context.line(&serde_json::json!({ "rows": rows }).to_string());
        return;
    }
    context.line(context.words(
        "状态 | 调用数 | 其中解析 µs | 一条消息 µs | 朴素做法 µs | 倍数",
        "state | calls | parsing µs | one message µs | naive µs | times",
    ));
    for row in rows {
        let times = row.naive.as_secs_f64() / row.ours.as_secs_f64();
        context.line(&format!(
            "{} | {} | {:.1} | {:.1} | {:.1} | {times:.1}",
            row.state,
            row.calls,
            us(row.parse),
            us(row.ours),
            us(row.naive)
        ));
    }
}
