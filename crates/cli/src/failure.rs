//! Failures of commands, and how they are printed.

mod explain;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use storeyline_compat::card::CardError;
use storeyline_compat::world_book::WorldBookError;
use storeyline_engine::EngineError;
use storeyline_engine::authors::Incomplete;
use storeyline_engine::conformance::CaseError;
use storeyline_server::ServeError;
use storeyline_state::json::JsonError;
use storeyline_wire::RefKind;

use self::explain::explain;
use crate::out::Context;
use crate::style::Tone;

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
    #[error("there are several functions `{name}`: {}", ids.join(", "))]
    SeveralFunctions { name: String, ids: Vec<String> },
    #[error("there is no profile `{0}`")]
    NoProfile(String),
    #[error("no story is called `{0}`")]
    NoStory(String),
    #[error("`{0}` could be several stories")]
    ManyStories(String),
    #[error("the story has no branch `{0}`")]
    NoBranch(String),
    #[error("`{0}` could be several branches")]
    ManyBranches(String),
    #[error("which branch of `{0}` is meant was not said")]
    NotNamed(String),
    #[error("`{0}` is a {kind}", kind = .1.as_str())]
    OtherKind(String, RefKind),
    #[error("`{0}` is not in the trash")]
    NotInTrash(String),
    #[error("`{0}` is not a page of this branch")]
    NoPage(String),
    #[error("`{0}` could be several pages")]
    ManyPages(String),
    #[error("nobody has the role `{0}` on this branch yet")]
    NoName(&'static str),
    #[error("both branches changed the same place ({0}×); nothing was written")]
    Conflicts(usize),
    #[error("these are the rules already")]
    NothingToSet,
    #[error("`{0}` is not a condition")]
    Condition(String),
    #[error("`{option} {days}` is not a number of days between 0 and {most}")]
    Days { option: &'static str, days: i64, most: i64 },
    #[error("the data folder is in use by {0}")]
    InUse(String),
    #[error("{0} is there already")]
    Exists(PathBuf),
    #[error("{0} is not a copy of a database of Storeyline")]
    NotACopy(PathBuf),
    #[error("no engine is running in this data folder")]
    NoEngine,
    #[error("`{0}` is not the name of an account")]
    NoAccount(String),
    #[error("no browser has a token `{0}`")]
    NoToken(String),
    #[error("nothing to search for was given")]
    NoWords,
    #[error("there is no snapshot `{0}`")]
    NoSnapshot(String),
    #[error("`{0}` could be several snapshots")]
    ManySnapshots(String),
    #[error("{0} is not a JSON object")]
    NotAnObject(PathBuf),
    #[error("there is no template for `{0}`")]
    NoTemplate(String),
    #[error("{0} of these things are wrong")]
    Wrong(usize),
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

    pub(crate) fn data_folder(path: &Path, source: io::Error) -> Self {
        Failure::Serve(ServeError::Data { path: path.to_owned(), source })
    }

    /// Returns what happened and what to do next, in the language of the terminal.
    pub(crate) fn explain(&self, context: &Context) -> (String, String) {
        let (zh, hint) = explain(self);
        if context.chinese() { (zh, hint.zh) } else { (self.to_string(), hint.en) }
    }

    /// Prints message and hint; returns the exit code.
    pub(crate) fn report(&self, context: &Context) -> ExitCode {
        let (said, hint) = self.explain(context);
        if context.json {
            let error = serde_json::json!({ "error": { "message": self.to_string(), "hint": hint } });
            context.note(&error.to_string());
        } else {
            context.note(&format!("{}{said}", context.paint_note(Tone::Bad, context.words("错误：", "error: "))));
            let word = context.paint_note(Tone::Number, context.words("提示：", "hint: "));
            context.note(&format!("\n{word}{hint}"));
        }
        ExitCode::FAILURE
    }
}
