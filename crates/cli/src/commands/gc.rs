//! `storeyline gc`: deletes unreachable rows.

use serde::Serialize;
use storeyline_engine::Collect;
use storeyline_wire::care::Collected;

use crate::args::GcArgs;
use crate::commands::shape::{bytes_text, counts_text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

/// A hundred years.
const MAX_DAYS: i64 = 36_500;

pub(crate) fn run(context: &Context, args: &GcArgs) -> Result<(), Failure> {
    for (option, days) in [("--trash-days", args.trash_days), ("--undo-days", args.undo_days)] {
        if !(0..=MAX_DAYS).contains(&days) {
            return Err(Failure::Days { option, days, most: MAX_DAYS });
        }
    }
    let engine = context.engine()?;
    let before = engine.file_bytes();
    let Collect { shrink, .. } = Collect::default();
    let request = Collect { dry_run: args.dry_run, trash_days: args.trash_days, undo_days: args.undo_days, shrink };
    let collected =
        context.while_waiting("正在清理", "collecting", || engine.collect(&context.owner(), request))?;
    let bytes = (!args.dry_run).then(|| before.saturating_sub(engine.file_bytes()));
    if context.json {
        context.answer(&CollectedBytes { collected, bytes });
        return Ok(());
    }
    print(context, &collected, bytes);
    Ok(())
}

#[derive(Serialize)]
struct CollectedBytes {
    #[serde(flatten)]
    collected: Collected,
    /// How much smaller the file is; null for a dry run.
    bytes: Option<u64>,
}

fn print(context: &Context, collected: &Collected, bytes: Option<u64>) {
    let counts = [
        (collected.refs, "个回收站里的分支和标签", "branch or tag from the trash", "branches and tags from the trash"),
        (collected.operations, "个操作", "operation", "operations"),
        (collected.nodes, "个节点", "node", "nodes"),
        (collected.turns, "个回合", "turn", "turns"),
        (collected.pages, "个页的版本", "version of a page", "versions of pages"),
        (collected.texts, "段文本", "text", "texts"),
        (collected.states, "个状态", "state", "states"),
        (collected.values, "个其他值", "other value", "other values"),
    ];
    let gone = counts_text(context, counts.into_iter().filter(|(count, ..)| *count > 0));
    let message = match (gone.is_empty(), bytes) {
        (true, _) => context.words("没有可以清理的", "nothing to collect").to_owned(),
        (false, None) => format!("{}{gone}", context.words("会清理：", "would go: ")),
        (false, Some(_)) => format!("{}{gone}", context.words("已清理：", "gone: ")),
    };
    let mark = if bytes.is_some() { context.paint(Tone::Good, "✓ ") } else { String::new() };
    context.line(&format!("{mark}{message}"));
    if collected.unfinished {
        context.line(context.words(
            "  还有可以清理的：清理时故事一直在被写入。稍后再运行一次。",
            "  more could go: the stories were written to all the time. Run it again later.",
        ));
    }
    if let Some(bytes) = bytes.filter(|bytes| *bytes > 0 || !gone.is_empty()) {
        let words = context.words("腾出空间：", "space that came back: ");
        context.line(&format!("  {words}{}", context.paint(Tone::Number, &bytes_text(bytes))));
    }
}
