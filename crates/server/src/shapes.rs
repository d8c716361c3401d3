//! Responses as JSON text, for the command line: the same as over HTTP.

use serde::Serialize;
use storeyline_engine::{Evaluation, FloorLine, FloorView, StoryLine};

use crate::wire::view::{EvaluationWire, FloorLineWire, FloorWire, StoryWire};

fn text(shape: &impl Serialize) -> String {
    serde_json::to_string(shape).expect("wire shapes are JSON")
}

pub fn floor_json(view: FloorView) -> String {
    text(&FloorWire::from(view))
}

pub fn floor_lines_json(lines: Vec<FloorLine>) -> String {
    text(&lines.into_iter().map(FloorLineWire::from).collect::<Vec<_>>())
}

pub fn stories_json(lines: Vec<StoryLine>) -> String {
    text(&lines.into_iter().map(StoryWire::from).collect::<Vec<_>>())
}

pub fn evaluation_json(evaluation: &Evaluation, message: &str) -> String {
    text(&EvaluationWire::new(evaluation, message))
}
