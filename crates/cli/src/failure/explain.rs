//! The Chinese message of every failure (the English one is its `Display`), and what to do next.
//!
//! Errors of the engine have their own messages; here a command that helps is added.

use std::path::Path;

use storeyline_engine::{EditError, EngineError};
use storeyline_server::ServeError;
use storeyline_state::{Explain, Explanation, Words};
use storeyline_wire::RefKind;

use super::Failure;

/// Returns the explanation of an error.
fn own(error: &impl Explain) -> (String, Words) {
    let Explanation { words, hint, .. } = error.explain();
    (words.zh, hint)
}

fn engine(error: &EngineError) -> (String, Words) {
    let (zh, mut hint) = own(error);
    if let Some(Words { zh, en }) = command(error).map(see) {
        hint.zh += &zh;
        hint.en = format!("{} {en}", hint.en);
    }
    (zh, hint)
}

/// Points to another command.
fn see(command: &str) -> Words {
    Words::new(format!("参见 `storeyline {command}`。"), format!("See `storeyline {command}`."))
}

/// The command that shows or does what is missing.
fn command(error: &EngineError) -> Option<&'static str> {
    Some(match error {
        EngineError::NoFloor { .. } | EngineError::Edit(EditError::NoFloor(_)) => "path",
        EngineError::NoPage(_) | EngineError::Edit(EditError::NoPage(_)) => "path --json",
        EngineError::Edit(EditError::PageTwice(_)) => "diff",
        EngineError::UnknownStory(_) | EngineError::UnknownRef(_) | EngineError::UnknownChat(_) => "stories",
        EngineError::InTrash(_) => "branch restore",
        EngineError::LastBranch => "branch create",
        EngineError::IsTag(_) => "branch create --from",
        EngineError::EmptyPath => "branch delete",
        EngineError::UnknownOperation(_)
        | EngineError::NothingToUndo
        | EngineError::NothingToRedo
        | EngineError::UndoConflict { .. } => "log --operations",
        EngineError::BadPath { .. } => "show",
        _ => return None,
    })
}

