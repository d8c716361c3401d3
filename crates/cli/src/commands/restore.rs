//! `storeyline restore`: replaces the database by a copy.

use std::path::Path;

use storeyline_engine::{Engine, EngineError, StoreError, private};

use crate::commands::run_file::RunFile;
use crate::commands::shape::{maybe, object, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, file: &Path) -> Result<(), Failure> {
    let data = context.data();
    private::create_folder(&data).map_err(|source| Failure::data_folder(&data, source))?;
    let old = match context.while_waiting("正在恢复", "restoring", || Engine::restore(&data, file)) {
        Err(EngineError::Store(StoreError::Held { by })) if by.work.is_none() => {
            return Err(held_by(context, &by.processes));
        }
        Err(EngineError::Store(StoreError::NotOurs { path })) => return Err(Failure::NotACopy(path)),
        done => done?,
    };
    if context.json {
        context.value(&object([("restored", text(file.display())), ("old", maybe(old, |old| text(old.display())))]));
        return Ok(());
    }
    let words = context.words("已恢复：", "restored: ");
    context.line(&format!("{} {words}{}", context.paint(Tone::Good, "✓"), file.display()));
    if let Some(old) = old {
        let words = context.words("原来的数据库保留在", "the database that was there is now");
        context.line(&format!("  {words} {}", old.display()));
    }
    Ok(())
}

/// Returns the failure that names who has the database open: an engine by its address, others by
/// their process ids.
fn held_by(context: &Context, processes: &[u32]) -> Failure {
    let engine = RunFile::read(&context.data()).filter(RunFile::answers);
    let serving = engine.as_ref().map(|RunFile { url, process }| {
        context.words(format!("{url} 的引擎（进程 {process}）"), format!("the engine at {url} (process {process})"))
    });
    let others = processes.iter().filter(|process| engine.as_ref().is_none_or(|engine| engine.process != **process));
    let others = others.map(|process| format!("{} {process}", context.words("进程", "process")));
    let all: Vec<String> = serving.into_iter().chain(others).collect();
    Failure::InUse(match all.is_empty() {
        true => context.words("另一个程序", "another program").to_owned(),
        false => all.join(context.words("，", ", ")),
    })
}
