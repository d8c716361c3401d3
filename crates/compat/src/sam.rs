//! Finds SAM's initial state: `__SAM_base_data__`, the functions in `__SAM_IDENTIFIER__`, and the
//! blocks that every version writes into messages; and detects the version.

use storeyline_functions::profile::SamVersion;
use storeyline_functions::sam::SamFunction;
use storeyline_state::{Diagnostic, Value, json};

use crate::initial::{Books, Findings, Given, SourceKind};
use crate::initvar::{self, Names};
use crate::location::Location;
use crate::world_book::Entry;

const IDENTIFIER: &str = "__SAM_IDENTIFIER__";
const BASE_DATA: &str = "__SAM_base_data__";

/// What SAM would start with.
pub(crate) struct Sam {
    /// The whole state including `static`, and its source.
    pub(crate) state: Option<(Value, SourceKind)>,
    /// The card's functions.
    pub(crate) functions: Vec<SamFunction>,
    /// The version, and how it was detected.
    pub(crate) version: (SamVersion, Sign),
}

/// How a version was detected, in Chinese and English.
pub(crate) type Sign = (&'static str, &'static str);

/// Searches world books and messages; `None` if there is no trace of SAM.
pub(crate) fn find(given: &Given<'_>, books: &Books<'_>, findings: &mut Findings) -> Option<Sam> {
    let identifier = books.entry(|entry| entry.title.trim() == IDENTIFIER);
    let base = books.entry(|entry| entry.title.trim() == BASE_DATA);
    let mut blocks = Vec::new();
    for (floor, message) in given.messages.iter().enumerate() {
        if let Some((kind, text)) = last_block(&message.pages[message.active].text) {
            blocks.push((Location::Page { floor, page: message.active }, kind, text));
        }
    }
    if identifier.is_none() && base.is_none() && blocks.is_empty() {
        return None;
    }
    let identified = identifier.is_some();
    let functions = identifier.map_or_else(Vec::new, |(location, entry)| functions(&location, entry, findings));
    let base = base.and_then(|(location, entry)| base_data(&location, entry, &given.names, findings));
    let mut newest = None;
    let mut first = None;
    for (location, kind, text) in blocks {
        let Some(state) = read_block(&location, text, findings) else { continue };
        newest = Some(kind.version(&state));
        if first.is_none() {
            findings.source(SourceKind::SamBlock, &location);
            first = Some(state);
        }
    }
    let taught = || {
        let in_chat = given.messages.iter().flat_map(|message| &message.pages).map(|page| page.text.as_str());
        version_in(in_chat).or_else(|| version_in(books.texts()))
    };
    let version = newest.or_else(taught).unwrap_or(match (&base, identified) {
        (Some(base), _) if base.get("static").is_none() => {
            (SamVersion::V6, ("`__SAM_base_data__` 只有 `static` 部分", "base data that is `static` alone"))
        }
        (_, true) => (SamVersion::V4_2, ("`__SAM_IDENTIFIER__` 条目", "its entry `__SAM_IDENTIFIER__`")),
        (_, false) => (SamVersion::V4_0, ("`__SAM_base_data__` 条目", "its entry `__SAM_base_data__`")),
    });
    let base = base.map(|data| (whole_state(data), SourceKind::SamBaseData));
    Some(Sam { state: base.or(first.map(|state| (state, SourceKind::SamBlock))), functions, version })
}

/// Completes the state: 3.x and 4.x have the whole state in the entry, 6.x the `static` part alone.
fn whole_state(data: Value) -> Value {
    if data.get("static").is_some_and(|inner| inner.as_object().is_some()) {
        return data;
    }
    Value::entries([("static", data)])
}

fn base_data(location: &Location, entry: &Entry, names: &Names, findings: &mut Findings) -> Option<Value> {
    let found = initvar::read(&initvar::entry_text(&entry.content), names);
    findings.remark(location, found.diagnostics);
    if found.value.is_some() {
        findings.source(SourceKind::SamBaseData, location);
    }
    found.value
}

fn functions(location: &Location, entry: &Entry, findings: &mut Findings) -> Vec<SamFunction> {
    if entry.content.trim().is_empty() {
        return Vec::new();
    }
    let read = read_json(&entry.content);
    let Some(items) = read.as_ref().ok().and_then(Value::as_list) else {
        let why = read.err().unwrap_or_else(|| "not a list".into());
        findings.remark(
            location,
            vec![Diagnostic::error(
                "E-SAM-FUNCTIONS",
                0..0,
                format!("函数库读不懂（{why}），没有用它。"),
                format!("the function library cannot be read ({why}) and was left out"),
            )],
        );
        return Vec::new();
    };
    let is_function = |item: &&Value| item.get("func_name").and_then(Value::as_text).is_some();
    let functions: Vec<SamFunction> =
        items.iter().filter(is_function).map(|item| SamFunction { definition: item.clone() }).collect();
    if functions.len() < items.len() {
        let count = items.len() - functions.len();
        findings.remark(
            location,
            vec![Diagnostic::warning(
                "W-SAM-FUNCTION",
                0..0,
                format!("{count} 个函数没有 `func_name`，已略去。"),
                format!("{count} functions without `func_name` were left out"),
            )],
        );
    }
    if !functions.is_empty() {
        findings.source(SourceKind::SamFunctions, location);
    }
    functions
}

