//! `bench scripts`: what one passive function costs, beside one `JSON.parse` and `JSON.stringify` of the
//! same state in the same engine.

use std::fmt;
use std::time::Duration;

use rquickjs::{Context, Runtime};
use storeyline_functions::script::Source;
use storeyline_functions::{Incomplete, Script, Scripts, Stopped};
use storeyline_state::{Value, json};

use crate::Done;
use crate::measure::{median, ratio, time_into};

/// How often each figure is taken; the median counts.
const ROUNDS: usize = 15;

/// The figures for one size of state.
struct Row {
    /// Bytes of the state as JSON.
    bytes: usize,
    /// One `JSON.parse` and one `JSON.stringify`.
    round_trip: Duration,
    /// A call on a state that is not known yet.
    cold: Duration,
    /// A call on the state that the last one left.
    consecutive: Duration,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>8} bytes  parse+stringify {:>10.3?}  cold {:>10.3?} ({:.2}×)  consecutive {:>10.3?} ({:.2}×)",
            self.bytes,
            self.round_trip,
            self.cold,
            ratio(self.cold, self.round_trip),
            self.consecutive,
            ratio(self.consecutive, self.round_trip),
        )
    }
}

const SCRIPT: &str = "_.set(snapshot, 'world.turn', _.get(snapshot, 'world.turn', 0) + 1);
    snapshot.characters.c1.stats.hp = Math.max(0, snapshot.characters.c1.stats.hp - 1);";

pub(crate) fn run(json: bool, scripts: &mut dyn Scripts) -> Done {
    let rows = bench(scripts, ROUNDS)?;
    if !json {
        rows.iter().for_each(|row| println!("{row}"));
        return Ok(());
    }
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "state_bytes": row.bytes,
                "round_trip_us": row.round_trip.as_micros() as u64,
                "cold_us": row.cold.as_micros() as u64,
                "consecutive_us": row.consecutive.as_micros() as u64,
            })
        })
        .collect();
    println!("{}", serde_json::json!({ "rows": rows }));
    Ok(())
}

/// Measures calls at about 10 KB, 100 KB and 1 MB; each figure is the median of `rounds`.
fn bench(scripts: &mut dyn Scripts, rounds: usize) -> Result<Vec<Row>, Incomplete> {
    [10_000, 100_000, 1_000_000].into_iter().map(|size| row(scripts, &sample(size), rounds)).collect()
}

fn row(scripts: &mut dyn Scripts, state: &Value, rounds: usize) -> Result<Row, Incomplete> {
    let text = json::write(state);
    let failed = |error: rquickjs::Error| Incomplete::new(error.to_string());
    let context = Runtime::new().and_then(|runtime| Context::full(&runtime)).map_err(failed)?;
    let (mut round_trip, mut cold, mut consecutive) = (Vec::new(), Vec::new(), Vec::new());
    // Side by side in every round: the clock of a shared machine changes within a run.
    for _ in 0..rounds {
        time_into(&mut round_trip, || there_and_back(&context, &text)).map_err(failed)?;
        // Another state comes between, so this one has to be told as a whole.
        call(scripts, &Value::empty_object(), "")?;
        let fresh = json::read(&text).unwrap_or(Value::Null);
        let mut state = time_into(&mut cold, || call(scripts, &fresh, SCRIPT))?;
        for _ in 0..3 {
            state = time_into(&mut consecutive, || call(scripts, &state, SCRIPT))?;
        }
    }
    let round_trip = median(&mut round_trip);
    Ok(Row { bytes: text.len(), round_trip, cold: median(&mut cold), consecutive: median(&mut consecutive) })
}

fn there_and_back(context: &Context, text: &str) -> rquickjs::Result<bool> {
    context.with(|ctx| ctx.json_stringify(ctx.json_parse(text)?).map(|written| written.is_some()))
}

fn call(scripts: &mut dyn Scripts, state: &Value, body: &str) -> Result<Value, Incomplete> {
    let context = Value::empty_object();
    let script = Script { source: Source::Body(body), args: &[], context: &context, seed: 1, time: 0 };
    match scripts.run(state, &script) {
        Ok(outcome) => Ok(outcome.state),
        Err(Stopped::Refused(refusal)) => Err(Incomplete::new(refusal.message.en.to_string())),
        Err(Stopped::Incomplete(incomplete)) => Err(incomplete),
    }
}

/// A story's state of about this size: characters with texts, numbers and lists.
fn sample(size: usize) -> Value {
    let mut characters = String::new();
    let mut number = 0;
    while characters.len() < size.saturating_sub(200) {
        if number > 0 {
            characters.push(',');
        }
        characters.push_str(&format!(
            r#""c{number}":{{"name":"角色{number}","mood":"平静而略带好奇","stats":{{"hp":{},"mp":{},"luck":0.{}}},"items":["短剑","药水",{{"id":{number},"count":3}}],"tags":["a","b"],"notes":"She keeps a lantern and a small book of maps."}}"#,
            100 + number,
            30 + number % 7,
            1 + number % 9,
        ));
        number += 1;
    }
    let text = format!(r#"{{"world":{{"turn":0,"time":"2024年10月26日 20:00"}},"characters":{{{characters}}}}}"#);
    json::read(&text).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use storeyline_engine::scripts::InProcess;

    use super::*;

    #[test]
    fn figures_are_measured_for_three_sizes() {
        let rows = bench(&mut InProcess::default(), 1).unwrap();
        assert_eq!(rows.len(), 3);
        for (row, size) in rows.iter().zip([10_000, 100_000, 1_000_000]) {
            assert!(row.bytes.abs_diff(size) < 1_000, "{row}");
        }
    }
}
