//! `storeyline backup`: a copy of the whole database.

use std::fs;

use storeyline_state::Value;

use crate::args::BackupArgs;
use crate::commands::shape::{bytes_text, object, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, args: &BackupArgs) -> Result<(), Failure> {
    if args.out.exists() {
        return Err(Failure::Exists(args.out.clone()));
    }
    let engine = context.engine()?;
    let progress = context.waiting("正在备份", "copying");
    let done = engine.back_up(&args.out);
    progress.finish_and_clear();
    done?;
    let bytes = fs::metadata(&args.out).map_err(|source| Failure::file(&args.out, source))?.len();
    if context.json {
        context.value(&object([("file", text(args.out.display())), ("bytes", Value::from(bytes as i64))]));
        return Ok(());
    }
    let words = context.words("已备份到", "the database was copied to");
    let size = context.paint(Tone::Quiet, &format!("· {}", bytes_text(bytes)));
    context.line(&format!("{} {words} {}  {size}", context.paint(Tone::Good, "✓"), args.out.display()));
    Ok(())
}
