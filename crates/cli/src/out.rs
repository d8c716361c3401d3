//! Output and its language. Results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use storeyline_compat::{Card, MAX_FILE, WorldBook};
use storeyline_engine::authors::Scripts;
use storeyline_engine::scripts::{WorkerCommand, start_worker, with_worker};
use storeyline_engine::{Engine, Owner, private};
use storeyline_state::{Value, Words, json, text};

use crate::args::TextArgs;
use crate::data_dir;
use crate::failure::Failure;
use crate::style::{self, Tone};

/// The environment of a command.
pub(crate) struct Context {
    pub(crate) json: bool,
    /// The data folder given by the user, if any.
    pub(crate) asked_data: Option<PathBuf>,
    chinese: bool,
    /// Whether to use colours on standard output, and on standard error.
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
        private::create_folder(&data).map_err(|source| Failure::data_folder(&data, source))?;
        Ok(Engine::open(&data)?.with_scripts(start_worker(self.worker())))
    }

    /// Runs JavaScript without an engine: a child process of this program, started on first use.
    pub(crate) fn with_scripts<T>(&self, work: impl FnOnce(&mut dyn Scripts) -> T) -> T {
        with_worker(self.worker(), work)
    }

    /// Returns how this program is started to run JavaScript.
    pub(crate) fn worker(&self) -> WorkerCommand {
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("storeyline"));
        WorkerCommand { program, args: vec!["js-worker".into()] }
    }

    /// Selects the language of the terminal.
    pub(crate) fn words<T>(&self, zh: T, en: T) -> T {
        if self.chinese { zh } else { en }
    }

    /// Selects the language of the terminal from a message.
    pub(crate) fn say<'a>(&self, words: &'a Words) -> &'a str {
        self.words(&words.zh, &words.en)
    }

    /// Tells whether the terminal's language is Chinese.
    pub(crate) fn chinese(&self) -> bool {
        self.chinese
    }

    /// Prints a line of the result. A closed pipe is not an error.
    pub(crate) fn line(&self, line: &str) {
        // An old Windows console needs a translation of colours; a pipe gets every byte unchanged.
        let _ = match self.colour.0 {
            true => writeln!(anstream::stdout(), "{line}"),
            false => writeln!(io::stdout(), "{line}"),
        };
    }

    /// Prints a line that is not part of the result.
    pub(crate) fn note(&self, line: &str) {
        let _ = match self.colour.1 {
            true => writeln!(anstream::stderr(), "{line}"),
            false => writeln!(io::stderr(), "{line}"),
        };
    }

    /// Prints that something was done, with a detail such as its operation.
    pub(crate) fn done(&self, message: &str, detail: &str) {
        let detail = self.paint(Tone::Quiet, &format!("· {detail}"));
        self.line(&format!("{} {message}  {detail}", self.paint(Tone::Good, "✓")));
    }

    pub(crate) fn operation(&self, number: i64) -> String {
        format!("{} {number}", self.words("操作", "operation"))
    }

    /// Prints an answer of the API as JSON.
    pub(crate) fn answer(&self, answer: &impl Serialize) {
        self.line(&serde_json::to_string(answer).expect("answers are JSON"));
    }

    /// Prints a result as JSON; numbers stay exact.
    pub(crate) fn value(&self, value: &Value) {
        self.line(&json::write(value));
    }

    /// Colours a part of a result.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        style::paint(self.colour.0, tone.style(), text)
    }

    /// Colours a part of a line that is not the result.
    pub(crate) fn paint_note(&self, tone: Tone, text: &str) -> String {
        style::paint(self.colour.1, tone.style(), text)
    }

    /// Colours a part of a result in a colour that a user chose, if it is valid.
    pub(crate) fn paint_in(&self, colour: &str, text: &str) -> Option<String> {
        Some(style::paint(self.colour.0, style::style_of(colour)?, text))
    }

    /// Formats a state: indented on a terminal, on one line otherwise.
    pub(crate) fn state_text(&self, state: &Value) -> String {
        if io::stdout().is_terminal() { json::write_pretty(state) } else { json::write(state) }
    }

    /// Formats a text of a story: on a terminal control characters are removed.
    pub(crate) fn story_text(&self, text: &str) -> String {
        if io::stdout().is_terminal() { style::harmless(text) } else { text.to_owned() }
    }

    /// Shows a progress bar with a known length; only on a terminal.
    pub(crate) fn progress_of(&self, zh: &str, en: &str, length: u64) -> ProgressBar {
        let bar = self.progress(zh, en);
        bar.set_length(length);
        bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}").expect("the template is fixed"));
        bar
    }

    /// Shows a spinner for work of unknown length; only on a terminal.
    pub(crate) fn waiting(&self, zh: &str, en: &str) -> ProgressBar {
        let bar = self.progress(zh, en);
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is fixed"));
        bar.enable_steady_tick(Duration::from_millis(100));
        bar
    }

    /// Does work of unknown length behind a spinner.
    pub(crate) fn while_waiting<T>(&self, zh: &str, en: &str, work: impl FnOnce() -> T) -> T {
        let bar = self.waiting(zh, en);
        let done = work();
        bar.finish_and_clear();
        done
    }

    /// Shows progress; only on a terminal.
    pub(crate) fn progress(&self, zh: &str, en: &str) -> ProgressBar {
        let bar = ProgressBar::no_length();
        let shown = io::stderr().is_terminal() && !self.json;
        bar.set_draw_target(if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {pos}").expect("the template is fixed"));
        bar.set_message(self.words(zh, en).to_owned());
        bar
    }
}

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

/// Reads a file, but no more than its parser accepts.
fn read_bounded(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|source| Failure::file(path, source))?;
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(|source| Failure::file(path, source))?;
    Ok(bytes)
}

/// Reads a text; bytes that are not UTF-8 are replaced.
pub(crate) fn read_lossy(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|source| Failure::file(path, source))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

pub(crate) fn read_message(path: &Path) -> Result<String, Failure> {
    Ok(text::canonical(&read_lossy(path)?).into_owned())
}

/// Reads a JSON file; `-` is standard input.
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

/// Reads a state; absent: an empty one.
pub(crate) fn read_state(path: Option<&Path>) -> Result<Value, Failure> {
    path.map_or_else(|| Ok(Value::empty_object()), read_json)
}

/// Reads the text of a page: from the command line, from a file, or else from standard input. The
/// line end at the end of a file is not part of the page.
pub(crate) fn read_text(context: &Context, args: &TextArgs) -> Result<String, Failure> {
    let stdin = Path::new("-");
    let read = match (&args.text, args.file.as_deref().unwrap_or(stdin)) {
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
