//! `storeyline backup`: a copy of the whole database.

use std::fs;
use std::path::Path;

use storeyline_state::Value;

use crate::commands::shape::{bytes_text, object, text};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, out: &Path) -> Result<(), Failure> {
    if out.exists() {
        return Err(Failure::Exists(out.to_owned()));
    }
    let engine = context.engine()?;
    context.while_waiting("正在备份", "copying", || engine.back_up(out))?;
    let bytes = fs::metadata(out).map_err(|source| Failure::file(out, source))?.len();
    if context.json {
        context.value(&object([("file", text(out.display())), ("bytes", Value::from(bytes as i64))]));
        return Ok(());
    }
    let words = context.words("已备份到", "the database was copied to");
    context.done(&format!("{words} {}", out.display()), &bytes_text(bytes));
    Ok(())
}
