//! `storeyline set`: corrects one path of a state by hand.

use storeyline_engine::{BranchEdit, EngineError};
use storeyline_state::op::{self, OpError};
use storeyline_state::path::PathError;
use storeyline_state::{StatePath, Value, json};

use crate::args::SetArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &SetArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (floor, page) = which::page(context, &engine, &which, &args.page)?;
    let view = engine.floor(&context.owner(), which.story, which.branch.branch.id, floor, Some(page))?;
    let state = corrected(view.state, args)?;
    let message = match context.chinese() {
        true => format!("已改正第 {floor} 层的 {}", args.path),
        false => format!("{} was corrected on floor {floor}", args.path),
    };
    change::run_if_unmoved(context, &engine, &which, &BranchEdit::Override { page, state }, &message)
}

fn corrected(mut state: Value, args: &SetArgs) -> Result<Value, Failure> {
    let path: StatePath = args.path.parse().map_err(|source: PathError| args.bad_path(source.to_string()))?;
    let failed = |source: OpError| args.bad_path(source.to_string());
    match &args.value {
        Some(value) => op::set(&mut state, &path, read_value(value)).map_err(failed)?,
        None => Some(op::unset(&mut state, &path).map_err(failed)?.ok_or_else(|| failed(OpError::NoSuchPath))?),
    };
    Ok(state)
}

/// Parses JSON, or else text: `100`, `true`, `["剑"]`, `张三`.
fn read_value(text: &str) -> Value {
    json::read(text).unwrap_or_else(|_| Value::text(text))
}

impl SetArgs {
    fn bad_path(&self, problem: String) -> Failure {
        EngineError::BadPath { path: self.path.clone(), problem }.into()
    }
}
