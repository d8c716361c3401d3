//! The figures of `bench store` as JSON and as tables.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::Measured;
use crate::measure::{micros, millis, ratio};

pub(super) fn show(json: bool, floors: usize, rows: &[Measured]) {
    if json {
        let rows: Vec<Json> = rows.iter().map(row_json).collect();
        println!("{}", json!({ "floors": floors, "rows": rows }));
        return;
    }
    show_bytes(rows);
    show_times(rows);
    show_appends_and_floors(floors, rows);
    show_edits(rows);
}

fn row_json(row: &Measured) -> Json {
    let [state, tree, content] = row.appends.per_floor;
    json!({
        "size": row.size, "state_bytes": row.state_bytes, "entropy": row.entropy,
        "state": state, "tree_and_log": tree, "content": content,
        "content_zstd": row.content_limit, "whole": row.whole,
        "append_normal_us": micros(row.appends.median.0), "bare_normal_us": micros(row.appends.median.1),
        "append_mean_us": micros(row.appends.mean),
        "append_full_us": micros(row.full.0), "bare_full_us": micros(row.full.1),
        "evaluation_us": micros(row.appends.evaluation),
        "load_us": micros(row.load.0), "from_slice_us": micros(row.load.1),
        "open_early_us": micros(row.open.0), "open_last_us": micros(row.open.1),
        "edit_first_us": micros(row.edit.whole), "edit_evaluation_us": micros(row.edit.evaluation),
        "edit_rows": row.edit.rows, "edit_row_bytes": row.edit.row, "rows_us": micros(row.rows),
    })
}

fn show_bytes(rows: &[Measured]) {
    println!("bytes per floor | state zstd % | state | tree and log | content | its zstd size | whole JSON");
    for Measured { size, entropy, content_limit, whole, appends, .. } in rows {
        let [state, tree, content] = appends.per_floor;
        println!(
            "{size} | {:.0} % | {state:.0} | {tree:.0} | {content:.0} | {content_limit:.0} (×{:.2}) | {whole:.0}",
            entropy * 100.0,
            content / content_limit
        );
    }
}

fn show_times(rows: &[Measured]) {
    let pair = |(ours, other): (Duration, Duration)| {
        format!("{:.0} | {:.0} | {:.1}", micros(ours), micros(other), ratio(ours, other))
    };
    println!(
        "\nµs | append NORMAL | one row | times | append FULL | one row | times | evaluation apart | load any floor | from_slice | times"
    );
    for Measured { size, appends, full, load, .. } in rows {
        let evaluation = micros(appends.evaluation);
        println!("{size} | {} | {} | {evaluation:.0} | {}", pair(appends.median), pair(*full), pair(*load));
    }
}

fn show_appends_and_floors(floors: usize, rows: &[Measured]) {
    println!("\nµs | mean append with evaluation | open floor {} | open floor {floors}", super::EARLY);
    for Measured { size, appends, open, .. } in rows {
        println!("{size} | {:.0} | {:.0} | {:.0}", micros(appends.mean), micros(open.0), micros(open.1));
    }
}

fn show_edits(rows: &[Measured]) {
    println!(
        "\nedit of floor 1 ms | evaluation in memory ms | rows written | bytes each | such rows alone ms | 3 × evaluation + rows ms"
    );
    for Measured { size, edit, rows, .. } in rows {
        let (evaluation, alone) = (millis(edit.evaluation), millis(*rows));
        println!(
            "{size} | {:.1} | {evaluation:.1} | {} | {} | {alone:.1} | {:.1}",
            millis(edit.whole),
            edit.rows,
            edit.row,
            3.0 * evaluation + alone
        );
    }
}
