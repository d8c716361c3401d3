//! What is printed, and in which language. Results go to standard output, all else to the other.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use storeyline_compat::{Card, MAX_FILE, WorldBook};
use storeyline_engine::authors::Scripts;
use storeyline_engine::scripts::{WorkerCommand, start_worker, with_worker};
use storeyline_engine::{Engine, Owner};
use storeyline_state::{Value, json, text};

use crate::data_dir;
use crate::failure::Failure;
use crate::style::{self, Tone};

/// What every command knows.
pub(crate) struct Context {
    pub(crate) json: bool,
    /// The folder that was asked for, if one was.
    pub(crate) asked_data: Option<PathBuf>,
    chinese: bool,
    /// Whether results are shown in colour, and whether all else is.
    colour: (bool, bool),
}

impl Context {
    pub(crate) fn new(json: bool, asked_data: Option<PathBuf>) -> Self {
        let language = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        Context {
            json,
            asked_data,
            chinese: language.is_some_and(|language| language.starts_with("zh")),
            colour: (
                AutoStream::choice(&io::stdout()) != ColorChoice::Never,
                AutoStream::choice(&io::stderr()) != ColorChoice::Never,
            ),
        }
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
        std::fs::create_dir_all(&data).map_err(|source| Failure::data_folder(&data, source))?;
        Ok(Engine::open(&data)?.with_scripts(start_worker(self.worker())))
    }

    /// Runs JavaScript without an engine: this program again, started when the first script needs it.
    pub(crate) fn with_scripts<T>(&self, work: impl FnOnce(&mut dyn Scripts) -> T) -> T {
        with_worker(self.worker(), work)
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

    /// Whether the terminal speaks Chinese.
    pub(crate) fn chinese(&self) -> bool {
        self.chinese
    }

    /// Prints a line of the result. A closed pipe is not our failure.
    pub(crate) fn line(&self, line: &str) {
        // An old Windows console has to be told of colours; a pipe gets every byte as it is.
        let _ = match self.colour.0 {
            true => writeln!(anstream::stdout(), "{line}"),
            false => writeln!(io::stdout(), "{line}"),
        };
    }

    /// Prints a line that is not the result.
    pub(crate) fn note(&self, line: &str) {
        let _ = match self.colour.1 {
            true => writeln!(anstream::stderr(), "{line}"),
            false => writeln!(io::stderr(), "{line}"),
        };
    }

    /// Prints a result for scripts; numbers stay exact.
    pub(crate) fn value(&self, value: &Value) {
        self.line(&json::write(value));
    }

    /// Paints a part of a result.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        style::paint(self.colour.0, tone, text)
    }

    /// Paints a part of a line that is not the result.
    pub(crate) fn paint_note(&self, tone: Tone, text: &str) -> String {
        style::paint(self.colour.1, tone, text)
    }

    /// Paints a part of a result in the colour that a user chose, if it is one.
    pub(crate) fn paint_in(&self, colour: &str, text: &str) -> Option<String> {
        style::paint_in(self.colour.0, colour, text)
    }

    /// Returns a state for printing: spread out on a terminal, on one line elsewhere.
    pub(crate) fn state_text(&self, state: &Value) -> String {
        if io::stdout().is_terminal() { json::write_pretty(state) } else { json::write(state) }
    }

    /// Returns a text of a story for printing: on a terminal nothing in it is obeyed.
    pub(crate) fn story_text(&self, text: &str) -> String {
        if io::stdout().is_terminal() { style::harmless(text) } else { text.to_owned() }
    }

    /// Shows progress towards a known end on a terminal; elsewhere nothing.
    pub(crate) fn progress_of(&self, zh: &str, en: &str, length: u64) -> ProgressBar {
        let bar = self.progress(zh, en);
        bar.set_length(length);
        bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}").expect("the template is fixed"));
        bar
    }

    /// Shows on a terminal that something is being done, where nobody can say how far it is.
    pub(crate) fn waiting(&self, zh: &str, en: &str) -> ProgressBar {
        let bar = self.progress(zh, en);
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is fixed"));
        bar.enable_steady_tick(Duration::from_millis(100));
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

/// Reads the text of a page that somebody gives: on the command line, in a file, or else on standard
/// input. The line break at the end of a file is the editor's, not the page's.
pub(crate) fn read_text(context: &Context, text: Option<&str>, file: Option<&Path>) -> Result<String, Failure> {
    let stdin = Path::new("-");
    let read = match (text, file.unwrap_or(stdin)) {
        (Some(text), _) => return Ok(text::canonical(text).into_owned()),
        (None, path) if path == stdin => {
            if io::stdin().is_terminal() {
                context.note(context.words("请输入文本，按 Ctrl-D 结束：", "Type the text and end it with Ctrl-D:"));
            }
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map_err(|source| Failure::file(stdin, source))?;
            text::canonical(&String::from_utf8_lossy(&bytes)).into_owned()
        }
        (None, path) => read_message(path)?,
    };
    Ok(read.strip_suffix('\n').unwrap_or(&read).to_owned())
}