/// Returns a failure in Chinese, and what to do next.
pub(super) fn explain(failure: &Failure) -> (String, Words) {
    let of_file = |path: &Path, (zh, hint): (String, Words)| (format!("{}：{zh}", path.display()), hint);
    let (zh, hint_zh, hint_en) = match failure {
        Failure::Engine(error) | Failure::Serve(ServeError::Engine(error)) => return engine(error),
        Failure::Import { path, source } => return of_file(path, engine(source)),
        Failure::Serve(error) => return own(error),
        Failure::Incomplete(error) => return own(error),
        Failure::Card { path, source } => return of_file(path, own(source)),
        Failure::WorldBook { path, source } => return of_file(path, own(source)),
        Failure::Case { path, line, source } => {
            let (zh, hint) = own(source);
            return (format!("{}，第 {line} 行：{zh}", path.display()), hint);
        }
        Failure::Problems(count) => (format!("发现 {count} 个问题"), "问题列在上面。", "They are listed above."),
        Failure::File { path, source } => (
            format!("{}：{source}", path.display()),
            "请检查路径和权限是否正确。",
            "Check that the path is right, and the permissions.",
        ),
        Failure::NoChats(folder) => (
            format!("{} 里没有聊天文件", folder.display()),
            "请给出一个角色或群组的聊天文件夹，里面有 .jsonl 文件，例如 data/default-user/chats/角色名。",
            "Give the chat folder of one character or group, with .jsonl files in it, such as data/default-user/chats/NAME.",
        ),
        Failure::BrokenFiles(count) => (
            format!("有 {count} 个文件读不了"),
            "其余文件已经导入。请从酒馆的 backups 文件夹取回这些文件，然后再导入一次。",
            "The others are stored. Take these from the host's backups folder, and import once more.",
        ),
        Failure::Json { path, source } => {
            (format!("{} 不是合法的 JSON：{source}", path.display()), "请给出 JSON 文件。", "Give a JSON file.")
        }
        Failure::Schema { path, words } => (
            format!("{}：{words}", path.display()),
            "可用的词：type、default、enum、minimum、maximum、readOnly、properties、items、additionalProperties。",
            "Known words: type, default, enum, minimum, maximum, readOnly, properties, items, additionalProperties.",
        ),
        Failure::SeveralFunctions { name, ids } => (
            format!("有几个函数叫“{name}”：{}", ids.join("、")),
            "用其中一个 id 代替名称。",
            "Give one of the ids instead of the name.",
        ),
        Failure::NoFunction(name) => return (format!("函数库里没有函数“{name}”"), see("functions list")),
        Failure::NoProfile(name) => (
            format!("没有名为“{name}”的配置"),
            "可用的有：native、mvu、sam-3.5、sam-4.0、sam-4.2、sam-5、sam-6、varsystem。",
            "There are: native, mvu, sam-3.5, sam-4.0, sam-4.2, sam-5, sam-6, varsystem.",
        ),
        Failure::NoStory(text) => return (format!("没有叫“{text}”的故事"), see("stories")),
        Failure::ManyStories(text) => return (format!("“{text}”可能是好几个故事"), see("stories")),
        Failure::NoBranch(name) => return (format!("这个故事没有分支“{name}”"), see("stories")),
        Failure::ManyBranches(name) => return (format!("“{name}”可能是好几条分支"), see("branch list")),
        Failure::NotNamed(title) => (
            format!("没有写明是“{title}”的哪条分支"),
            "写成 `故事@分支`；用 `storeyline log` 查看分支。",
            "Write `STORY@BRANCH`; `storeyline log` shows the branches.",
        ),
        Failure::OtherKind(name, RefKind::Tag) => return (format!("“{name}”是标签"), see("tag delete")),
        Failure::OtherKind(name, RefKind::Branch) => return (format!("“{name}”是分支"), see("branch delete")),
        Failure::NotInTrash(name) => return (format!("“{name}”不在回收站里"), see("log --trash")),
        Failure::NoPage(text) => (
            format!("“{text}”不是这条分支上的页"),
            "用 `storeyline show` 查看一层的各页；页可以用 id 的开头（至少四位）来写。",
            "`storeyline show` lists the pages of a floor; the first four characters of an id will do.",
        ),
        Failure::ManyPages(text) => {
            (format!("“{text}”可能是好几页"), "请多写几位 id。", "Give more characters of the id.")
        }
        Failure::NoName(role) => {
            (format!("这条分支上还没有角色为“{role}”的人"), "用 `--name` 给出名字。", "Give a name with `--name`.")
        }
        Failure::Conflicts(count) => (
            format!("有 {count} 处两条分支都改过；没有写入任何东西"),
            "用 `--prefer ours` 保留本分支的值，或用 `--prefer theirs` 取对方的值。",
            "`--prefer ours` keeps the values of this branch, `--prefer theirs` takes those of the other.",
        ),
        Failure::NothingToSet => (
            "规则已经是这样了".into(),
            "给出要更改的规则，例如 `--profile mvu` 或 `--library functions.json`。",
            "Give what is to be changed, for example `--profile mvu` or `--library functions.json`.",
        ),
        Failure::Condition(text) => (
            format!("“{text}”不是条件"),
            "条件写作 `< 0`、`<= 0`、`> 5`、`>= 5`、`= 旅馆`、`!= null`，请加引号。",
            "A condition is written `< 0`, `<= 0`, `> 5`, `>= 5`, `= 旅馆`, `!= null`; put it in quotes.",
        ),
        Failure::Days { option, days, most } => (
            format!("“{option} {days}”不是 0 到 {most} 之间的天数"),
            "0 表示现在就可以清除；没有写入任何东西。",
            "0 means that nothing is kept any longer; nothing was written.",
        ),
        Failure::InUse(by) => (
            format!("数据文件夹正被占用：{by}"),
            "请先停止它（关闭酒馆，或在运行 `storeyline serve` 的终端按 Ctrl-C），再试一次。没有改动任何东西。",
            "Stop it first (close SillyTavern, or press Ctrl-C where `storeyline serve` runs) and try again. Nothing was changed.",
        ),
        Failure::NoEngine => (
            "这个数据文件夹没有引擎在运行".to_owned(),
            "请先启动酒馆或运行 `storeyline serve`；别的数据文件夹用 `--data` 指定。",
            "Start SillyTavern or run `storeyline serve` first; name another data folder with `--data`.",
        ),
        Failure::NoAccount(name) => (
            format!("“{name}”不是账号名"),
            "账号名由 1 到 64 个字母、数字、`.`、`_`、`-`、`@` 组成。",
            "A name has 1 to 64 letters, digits, `.`, `_`, `-` or `@`.",
        ),
        Failure::NoToken(id) => return (format!("没有浏览器有令牌“{id}”"), see("token list")),
        Failure::Exists(path) => (
            format!("{} 已经存在", path.display()),
            "请给出一个还不存在的文件名。",
            "Give the name of a file that is not there yet.",
        ),
        Failure::NotACopy(path) => (
            format!("{} 不是 Storeyline 数据库的备份", path.display()),
            "请给出 `storeyline backup` 写的文件；没有改动任何东西。",
            "Give a file that `storeyline backup` wrote. Nothing was changed.",
        ),
        Failure::NoWords => (
            "没有给出要搜索的内容".into(),
            "例如 `storeyline search 酒馆`；用 `storeyline search -- on` 搜索“on”这个词。",
            "For example `storeyline search 酒馆`; `storeyline search -- on` searches for the word `on`.",
        ),
        Failure::NoSnapshot(text) => return (format!("没有快照“{text}”"), see("snapshot list")),
        Failure::ManySnapshots(text) => return (format!("“{text}”可能是好几个快照"), see("snapshot list")),
        Failure::NotAnObject(path) => (
            format!("{} 不是 JSON 对象", path.display()),
            "初始状态是一个 JSON 对象，例如 {\"金币\": 10}。",
            "A first state is a JSON object, for example {\"gold\": 10}.",
        ),
        Failure::NoTemplate(card) => return (format!("“{card}”没有模板"), see("template set")),
        Failure::Wrong(count) => {
            (format!("有 {count} 项不正常"), "每一项下面写着该怎么做。", "Below each of them stands what to do.")
        }
        Failure::NotAHost(path) => (
            format!("{} 不是酒馆的文件夹", path.display()),
            "请给出含有 server.js 的酒馆文件夹。",
            "Give the SillyTavern folder that has server.js in it.",
        ),
        Failure::NotBuilt => (
            "这个程序构建时没有包含酒馆扩展".into(),
            "请用 `cargo xtask run` 构建。",
            "Build it with `cargo xtask run`.",
        ),
    };
    (zh, Words::new(hint_zh, hint_en))
}
