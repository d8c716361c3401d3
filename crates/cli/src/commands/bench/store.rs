//! `storeyline bench store`: what a floor costs on disk and in time, beside the whole state as JSON per
//! floor in the same SQLite.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_engine::authors::try_text;
use storeyline_engine::{
    BranchEdit, By, Bytes, Durability, Engine, EngineError, KeepText, NewPage, NewTurn, OpenChat, OpenedChat, Owner,
    Role, Rules, yardstick,
};
use storeyline_state::{ChatId, PageId, Value, json};

use super::median;
use super::tale::{Dice, Tale};
use crate::args::StoreBench;
use crate::failure::Failure;
use crate::out::Context;

const SIZES: [(&str, usize); 3] = [("10 KB", 10_000), ("100 KB", 100_000), ("1 MB", 1_000_000)];

/// Leaves that each floor changes.
const CHANGES: usize = 3;

struct Measured {
    size: &'static str,
    state_bytes: usize,
    entropy: f64,
    /// Bytes per floor between the middle and the end.
    state: f64,
    tree: f64,
    content: f64,
    content_limit: f64,
    whole: f64,
    /// One more floor, without its evaluation; a row by itself.
    normal: (Duration, Duration),
    full: (Duration, Duration),
    evaluation: Duration,
    /// The state of any floor; the same from JSON.
    load: (Duration, Duration),
    edit: EarlyEdit,
    /// What so many rows cost at least.
    rows: Duration,
}

/// Changing floor 1, which changes the state of every later floor.
struct EarlyEdit {
    /// With all rows.
    whole: Duration,
    evaluation: Duration,
    rows: u64,
    /// The mean length of a row, with its share of indexes and pages.
    row: usize,
}

pub(super) fn run(context: &Context, args: &StoreBench) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("storeyline-bench-{}", std::process::id()));
    let mut rows = Vec::new();
    for (size, bytes) in SIZES {
        let progress = context.progress_of("正在写入", "writing", args.floors as u64);
        let measured = measure(&folder, size, bytes, args.floors, |floor| progress.set_position(floor as u64));
        progress.finish_and_clear();
        // A bench leaves nothing behind.
        let _ = fs::remove_dir_all(&folder);
        rows.push(measured?);
    }
    show(context, args.floors, &rows);
    Ok(())
}

