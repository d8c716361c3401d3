//! `storeyline doctor`: checks the data folder, and says what to do about problems.
//!
//! Each check examines one thing and prints one line. Nothing is repaired, and a missing folder is
//! not created.

use std::fs;
use std::path::Path;

use storeyline_engine::{DiskTrouble, Engine};
use storeyline_wire::care::Stats;

use crate::commands::disk;
use crate::commands::run_file::RunFile;
use crate::commands::serve::NO_WAL;
use crate::commands::shape::{bytes_text, list, maybe, number, object, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

/// In bytes; less free space gives a warning.
const LOW_SPACE: u64 = 200 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Well,
    Doubtful,
    Wrong,
}

impl Level {
    /// Returns the word for scripts, and the mark for people.
    fn shown(self) -> (&'static str, &'static str, Tone) {
        match self {
            Level::Well => ("ok", "✓", Tone::Good),
            Level::Doubtful => ("warning", "!", Tone::Changed),
            Level::Wrong => ("wrong", "✕", Tone::Bad),
        }
    }
}

/// The result of one check.
struct Check {
    /// For scripts.
    name: &'static str,
    level: Level,
    what: String,
    /// What to do.
    then: Option<String>,
}

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let mut checks = Checks { context, checks: Vec::new() };
    checks.run_all(&context.data());
    let checks = checks.checks;
    if context.json {
        let check = |check: &Check| {
            object([
                ("check", check.name.into()),
                ("level", check.level.shown().0.into()),
                ("what", text(&check.what)),
                ("then", maybe(check.then.as_ref(), text)),
            ])
        };
        let count = |level| number(checks.iter().filter(|check| check.level == level).count());
        context.value(&object([
            ("checks", list(&checks, check)),
            ("warnings", count(Level::Doubtful)),
            ("wrong", count(Level::Wrong)),
        ]));
    } else {
        for check in &checks {
            let (_, mark, tone) = check.level.shown();
            context.line(&format!("{} {}", context.paint(tone, mark), check.what));
            if let Some(then) = &check.then {
                context.line(&format!("    {then}"));
            }
        }
    }
    match checks.iter().filter(|check| check.level == Level::Wrong).count() {
        0 => Ok(()),
        count => Err(Failure::Wrong(count)),
    }
}

/// The results so far.
struct Checks<'a> {
    context: &'a Context,
    checks: Vec<Check>,
}