/// The delimiters of a state in a message.
#[derive(Clone, Copy)]
enum Block {
    Comment,
    Dollars,
    Checkpoint,
}

const BLOCKS: [(Block, &str, &str); 3] = [
    (Block::Comment, "<!--<|state|>", "</|state|>-->"),
    (Block::Dollars, "$$$$$$data_block$$$$$$", "$$$$$$data_block_end$$$$$$"),
    (Block::Checkpoint, "<SAMCheckpoint>", "</SAMCheckpoint>"),
];

impl Block {
    /// Detects the version: versions share delimiters, but not the shape of the state.
    fn version(self, state: &Value) -> (SamVersion, Sign) {
        let summary = state.get("responseSummary");
        match self {
            Block::Comment => (SamVersion::V3_5, ("消息里的 `<!--<|state|>` 块", "`<!--<|state|>` blocks in messages")),
            Block::Checkpoint => {
                (SamVersion::V6, ("消息里的 `<SAMCheckpoint>` 块", "`<SAMCheckpoint>` blocks in messages"))
            }
            Block::Dollars if state.get("summary_progress").is_some() => {
                (SamVersion::V6, ("带 `summary_progress` 的状态块", "blocks with `summary_progress`"))
            }
            Block::Dollars if summary.is_some_and(|summary| summary.as_list().is_some()) => {
                (SamVersion::V4_0, ("摘要是列表的状态块", "blocks whose summary is a list"))
            }
            Block::Dollars => (
                SamVersion::V4_2,
                ("消息里的 `$$$$$$data_block$$$$$$` 块", "`$$$$$$data_block$$$$$$` blocks in messages"),
            ),
        }
    }
}

/// Returns the last block of a message, which is the one that SAM loads.
fn last_block(text: &str) -> Option<(Block, &str)> {
    let found = BLOCKS.iter().filter_map(|(kind, open, close)| {
        let start = text.rfind(open)? + open.len();
        let end = start + text[start..].find(close)?;
        Some((start, *kind, &text[start..end]))
    });
    found.max_by_key(|(start, ..)| *start).map(|(_, kind, inner)| (kind, inner))
}

/// Returns the state that SAM would load from a message, and the version that wrote it.
pub(crate) fn stored_in(text: &str) -> Option<(SamVersion, Value)> {
    let (kind, inner) = last_block(text)?;
    let state = read_json(inner).ok().filter(|state| state.as_object().is_some())?;
    Some((kind.version(&state).0, state))
}

fn read_block(location: &Location, text: &str, findings: &mut Findings) -> Option<Value> {
    let why = match read_json(text) {
        Ok(state) if state.as_object().is_some() => return Some(state),
        Ok(_) => "not an object".to_owned(),
        Err(why) => why,
    };
    findings.remark(
        location,
        vec![Diagnostic::error(
            "E-SAM-BLOCK",
            0..0,
            format!("SAM 的状态块读不懂（{why}），没有用它。"),
            format!("SAM's state block cannot be read ({why}) and was left out"),
        )],
    );
    None
}

/// Parses JSON, with repairs if needed.
fn read_json(text: &str) -> Result<Value, String> {
    let text = initvar::block_text(text);
    let error = match json::read(text) {
        Ok(value) => return Ok(value),
        Err(error) => error.to_string(),
    };
    initvar::read_loose(text).ok_or(error)
}

/// Returns the version whose commands the texts contain or teach; the newest has priority.
fn version_in<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(SamVersion, Sign)> {
    const WORDS: [(SamVersion, Sign, &[&str]); 4] = [
        (SamVersion::V6, ("`<JSONPatch>` 块", "`<JSONPatch>` blocks"), &["<jsonpatch>"]),
        (SamVersion::V5, ("`@.DB(…)` 命令", "`@.DB(…)` commands"), &["@.db("]),
        (
            SamVersion::V4_2,
            ("4.2 的命令", "commands of 4.2"),
            &["@.incset(", "@.incadd(", "@.rebase(", "@.swap(", "@.summary(", "@.remove("],
        ),
        (
            SamVersion::V4_0,
            ("4.0 的命令", "commands of 4.0"),
            &["@.response_summary(", "@.event_begin(", "@.event_end(", "@.event_summary("],
        ),
    ];
    let mut best: Option<usize> = None;
    for text in texts {
        let text = text.to_ascii_lowercase();
        let found = WORDS.iter().position(|(_, _, words)| words.iter().any(|word| text.contains(word)));
        best = match (best, found) {
            (Some(best), Some(found)) => Some(best.min(found)),
            (best, found) => best.or(found),
        };
    }
    best.map(|index| (WORDS[index].0, WORDS[index].1))
}
