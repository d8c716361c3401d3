//! `storeyline stats`: counts and sizes.

use serde::Serialize;
use storeyline_state::StoryId;
use storeyline_wire::care::Stats;

use crate::commands::shape::bytes_text;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, pad, width};

pub(crate) fn run(context: &Context, story: Option<&str>) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = story.map(|story| which::story(context, &engine, story)).transpose()?;
    let stats = match &story {
        Some(line) => engine.story_stats(&context.owner(), line.story)?,
        None => engine.stats(&context.owner())?,
    };
    if context.json {
        context.answer(&StatsOf { story: story.map(|line| line.story), stats });
        return Ok(());
    }
    if let Some(line) = &story {
        context.line(&context.paint(Tone::Strong, &line.title));
    }
    print(context, &stats, story.is_none());
    Ok(())
}

#[derive(Serialize)]
struct StatsOf {
    #[serde(skip_serializing_if = "Option::is_none")]
    story: Option<StoryId>,
    #[serde(flatten)]
    stats: Stats,
}

/// Prints counts and bytes; the size of the index is for all stories.
fn print(context: &Context, stats: &Stats, all: bool) {
    let Some(bytes) = stats.bytes else { return };
    let counted = |count: u64| count.to_string();
    let rows = [
        ("故事", "stories", counted(stats.stories), "", ""),
        ("分支和标签", "branches and tags", counted(stats.refs), "包括回收站", "those in the trash too"),
        ("楼层", "floors", counted(stats.floors), "共用的只算一次", "shared ones counted once"),
        ("节点", "nodes", counted(stats.nodes), "楼层的所有版本", "all versions of floors"),
        ("页", "pages", counted(stats.pages), "所有版本", "all versions"),
        ("状态", "states", counted(stats.states), "", ""),
        ("操作", "operations", counted(stats.operations), "可以撤销", "which can be taken back"),
        ("状态的字节", "bytes of states", bytes_text(bytes.state), "", ""),
        ("树和日志的字节", "bytes of tree and log", bytes_text(bytes.tree_and_log), "", ""),
        ("文本和规则的字节", "bytes of texts and rules", bytes_text(bytes.content), "", ""),
        ("搜索索引的字节", "bytes of the search index", bytes_text(bytes.search), "", ""),
    ];
    let rows = &rows[..rows.len() - usize::from(!all)];
    let widest = rows.iter().map(|row| width(context.words(row.0, row.1))).max().unwrap_or(0);
    for (zh, en, number, note_zh, note_en) in rows {
        let note = context.paint(Tone::Quiet, context.words(note_zh, note_en));
        let line = format!("  {}  {}  {note}", pad(context.words(zh, en), widest), context.paint(Tone::Number, number));
        context.line(line.trim_end());
    }
}