impl Checks<'_> {
    fn run_all(&mut self, data: &Path) {
        if !self.folder(data) {
            return;
        }
        self.space(data);
        // Opening the database corrects the rights of the files.
        self.token(&data.join("token"));
        if let Some(engine) = self.database(data) {
            self.inside(&engine);
        }
        self.holders(data);
        self.engine_that_runs(data);
    }

    fn add(&mut self, name: &'static str, level: Level, what: impl Into<String>, then: Option<String>) {
        self.checks.push(Check { name, level, what: what.into(), then });
    }

    fn well(&mut self, name: &'static str, what: impl Into<String>) {
        self.add(name, Level::Well, what, None);
    }

    fn doubtful(&mut self, name: &'static str, what: impl Into<String>, then: &str) {
        self.add(name, Level::Doubtful, what, Some(then.to_owned()));
    }

    /// Adds a failure with the message that the failing command would print.
    fn failed(&mut self, name: &'static str, failure: impl Into<Failure>) {
        let (what, then) = failure.into().explain(self.context);
        self.add(name, Level::Wrong, what, Some(then));
    }

    /// Checks that the folder exists.
    fn folder(&mut self, data: &Path) -> bool {
        let (shown, context) = (data.display(), self.context);
        if !data.exists() {
            let what = context
                .words(format!("数据文件夹 {shown} 还不存在"), format!("the data folder {shown} is not there yet"));
            let then = context.words(
                "第一次使用时会建立；放在别处请用 `--data`。",
                "It is made at the first use; is it elsewhere, give `--data`.",
            );
            self.doubtful("folder", what, then);
            return false;
        }
        let what =
            context.words(format!("数据文件夹 {shown} 可以写入"), format!("the data folder {shown} can be written"));
        match disk::probe(data) {
            Ok(()) => self.well("folder", what),
            Err(source) => self.failed("folder", Failure::data_folder(data, source)),
        }
        true
    }

    fn space(&mut self, data: &Path) {
        let Some(bytes) = disk::space_left(data) else { return };
        let left = bytes_text(bytes);
        let what = self.context.words(format!("磁盘剩余 {left}"), format!("{left} are left on the disk"));
        let then = self.context.words(
            "请腾出空间；`storeyline gc` 会清掉不再需要的内容。",
            "Free some space; `storeyline gc` collects what nothing needs any more.",
        );
        if bytes >= LOW_SPACE { self.well("space", what) } else { self.doubtful("space", what, then) }
    }

    fn database(&mut self, data: &Path) -> Option<Engine> {
        if fs::symlink_metadata(data.join("storeyline.db")).is_err() {
            let what = self.context.words("还没有数据库，也没有故事", "there is no database yet, and no story");
            self.well("database", what);
            return None;
        }
        let engine = Engine::open(data).map_err(|error| self.failed("database", error)).ok()?;
        let (layout, size) = (engine.layout(), bytes_text(engine.file_bytes()));
        let what = self.context.words(
            format!("数据库可以打开，格式 {layout}，{size}"),
            format!("the database opens, layout {layout}, {size}"),
        );
        self.well("database", what);
        // A file can be opened and read although it, or the disk, takes no more.
        match engine.probe() {
            Ok(()) => self.well("write", self.context.words("数据库可以写入", "the database can be written")),
            Err(error) => self.failed("write", error),
        }
        Some(engine)
    }

    fn inside(&mut self, engine: &Engine) {
        let (context, owner) = (self.context, self.context.owner());
        match engine.has_wal() {
            true => self.well("wal", context.words("预写日志已启用", "the write-ahead log is on")),
            false => self.add("wal", Level::Doubtful, context.words(NO_WAL.0, NO_WAL.1), None),
        }
        match engine.quick_integrity() {
            Ok(problems) => self.integrity(&problems),
            Err(error) => self.failed("integrity", error),
        }
        match engine.stats(&owner) {
            Ok(stats) => self.sizes(&stats),
            Err(error) => self.failed("sizes", error),
        }
        match engine.search_status(&owner) {
            Ok(status) if status.on => {
                let size = bytes_text(status.bytes);
                let what = context.words(format!("搜索索引：开，{size}"), format!("the search index is on, {size}"));
                self.well("search", what);
            }
            Ok(_) => {
                let en = "the search index is off; searching reads every text";
                self.well("search", context.words("搜索索引：关；搜索时会读每段文本", en));
            }
            Err(error) => self.failed("search", error),
        }
    }

    fn integrity(&mut self, problems: &[String]) {
        let context = self.context;
        let Some(first) = problems.first() else {
            let what = context.words(
                "文件完好（`storeyline verify` 会重新计算所有状态）",
                "the file is sound (`storeyline verify` computes every state again)",
            );
            return self.well("integrity", what);
        };
        let count = problems.len();
        let what = context
            .words(format!("文件有 {count} 处损坏：{first}"), format!("the file is damaged ({count}×): {first}"));
        let (zh, en) = DiskTrouble::Damaged.hint();
        self.add("integrity", Level::Wrong, what, Some(context.words(zh, en).to_owned()));
    }

    fn sizes(&mut self, Stats { stories, floors, bytes, .. }: &Stats) {
        let Some(bytes) = bytes else { return };
        let [state, tree, content] = [bytes.state, bytes.tree_and_log, bytes.content].map(bytes_text);
        let what = self.context.words(
            format!("{stories} 个故事，{floors} 层；状态 {state}，树和日志 {tree}，文本 {content}"),
            format!("stories: {stories}, floors: {floors}; states {state}, tree and log {tree}, texts {content}"),
        );
        self.well("sizes", what);
    }

    fn holders(&mut self, data: &Path) {
        let context = self.context;
        let (busy, open) = Engine::holders(data);
        if let Some(by) = busy {
            let work = by.work.clone().unwrap_or_else(|| "?".into());
            let process = by.processes.first().map_or_else(|| "?".to_owned(), u32::to_string);
            let what = context.words(
                format!("正在进行 {work}（进程 {process}）"),
                format!("{work} is under way (process {process})"),
            );
            self.doubtful("lock", what, context.words("请等它结束。", "Wait until it has ended."));
        }
        if open.is_empty() {
            return self
                .well("open", context.words("没有别的程序打开数据库", "no other program has the database open"));
        }
        let processes = open.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let what = context.words(
            format!("别的程序也打开了数据库（进程 {processes}），没有妨碍"),
            format!("the database is open elsewhere too (process {processes}), which does no harm"),
        );
        self.well("open", what);
    }

    /// Checks who can read the token: whoever can read it may do everything.
    #[cfg(unix)]
    fn token(&mut self, path: &Path) {
        let Ok(found) = fs::metadata(path) else { return };
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 == 0 {
            return self.well("token", self.context.words("只有你能读取令牌文件", "only you can read the token"));
        }
        let what = self.context.words(
            format!("别人也能读取令牌文件（权限 {mode:o}）"),
            format!("others can read the token (mode {mode:o})"),
        );
        self.add("token", Level::Wrong, what, Some(format!("chmod 600 '{}'", path.display())));
    }

    #[cfg(not(unix))]
    fn token(&mut self, _: &Path) {}

    fn engine_that_runs(&mut self, data: &Path) {
        let context = self.context;
        if !data.join("run.json").exists() {
            return self.well("engine", context.words("没有引擎在运行", "no engine runs"));
        }
        let found = RunFile::read(data);
        if let Some(RunFile { url, process }) = found.as_ref().filter(|found| found.answers()) {
            let what = context.words(
                format!("引擎在 {url} 运行（进程 {process}）"),
                format!("an engine runs at {url} (process {process})"),
            );
            return self.well("engine", what);
        }
        let process = found.map_or_else(|| "?".to_owned(), |found| found.process.to_string());
        let what = context.words(
            format!("run.json 说有引擎在运行（进程 {process}），但它没有应答"),
            format!("run.json tells of an engine (process {process}) that does not answer"),
        );
        let then = context.words(
            "多半是它被突然结束了；下次 `storeyline serve` 会改写这个文件，也可以直接删除。",
            "It was probably cut off; the next `storeyline serve` writes the file anew, and you may delete it.",
        );
        self.doubtful("engine", what, then);
    }
}