fn measure(
    folder: &Path,
    size: &'static str,
    bytes: usize,
    floors: usize,
    mut progress: impl FnMut(usize),
) -> Result<Measured, Failure> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|source| Failure::file(folder, source))?;
    let mut dice = Dice::new(7);
    let tale = Tale::new(bytes, &mut dice);
    let text = json::write(&tale.state);
    let entropy = yardstick::packed(text.as_bytes()) as f64 / text.len() as f64;
    let play = Play::begin(Engine::open(folder)?.with_durability(Durability::Normal), &tale.state)?;
    let mut half = Bytes::default();
    let mut content = [0u64; 2];
    let mut first = String::new();
    // Beside what it measures: the clock of a shared machine changes within a run.
    let bare = |durability: Durability| {
        let path = folder.join(format!("bare-{durability:?}.db"));
        yardstick::Bare::open(&path, durability).map_err(EngineError::from)
    };
    let bare_normal = bare(Durability::Normal)?;
    let mut bare_normals = Vec::new();
    let mut appends = Vec::new();
    let mut evaluations = Vec::new();
    for floor in 0..floors {
        let reply = tale.reply(CHANGES, &mut dice);
        if floor == 1 {
            first.clone_from(&reply);
        }
        if floor == floors / 2 {
            half = play.engine.stats(&Owner::local())?.bytes;
        }
        content[usize::from(floor >= floors / 2)] += yardstick::packed(reply.as_bytes()) as u64;
        if floor % 500 == 250 {
            bare_normals.extend(bare_normal.commit(100).map_err(EngineError::from)?);
        }
        if floor % 64 == 32 {
            evaluations.push(timed(|| black_box(try_text(&tale.state, &reply, "native"))));
        }
        let start = Instant::now();
        play.append(reply)?;
        appends.push(start.elapsed());
        progress(floor);
    }
    let end = play.engine.stats(&Owner::local())?.bytes;
    let per_floor = |from: u64, to: u64| (to - from) as f64 / (floors - floors / 2) as f64;
    let evaluation = median(&mut evaluations);
    let normal = median(&mut appends).saturating_sub(evaluation);
    let Play { engine, opened } = play;
    drop(engine);

    let full_play = Play { engine: Engine::open(folder)?.with_durability(Durability::Full), opened: opened.clone() };
    let bare_full = bare(Durability::Full)?;
    let (mut fulls, mut bare_fulls) = (Vec::new(), Vec::new());
    for round in 0..200 {
        if round % 10 == 5 {
            bare_fulls.extend(bare_full.commit(100).map_err(EngineError::from)?);
        }
        let reply = tale.reply(CHANGES, &mut dice);
        let start = Instant::now();
        full_play.append(reply)?;
        fulls.push(start.elapsed());
    }
    let full = median(&mut fulls).saturating_sub(evaluation);
    drop(full_play);

    let load = load(folder, &opened, floors, &mut dice)?;
    let edit = edit_first(folder, &opened, &first)?;
    let rows = yardstick::many_rows(&folder.join("rows.db"), edit.rows, edit.row).map_err(EngineError::from)?;
    Ok(Measured {
        size,
        state_bytes: text.len(),
        entropy,
        state: per_floor(half.state, end.state),
        tree: per_floor(half.tree_and_log, end.tree_and_log),
        content: per_floor(half.content, end.content),
        content_limit: content[1] as f64 / (floors - floors / 2) as f64,
        whole: yardstick::whole_states(&folder.join("whole.db"), text.as_bytes(), 20).map_err(EngineError::from)?,
        normal: (normal, median(&mut bare_normals)),
        full: (full, median(&mut bare_fulls)),
        evaluation,
        load,
        edit,
        rows,
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    drop(result);
    time
}

/// A story that is being played.
pub(super) struct Play {
    pub(super) engine: Engine,
    opened: OpenedChat,
}

impl Play {
    pub(super) fn begin(engine: Engine, state: &Value) -> Result<Play, Failure> {
        let request = OpenChat {
            chat: ChatId::from_random([1; 16]),
            parent: None,
            file: "bench".into(),
            file_owner: String::new(),
            title: "bench".into(),
            template: Some(state.clone()),
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(&Owner::local(), &request)?;
        Ok(Play { engine, opened })
    }

    pub(super) fn append(&self, text: String) -> Result<PageId, Failure> {
        let page = NewPage { page: None, text, time: Some(1_700_000_000_000) };
        let turn = NewTurn { role: Role::Assistant, name: "阿丽娅".into(), page };
        let OpenedChat { story, branch, .. } = self.opened;
        let change = BranchEdit::Append(turn);
        let edited = self.engine.edit_branch(&Owner::local(), story, branch, &change, By::client("bench"))?;
        Ok(edited.page.expect("an append writes a page"))
    }
}

/// Any floor in an engine that has read nothing yet but the first one.
fn load(folder: &Path, opened: &OpenedChat, floors: usize, dice: &mut Dice) -> Result<(Duration, Duration), Failure> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..41 {
        let engine = Engine::open(folder)?;
        let state = |floor| engine.state_at(&Owner::local(), opened.story, opened.branch, floor);
        black_box(state(0)?);
        let floor = dice.below(floors);
        let start = Instant::now();
        let loaded = state(floor)?;
        ours.push(start.elapsed());
        let text = json::write(&loaded).into_bytes();
        theirs.push(timed(|| black_box(serde_json::from_slice::<serde_json::Value>(&text).expect("our own JSON"))));
    }
    Ok((median(&mut ours), median(&mut theirs)))
}

/// An edit of floor 1, and the same evaluation in memory.
fn edit_first(folder: &Path, opened: &OpenedChat, first: &str) -> Result<EarlyEdit, Failure> {
    let engine = Engine::open(folder)?;
    let OpenedChat { story, branch, .. } = *opened;
    let page = engine.floor(&Owner::local(), story, branch, 1, None)?.page;
    let text = format!("{first}\n@.SET(\"开头\", 1);");
    let mut state = engine.state_at(&Owner::local(), story, branch, 0)?;
    let texts = engine.texts(&Owner::local(), story, branch)?;
    let start = Instant::now();
    for (floor, words) in texts.iter().enumerate().skip(1) {
        let words = if floor == 1 { &text } else { words };
        state = try_text(&state, words, "native").expect("a known profile").state;
        black_box(state.hash());
    }
    let evaluation = start.elapsed();
    let bytes = || engine.stats(&Owner::local()).map(|stats| stats.bytes.state + stats.bytes.tree_and_log);
    let (bytes_before, before) = (bytes()?, engine.work().written);
    let change = BranchEdit::Edit { page, text, keep: KeepText::InPlace };
    let start = Instant::now();
    engine.edit_branch(&Owner::local(), story, branch, &change, By::client("bench"))?;
    let whole = start.elapsed();
    let rows = engine.work().written - before;
    let row = ((bytes()? - bytes_before) / rows.max(1)) as usize;
    Ok(EarlyEdit { whole, evaluation, rows, row })
}

fn show(context: &Context, floors: usize, rows: &[Measured]) {
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let times = |(ours, other): (Duration, Duration)| ours.as_secs_f64() / other.as_secs_f64();
    if context.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                serde_json::json!({
                    "size": row.size, "state_bytes": row.state_bytes, "entropy": row.entropy,
                    "state": row.state, "tree_and_log": row.tree, "content": row.content,
                    "content_zstd": row.content_limit, "whole": row.whole,
                    "append_normal_us": micros(row.normal.0), "bare_normal_us": micros(row.normal.1),
                    "append_full_us": micros(row.full.0), "bare_full_us": micros(row.full.1),
                    "evaluation_us": micros(row.evaluation),
                    "load_us": micros(row.load.0), "from_slice_us": micros(row.load.1),
                    "edit_first_us": micros(row.edit.whole), "edit_evaluation_us": micros(row.edit.evaluation),
                    "edit_rows": row.edit.rows, "edit_row_bytes": row.edit.row, "rows_us": micros(row.rows),
                })
            })
            .collect();
        context.line(&serde_json::json!({ "floors": floors, "rows": rows }).to_string());
        return;
    }
    context.line(context.words(
        "每层字节 | 状态 zstd % | 状态 | 树和日志 | 内容 | 内容 zstd | 整份 JSON",
        "bytes per floor | state zstd % | state | tree and log | content | its zstd size | whole JSON",
    ));
    for row in rows {
        context.line(&format!(
            "{} | {:.0} % | {:.0} | {:.0} | {:.0} | {:.0} (×{:.2}) | {:.0}",
            row.size,
            row.entropy * 100.0,
            row.state,
            row.tree,
            row.content,
            row.content_limit,
            row.content / row.content_limit,
            row.whole
        ));
    }
    context.line("");
    context.line(context.words(
        "µs | 新楼层 NORMAL | 单行提交 | 倍 | 新楼层 FULL | 单行提交 | 倍 | 求值另计 | 读任一层 | from_slice | 倍",
        "µs | append NORMAL | one row | times | append FULL | one row | times | evaluation apart | load any floor | from_slice | times",
    ));
    for row in rows {
        context.line(&format!(
            "{} | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} | {:.0} | {:.1}",
            row.size,
            micros(row.normal.0),
            micros(row.normal.1),
            times(row.normal),
            micros(row.full.0),
            micros(row.full.1),
            times(row.full),
            micros(row.evaluation),
            micros(row.load.0),
            micros(row.load.1),
            times(row.load),
        ));
    }
    context.line("");
    context.line(context.words(
        "改第 1 层 ms | 内存求值 ms | 写入的行 | 每行字节 | 单写这些行 ms | 3 × 求值 + 行 ms",
        "edit of floor 1 ms | evaluation in memory ms | rows written | bytes each | such rows alone ms | 3 × evaluation + rows ms",
    ));
    for row in rows {
        let ms = |time: Duration| micros(time) / 1e3;
        context.line(&format!(
            "{} | {:.1} | {:.1} | {} | {} | {:.1} | {:.1}",
            row.size,
            ms(row.edit.whole),
            ms(row.edit.evaluation),
            row.edit.rows,
            row.edit.row,
            ms(row.rows),
            3.0 * ms(row.edit.evaluation) + ms(row.rows)
        ));
    }
}
