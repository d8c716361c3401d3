//! `storeyline archive`, and the import of an archive.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use storeyline_engine::{ArchiveOptions, EngineError};
use storeyline_state::Value;
use storeyline_wire::archive::ArchiveImported;

use crate::args::{ArchiveArgs, ImportArgs};
use crate::commands::shape::{bytes_text, object, text};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &ArchiveArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?;
    let failed = |source| Failure::file(&args.out, source);
    // Written to a temporary file and renamed: a crash leaves the old file intact.
    let beside = args.out.with_extension("storeyline-part");
    let mut out = BufWriter::new(File::create(&beside).map_err(failed)?);
    let progress = context.progress("正在写入", "writing");
    let written = engine.write_archive(&context.owner(), story.story, |line| {
        progress.inc(1);
        out.write_all(line.as_bytes())
    });
    progress.finish_and_clear();
    if let Err(error) = written {
        let _ = std::fs::remove_file(&beside);
        return Err(match error {
            EngineError::Output(source) => failed(source),
            error => error.into(),
        });
    }
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().and_then(|()| std::fs::rename(&beside, &args.out)).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    if context.json {
        context.value(&object([
            ("story", text(story.story)),
            ("file", text(args.out.display())),
            ("bytes", Value::from(bytes as i64)),
        ]));
        return Ok(());
    }
    context.done(&format!("{} → {}", story.title, args.out.display()), &bytes_text(bytes));
    Ok(())
}

/// Imports an archive.
pub(crate) fn read(context: &Context, args: &ImportArgs, archive: &str) -> Result<(), Failure> {
    let engine = context.engine()?;
    let options = ArchiveOptions { allow_functions: args.beginning.allow_functions, copy: args.copy };
    let progress = context.progress_of("正在读取", "reading", 0);
    let on_progress = |done: usize, all: usize| {
        progress.set_length(all as u64);
        progress.set_position(done as u64);
    };
    let read = engine.import_archive(&context.owner(), archive, options, on_progress);
    progress.finish_and_clear();
    let imported = read.map_err(|source| Failure::Import { path: args.chat.clone(), source })?;
    match context.json {
        true => context.answer(&imported),
        false => print(context, &args.chat, &imported),
    }
    Ok(())
}

fn print(context: &Context, file: &Path, imported: &ArchiveImported) {
    let ArchiveImported { refs, nodes, pages, kept, held_functions, unbound_chats, .. } = imported;
    let summary = context.words(
        format!("{refs} 条分支和标签 · {nodes} 个节点 · {pages} 页"),
        format!("{refs} branches and tags · {nodes} nodes · {pages} pages"),
    );
    context.line(&format!("{}  {summary}", imported.story));
    let shown: Vec<String> = imported.differing.iter().take(20).map(usize::to_string).collect();
    let (differing, shown, name) = (imported.differing.len(), shown.join(", "), file.display());
    let remarks = [
        (
            differing,
            format!("有 {differing} 个状态与计算结果不同，采用计算结果（{name} 的行：{shown}）"),
            format!("{differing} states differ from what is computed, which counts (lines of {name}: {shown})"),
        ),
        (
            *held_functions,
            format!("归档带有 {held_functions} 个函数，没有启用。信任它们的话，导入时加 `--allow-functions`。"),
            format!(
                "the archive brings {held_functions} functions, which were left out; if you trust them, import with `--allow-functions`"
            ),
        ),
        (
            *kept,
            format!("有 {kept} 层保留归档里的状态，标为过时；`reprocess` 会重新计算"),
            format!("{kept} floors keep the state of the archive, marked stale; `reprocess` computes them again"),
        ),
        (
            *unbound_chats,
            format!("有 {unbound_chats} 个酒馆聊天已属于别的分支，这里的分支没有与它们绑定"),
            format!(
                "{unbound_chats} host chats belong to other branches already; the branches here are not bound to them"
            ),
        ),
    ];
    for (_, zh, en) in remarks.into_iter().filter(|(count, ..)| *count > 0) {
        context.note(&context.words(zh, en));
    }
}
