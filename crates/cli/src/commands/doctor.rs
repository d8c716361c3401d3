//! `storeyline doctor`: checks the data folder, and says what to do about problems.
//!
//! Each check examines one thing and prints one line. Nothing is repaired, and a missing folder is
//! not created.

use std::fs;
use std::path::Path;

use storeyline_engine::{DiskTrouble, Engine};
use storeyline_state::Value;

use crate::commands::run_file::RunFile;
use crate::commands::serve::NO_WAL;
use crate::commands::shape::{bytes_text, list, maybe, number, object, text};
use crate::commands::{disk, functions};
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
    fn word(self) -> &'static str {
        match self {
            Level::Well => "ok",
            Level::Doubtful => "warning",
            Level::Wrong => "wrong",
        }
    }

    fn mark(self) -> (&'static str, Tone) {
        match self {
            Level::Well => ("✓", Tone::Good),
            Level::Doubtful => ("!", Tone::Changed),
            Level::Wrong => ("✕", Tone::Bad),
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
    let checks = Checks { context, checks: Vec::new() }.run_all();
    if context.json {
        let check = |check: &Check| {
            object([
                ("check", check.name.into()),
                ("level", check.level.word().into()),
                ("what", text(&check.what)),
                ("then", maybe(check.then.as_ref(), text)),
            ])
        };
        let count = |level| number(checks.iter().filter(|check| check.level == level).count());
        let answer: [(&str, Value); 3] =
            [("checks", list(&checks, check)), ("warnings", count(Level::Doubtful)), ("wrong", count(Level::Wrong))];
        context.value(&object(answer));
    } else {
        for check in &checks {
            let (mark, tone) = check.level.mark();
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
    fn run_all(mut self) -> Vec<Check> {
        let data = self.context.data();
        if !self.folder(&data) {
            return self.checks;
        }
        self.space(&data);
        if let Some(engine) = self.database(&data) {
            self.inside(&engine);
        }
        self.holders(&data);
        self.token(&data.join("token"));
        self.engine_that_runs(&data);
        self.functions(&data.join("functions.json"));
        self.checks
    }

    fn add(&mut self, name: &'static str, level: Level, zh: String, en: String) {
        self.add_with(name, level, (zh, en), None);
    }

    fn add_with(&mut self, name: &'static str, level: Level, what: (String, String), then: Option<(&str, &str)>) {
        let what = if self.context.chinese() { what.0 } else { what.1 };
        let then = then.map(|(zh, en)| self.context.words(zh, en).to_owned());
        self.checks.push(Check { name, level, what, then });
    }

    /// Adds a failure with the message that the failing command would print.
    fn add_failure(&mut self, name: &'static str, failure: &Failure) {
        let (what, then) = failure.explain(self.context);
        self.checks.push(Check { name, level: Level::Wrong, what, then: Some(then) });
    }

    /// Checks that the folder exists.
    fn folder(&mut self, data: &Path) -> bool {
        let shown = data.display();
        if !data.exists() {
            let what = (format!("数据文件夹 {shown} 还不存在"), format!("the data folder {shown} is not there yet"));
            let then = (
                "第一次使用时会建立；放在别处请用 `--data`。",
                "It is made at the first use; is it elsewhere, give `--data`.",
            );
            self.add_with("folder", Level::Doubtful, what, Some(then));
            return false;
        }
        let probe = data.join(format!("write-probe-{}", std::process::id()));
        let written = fs::write(&probe, b"storeyline");
        let _ = fs::remove_file(&probe);
        match written {
            Ok(()) => {
                let (zh, en) =
                    (format!("数据文件夹 {shown} 可以写入"), format!("the data folder {shown} can be written"));
                self.add("folder", Level::Well, zh, en);
            }
            Err(source) => self.add_failure("folder", &Failure::data_folder(data, source)),
        }
        true
    }

    fn space(&mut self, data: &Path) {
        let Some(bytes) = disk::space_left(data) else { return };
        let left = bytes_text(bytes);
        let what = (format!("磁盘剩余 {left}"), format!("{left} are left on the disk"));
        if bytes >= LOW_SPACE {
            self.add_with("space", Level::Well, what, None);
        } else {
            let then = (
                "请腾出空间；`storeyline gc` 会清掉不再需要的内容。",
                "Free some space; `storeyline gc` collects what nothing needs any more.",
            );
            self.add_with("space", Level::Doubtful, what, Some(then));
        }
    }

    fn database(&mut self, data: &Path) -> Option<Engine> {
        let path = data.join("storeyline.db");
        if fs::symlink_metadata(&path).is_err() {
            self.add(
                "database",
                Level::Well,
                "还没有数据库，也没有故事".into(),
                "there is no database yet, and no story".into(),
            );
            return None;
        }
        match Engine::open(data) {
            Ok(engine) => {
                let (layout, size) = (engine.layout(), bytes_text(engine.file_bytes()));
                let zh = format!("数据库可以打开，格式 {layout}，{size}");
                self.add("database", Level::Well, zh, format!("the database opens, layout {layout}, {size}"));
                Some(engine)
            }
            Err(error) => {
                self.add_failure("database", &error.into());
                None
            }
        }
    }

    fn inside(&mut self, engine: &Engine) {
        match engine.has_wal() {
            true => self.add("wal", Level::Well, "预写日志已启用".into(), "the write-ahead log is on".into()),
            false => self.add("wal", Level::Doubtful, NO_WAL.0.into(), NO_WAL.1.into()),
        }
        match engine.quick_integrity() {
            Ok(problems) if problems.is_empty() => {
                let en = "the file is sound (`storeyline verify` computes every state again)";
                self.add(
                    "integrity",
                    Level::Well,
                    "文件完好（`storeyline verify` 会重新计算所有状态）".into(),
                    en.into(),
                );
            }
            Ok(problems) => {
                let (count, first) = (problems.len(), &problems[0]);
                let what =
                    (format!("文件有 {count} 处损坏：{first}"), format!("the file is damaged ({count}×): {first}"));
                self.add_with("integrity", Level::Wrong, what, Some(DiskTrouble::Damaged.hint()));
            }
            Err(error) => self.add_failure("integrity", &error.into()),
        }
        match engine.stats(&self.context.owner()) {
            Ok(stats) => {
                let (stories, floors) = (stats.stories, stats.floors);
                let bytes = stats.bytes;
                let [state, tree, content] = [bytes.state, bytes.tree_and_log, bytes.content].map(bytes_text);
                let zh = format!("{stories} 个故事，{floors} 层；状态 {state}，树和日志 {tree}，文本 {content}");
                let en = format!(
                    "stories: {stories}, floors: {floors}; states {state}, tree and log {tree}, texts {content}"
                );
                self.add("sizes", Level::Well, zh, en);
            }
            Err(error) => self.add_failure("sizes", &error.into()),
        }
        match engine.search_status(&self.context.owner()) {
            Ok(status) if status.on => {
                let size = bytes_text(status.bytes);
                self.add(
                    "search",
                    Level::Well,
                    format!("搜索索引：开，{size}"),
                    format!("the search index is on, {size}"),
                );
            }
            Ok(_) => {
                let en = "the search index is off; searching reads every text";
                self.add("search", Level::Well, "搜索索引：关；搜索时会读每段文本".into(), en.into());
            }
            Err(error) => self.add_failure("search", &error.into()),
        }
    }

    fn holders(&mut self, data: &Path) {
        let (busy, open) = Engine::holders(data);
        if let Some(by) = busy {
            let work = by.work.clone().unwrap_or_else(|| "?".into());
            let process = by.processes.first().map_or_else(|| "?".to_owned(), u32::to_string);
            let what =
                (format!("正在进行 {work}（进程 {process}）"), format!("{work} is under way (process {process})"));
            self.add_with("lock", Level::Doubtful, what, Some(("请等它结束。", "Wait until it has ended.")));
        }
        let processes: Vec<String> = open.iter().map(u32::to_string).collect();
        let processes = processes.join(", ");
        match open.is_empty() {
            true => self.add(
                "open",
                Level::Well,
                "没有别的程序打开数据库".into(),
                "no other program has the database open".into(),
            ),
            false => {
                let en = format!("the database is open elsewhere too (process {processes}), which does no harm");
                self.add("open", Level::Well, format!("别的程序也打开了数据库（进程 {processes}），没有妨碍"), en);
            }
        }
    }

    /// Checks who can read the token: whoever can read it may do everything.
    #[cfg(unix)]
    fn token(&mut self, path: &Path) {
        let Ok(found) = fs::metadata(path) else { return };
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 == 0 {
            self.add("token", Level::Well, "只有你能读取令牌文件".into(), "only you can read the token".into());
            return;
        }
        let shown = path.display();
        let what =
            (format!("别人也能读取令牌文件（权限 {mode:o}）"), format!("others can read the token (mode {mode:o})"));
        self.add_with("token", Level::Wrong, what, None);
        if let Some(check) = self.checks.last_mut() {
            check.then = Some(format!("chmod 600 '{shown}'"));
        }
    }

    #[cfg(not(unix))]
    fn token(&mut self, _: &Path) {}

    fn engine_that_runs(&mut self, data: &Path) {
        if !data.join("run.json").exists() {
            self.add("engine", Level::Well, "没有引擎在运行".into(), "no engine runs".into());
            return;
        }
        match RunFile::read(data) {
            Some(found) if found.answers() => {
                let RunFile { url, process } = &found;
                let en = format!("an engine runs at {url} (process {process})");
                self.add("engine", Level::Well, format!("引擎在 {url} 运行（进程 {process}）"), en);
            }
            found => {
                let process = found.map_or_else(|| "?".to_owned(), |found| found.process.to_string());
                let what = (
                    format!("run.json 说有引擎在运行（进程 {process}），但它没有应答"),
                    format!("run.json tells of an engine (process {process}) that does not answer"),
                );
                let then = (
                    "多半是它被突然结束了；下次 `storeyline serve` 会改写这个文件，也可以直接删除。",
                    "It was probably cut off; the next `storeyline serve` writes the file anew, and you may delete it.",
                );
                self.add_with("engine", Level::Doubtful, what, Some(then));
            }
        }
    }

    fn functions(&mut self, path: &Path) {
        if !path.exists() {
            return;
        }
        match functions::read_library(self.context, path) {
            Ok(library) => {
                let count = library.functions.len() + library.rules.len();
                self.add(
                    "functions",
                    Level::Well,
                    format!("函数库可以读取，{count} 个函数"),
                    format!("the function library can be read, functions: {count}"),
                );
            }
            Err(failure) => {
                let then = (
                    "请改正或移走这个文件；在此之前 `storeyline functions` 不能使用它。",
                    "Mend the file or move it away; until then `storeyline functions` cannot use it.",
                );
                let (words, _) = failure.explain(self.context);
                self.add_with("functions", Level::Wrong, (words.clone(), words), Some(then));
            }
        }
    }
}
