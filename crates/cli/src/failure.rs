//! The one place where errors become words, hints and exit codes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use storeyline_compat::ChatFileError;
use storeyline_compat::card::CardError;
use storeyline_compat::kind::Kind;
use storeyline_compat::world_book::WorldBookError;
use storeyline_engine::authors::Incomplete;
use storeyline_engine::conformance::CaseError;
use storeyline_engine::{EngineError, StoreError};
use storeyline_server::ServeError;
use storeyline_state::json::JsonError;

use crate::out::Context;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{path}: {source}")]
    Import { path: PathBuf, source: EngineError },
    #[error("{0} has no chat files")]
    NoChats(PathBuf),
    #[error("{0} files could not be read")]
    BrokenFiles(usize),
    #[error("{path}: {source}")]
    Card { path: PathBuf, source: CardError },
    #[error("{path}: {source}")]
    WorldBook { path: PathBuf, source: WorldBookError },
    #[error("{path} is not valid JSON: {source}")]
    Json { path: PathBuf, source: JsonError },
    #[error("{path}, line {line}: {source}")]
    Case { path: PathBuf, line: usize, source: CaseError },
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    #[error("{path}: {words}")]
    Schema { path: PathBuf, words: String },
    #[error("the library has no function `{0}`")]
    NoFunction(String),
    #[error("there is no profile `{0}`")]
    NoProfile(String),
    #[error("no story is called `{0}`")]
    NoStory(String),
    #[error("`{0}` could be several stories")]
    ManyStories(String),
    #[error("the story has no branch `{0}`")]
    NoBranch(String),
    #[error("`{0}` is not a page of this branch")]
    NoPage(String),
    #[error("{0} is not a SillyTavern folder")]
    NotAHost(PathBuf),
    #[error("this program was built without the SillyTavern extension")]
    NotBuilt,
    #[error("{0} problems were found")]
    Problems(usize),
}

