//! What is printed, and in which language. Results go to standard output, all else to the other.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use storeyline_compat::{Card, MAX_FILE, WorldBook};
use storeyline_engine::scripts::{LazyWorker, WorkerCommand};
use storeyline_engine::{Engine, Owner};
use storeyline_state::{Value, json, text};

use crate::data_dir;
use crate::failure::Failure;

/// What every command knows.
pub(crate) struct Context {
    pub(crate) json: bool,
    /// The folder that was asked for, if one was.
    pub(crate) asked_data: Option<PathBuf>,
    chinese: bool,
}

impl Context {
    pub(crate) fn new(json: bool, asked_data: Option<PathBuf>) -> Self {
        let language = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        Context { json, asked_data, chinese: language.is_some_and(|language| language.starts_with("zh")) }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.asked_data.clone().unwrap_or_else(data_dir::default)
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner::local()
    }

    /// Opens the engine in the data folder.
    pub(crate) fn engine(&self) -> Result<Engine, Failure> {
        let data = self.data();
        std::fs::create_dir_all(&data).map_err(|source| Failure::file(&data, source))?;
        Ok(Engine::open(&data)?.with_scripts(Box::new(self.scripts())))
    }

    /// Returns who runs JavaScript: this program again, started when the first script needs it.
    pub(crate) fn scripts(&self) -> LazyWorker {
        LazyWorker::new(self.worker())
    }

    /// Returns how this program is started to run JavaScript.
    pub(crate) fn worker(&self) -> WorkerCommand {
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("storeyline"));
        WorkerCommand { program, args: vec!["js-worker".into()] }
    }

    /// Picks the language of the terminal.
    pub(crate) fn words<'a>(&self, zh: &'a str, en: &'a str) -> &'a str {
        if self.chinese { zh } else { en }
    }

    /// Prints a line of the result. A closed pipe is not our failure.
    pub(crate) fn line(&self, line: &str) {
        let _ = writeln!(io::stdout(), "{line}");
    }

    /// Prints a line that is not the result.
    pub(crate) fn note(&self, line: &str) {
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Shows progress towards a known end on a terminal; elsewhere nothing.
    pub(crate) fn progress_of(&self, zh: &str, en: &str, length: u64) -> ProgressBar {
        let bar = self.progress(zh, en);
        bar.set_length(length);
        bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}").expect("the template is fixed"));
        bar
    }

    /// Shows progress on a terminal; elsewhere nothing.
    pub(crate) fn progress(&self, zh: &str, en: &str) -> ProgressBar {
        let bar = ProgressBar::no_length();
        let shown = io::stderr().is_terminal() && !self.json;
        bar.set_draw_target(if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {pos}").expect("the template is fixed"));
        bar.set_message(self.words(zh, en).to_owned());
        bar
    }
}

/// Reads a card.
pub(crate) fn read_card(path: &Path) -> Result<Card, Failure> {
    let bytes = read_bounded(path)?;
    Card::read(&bytes).map_err(|source| Failure::Card { path: path.to_owned(), source })
}

/// Reads world books; the host names them by their files.
pub(crate) fn read_world_books(paths: &[PathBuf]) -> Result<Vec<WorldBook>, Failure> {
    let read = |path: &PathBuf| {
        let bytes = read_bounded(path)?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        WorldBook::read(&bytes, &name).map_err(|source| Failure::WorldBook { path: path.clone(), source })
    };
    paths.iter().map(read).collect()
}

/// Reads no more of a file than its reader would accept.
fn read_bounded(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|source| Failure::file(path, source))?;
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(|source| Failure::file(path, source))?;
    Ok(bytes)
}

/// Reads the text of a message.
pub(crate) fn read_message(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|source| Failure::file(path, source))?;
    Ok(text::canonical(&String::from_utf8_lossy(&bytes)).into_owned())
}

/// Reads a JSON file that somebody named; `-` is standard input.
pub(crate) fn read_json(path: &Path) -> Result<Value, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|source| Failure::file(path, source))?;
    let text = String::from_utf8_lossy(&bytes);
    json::read(&text).map_err(|source| Failure::Json { path: path.to_owned(), source })
}
