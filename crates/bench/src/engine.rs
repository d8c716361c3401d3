//! `bench engine`: a message from text to state and hash, at several sizes of the state.
//!
//! Naive is what a careful program without sharing does: one copy of the state per message, the same
//! calls carried out on it, the whole written as text and hashed. Both read the message.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use storeyline_engine::authors::{read_calls, try_text};
use storeyline_engine::{Arg, Call};
use storeyline_state::{Value, json};

use crate::Done;
use crate::measure::{median, micros, ratio, read_json, read_text, time_into};

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

pub(crate) fn run(json: bool, inputs: &Path) -> Done {
    let mut rows = Vec::new();
    for state in ["10k", "100k", "1m"] {
        let path = inputs.join(format!("state-{state}.json"));
        let (text, ours) = (read_text(&path)?, read_json(&path)?);
        let naive: Json = serde_json::from_str(&text).expect("it was read as JSON just now");
        for calls in ["1", "20", "200"] {
            let message = read_text(&inputs.join(format!("msg-{state}-{calls}.txt")))?;
            check(&ours, &naive, &message);
            let (mut parse, mut whole, mut other) = (Vec::new(), Vec::new(), Vec::new());
            let begin = Instant::now();
            // In turn: the clock of a shared machine changes by half within a run.
            while begin.elapsed() < LEAST || other.len() < 11 {
                repeat(ROUND, &mut parse, || read_calls(&message));
                repeat(ROUND, &mut whole, || try_text(&ours, &message, "mvu").expect("a known profile").state.hash());
                repeat(1, &mut other, || naive_message(&naive, &message));
            }
            let [parse, whole, other] = [&mut parse, &mut whole, &mut other].map(|times| median(times));
            rows.push(Measured { state, calls, parse, ours: whole, naive: other });
        }
    }
    show(json, &rows);
    Ok(())
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

fn repeat<T>(rounds: usize, times: &mut Vec<Duration>, mut work: impl FnMut() -> T) {
    for _ in 0..rounds {
        black_box(time_into(times, &mut work));
    }
}

fn show(json: bool, rows: &[Measured]) {
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| serde_json::json!({ "state": row.state, "calls": row.calls, "parse_us": micros(row.parse), "message_us": micros(row.ours), "naive_us": micros(row.naive) }))
            .collect();
        println!("{}", serde_json::json!({ "rows": rows }));
        return;
    }
    println!("state | calls | parsing µs | one message µs | naive µs | times");
    for Measured { state, calls, parse, ours, naive } in rows {
        let [parse_us, ours_us, naive_us] = [parse, ours, naive].map(|time| micros(*time));
        println!("{state} | {calls} | {parse_us:.1} | {ours_us:.1} | {naive_us:.1} | {:.1}", ratio(*naive, *ours));
    }
}
