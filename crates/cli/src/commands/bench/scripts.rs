//! `storeyline bench scripts`: one passive JavaScript function, beside one round trip through JSON.

use storeyline_engine::scripts;

use crate::failure::Failure;
use crate::out::Context;

/// How often each figure is taken; the median counts.
const ROUNDS: usize = 15;

pub(super) fn run(context: &Context) -> Result<(), Failure> {
    let rows = scripts::bench(&mut context.scripts(), ROUNDS)?;
    if !context.json {
        rows.iter().for_each(|row| context.line(&row.to_string()));
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
    context.line(&serde_json::json!({ "rows": rows }).to_string());
    Ok(())
}