impl Failure {
    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        Failure::File { path: path.to_owned(), source }
    }

    /// Prints what happened and what to do next; returns the exit code.
    pub(crate) fn report(&self, context: &Context) -> ExitCode {
        let hint = self.hint().map(|(zh, en)| context.words(zh, en));
        if context.json {
            let error = serde_json::json!({ "error": { "message": self.to_string(), "hint": hint } });
            context.note(&error.to_string());
        } else {
            context.note(&format!("{} {self}", context.words("错误：", "error:")));
            if let Some(hint) = hint {
                context.note(&format!("\n{} {hint}", context.words("提示：", "hint:")));
            }
        }
        ExitCode::FAILURE
    }

    fn hint(&self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Failure::Import { source: EngineError::ChatElsewhere { .. }, .. } => (
                "这个聊天已经属于另一个故事。不带 `--into` 再试；没有写入任何东西。",
                "The chat belongs to another story already. Try again without `--into`; nothing was written.",
            ),
            Failure::Import { source: EngineError::Foreign(_), .. } => (
                "请用 `--varsystem-db` 给出插件的 SQLite 文件；没有写入任何东西。",
                "Give the plugin's SQLite file with `--varsystem-db`; nothing was written.",
            ),
            Failure::Import { source: EngineError::History(_), .. } => (
                "请给出聊天文件（.jsonl）或聊天历史（JSON，含 `branches`）；没有写入任何东西。",
                "Give a chat file (.jsonl) or a chat history (JSON with `branches`); nothing was written.",
            ),
            Failure::NoChats(_) => (
                "请给出一个角色或群组的聊天文件夹，里面有 .jsonl 文件，例如 data/default-user/chats/角色名。",
                "Give the chat folder of one character or group, with .jsonl files in it, such as data/default-user/chats/NAME.",
            ),
            Failure::BrokenFiles(_) => (
                "其余文件已经导入。请从酒馆的 backups 文件夹取回这些文件，然后再导入一次。",
                "The others are stored. Take these from the host's backups folder, and import once more.",
            ),
            Failure::Import { source: EngineError::ChatFile(ChatFileError::Line { .. }), .. }
            | Failure::Engine(EngineError::ChatFile(ChatFileError::Line { .. })) => (
                "文件可能没有写完。请从酒馆的 backups 文件夹取一份备份再试；没有写入任何东西。",
                "The file may have been cut off. Take a copy from the host's backups folder and try again; nothing was written.",
            ),
            Failure::Import { source: EngineError::ChatFile(_), .. } | Failure::Engine(EngineError::ChatFile(_)) => (
                "请给出酒馆的聊天文件（.jsonl）；没有写入任何东西。",
                "Give a SillyTavern chat file (.jsonl); nothing was written.",
            ),
            Failure::Engine(EngineError::NoFloor { .. }) => {
                ("用 `storeyline path` 查看楼层。", "`storeyline path` lists the floors.")
            }
            Failure::Incomplete(_)
            | Failure::Import { source: EngineError::Store(StoreError::Incomplete(_)), .. }
            | Failure::Engine(EngineError::Store(StoreError::Incomplete(_))) => (
                "有函数没有在限时内算完，没有写入任何东西。请重试；如果总是这样，请停用该函数。",
                "A function did not end in time; nothing was written. Try again; if it always happens, switch that function off.",
            ),
            Failure::Import { source: EngineError::Store(_), .. } | Failure::Engine(EngineError::Store(_)) => (
                "用 `--data` 指定另一个文件夹，或运行 `storeyline verify`。",
                "Give another folder with `--data`, or run `storeyline verify`.",
            ),
            Failure::Serve(ServeError::Port { .. }) => {
                ("用 `--port 0` 取一个空闲端口。", "`--port 0` takes a free port.")
            }
            Failure::Serve(ServeError::Data { .. }) => {
                ("用 `--data` 指定一个可写的文件夹。", "Give a folder that can be written with `--data`.")
            }
            Failure::Card { source: CardError::NotACard { kind: Kind::WorldBook }, .. } => {
                ("世界书请用 `--world-book` 给出。", "Give a world book with `--world-book`.")
            }
            Failure::WorldBook { source: WorldBookError::NotAWorldBook { kind: Kind::Card }, .. } => (
                "角色卡请用 `--card` 给出，它里面的世界书会一起读取。",
                "Give a card with `--card`; the world book inside it is read too.",
            ),
            Failure::WorldBook { source: WorldBookError::Json(_), .. } => (
                "文件可能没有写完，请在酒馆里重新导出世界书。",
                "The file may have been cut off. Export the world book from the host again.",
            ),
            Failure::WorldBook { .. } => (
                "请给出酒馆导出的世界书（JSON）；NovelAI、Agnai 和 Risu 的也可以。",
                "Give a world book as SillyTavern exports it (JSON); those of NovelAI, Agnai and Risu are read too.",
            ),
            Failure::Card { .. } => ("请给出 PNG 或 JSON 角色卡。", "Give a character card as PNG or JSON."),
            Failure::Json { .. } => ("请给出 JSON 文件。", "Give a JSON file."),
            Failure::NoProfile(_) => (
                "可用的有：native、mvu、sam-3.5、sam-4.0、sam-4.2、sam-5、sam-6、varsystem。",
                "There are: native, mvu, sam-3.5, sam-4.0, sam-4.2, sam-5, sam-6, varsystem.",
            ),
            Failure::Case { .. } => (
                "每行应是一个案例：id、peer 或 dialect、template、message。",
                "Each line is one case: id, peer or dialect, template, message.",
            ),
            Failure::NoFunction(_) => {
                ("用 `storeyline functions list` 查看。", "`storeyline functions list` shows them.")
            }
            Failure::Schema { .. } => (
                "可用的词：type、default、enum、minimum、maximum、readOnly、properties、items、additionalProperties。",
                "Known words: type, default, enum, minimum, maximum, readOnly, properties, items, additionalProperties.",
            ),
            Failure::NoStory(_) | Failure::ManyStories(_) | Failure::NoBranch(_) => {
                ("用 `storeyline stories` 查看故事和分支。", "`storeyline stories` lists stories and branches.")
            }
            Failure::NoPage(_) => {
                ("用 `storeyline path --json` 查看页的 id。", "`storeyline path --json` lists the ids of pages.")
            }
            Failure::NotAHost(_) => {
                ("请给出含有 server.js 的酒馆文件夹。", "Give the SillyTavern folder that has server.js in it.")
            }
            Failure::NotBuilt => ("请用 `cargo xtask run` 构建。", "Build it with `cargo xtask run`."),
            _ => return None,
        })
    }
}
