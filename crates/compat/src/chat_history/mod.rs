//! Seed 003's `ChatHistory`: branches of turns of pages, each branch with a copy of what it shares.
//!
//! In: its JSON, bare or as a host stores it (`plugin_storage.llm_history`). Out: branches whose
//! turns have pages with our ids; a page that occurs in several branches has one id there, also if
//! one branch edited it. Invalid parts are skipped or repaired, with a remark; see `ids` for ids.

mod ids;

use storeyline_history::Role;
use storeyline_state::json::{self, JsonError};
use storeyline_state::object::array_index;
use storeyline_state::{Diagnostic, Explain, Explanation, PageId, Value, named, text};

use crate::file_kind::FileKind;
use crate::location::{Location, Remark};
use crate::{MAX_FILE, send_date};
use ids::{ForeignPage, Ids};

#[derive(Debug, Clone, PartialEq)]
pub struct ChatHistory {
    /// In the order of the file; exactly one is active.
    pub branches: Vec<HistoryBranch>,
    pub remarks: Vec<Remark>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryBranch {
    pub name: String,
    pub active: bool,
    pub turns: Vec<HistoryTurn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryTurn {
    pub role: HistoryRole,
    /// Index in `pages`.
    pub active: usize,
    /// Never empty.
    pub pages: Vec<HistoryPage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    pub page: PageId,
    /// Canonical text.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// False if the history says `isValid: false`.
    pub valid: bool,
}

named! {
    pub enum HistoryRole {
        User = "user",
        Assistant = "assistant",
        /// A summary that replaces earlier turns.
        Summary = "summary",
    }
}

impl HistoryRole {
    /// Returns our role. Nothing is executed in a summary, because it only repeats earlier turns,
    /// but the model reads it.
    pub fn role(self) -> Role {
        match self {
            HistoryRole::User => Role::User,
            HistoryRole::Assistant => Role::Assistant,
            HistoryRole::Summary => Role::Summary,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatHistoryError {
    /// Larger than any real chat variable.
    #[error("the history is larger than {} MB", MAX_FILE / 1_000_000)]
    TooLarge,
    #[error("the history is not valid JSON: {0}")]
    Json(#[from] JsonError),
    /// JSON, but not a history.
    #[error("the file is not a chat history: it has no `branches`, it looks like {kind}")]
    NotAHistory {
        /// What it looks like.
        kind: FileKind,
    },
    /// No branch has a turn with a readable page.
    #[error("the chat history has no message")]
    NoMessage,
}

impl Explain for ChatHistoryError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            ChatHistoryError::TooLarge => format!("聊天历史超过 {} MB", MAX_FILE / 1_000_000),
            ChatHistoryError::Json(error) => format!("聊天历史不是合法的 JSON：{error}"),
            ChatHistoryError::NotAHistory { kind } => {
                format!("这不是聊天历史：没有 `branches`，看起来是{}", kind.name().0)
            }
            ChatHistoryError::NoMessage => "聊天历史里没有消息".into(),
        };
        let hint = (
            "请给出聊天文件（.jsonl）或聊天历史（JSON，含 `branches`）；没有写入任何东西。",
            "Give a chat file (.jsonl) or a chat history (JSON with `branches`); nothing was written.",
        );
        self.explained("bad_request", zh, hint)
    }
}

impl ChatHistory {
    /// Reads a value. Ids that are not UUIDs are scoped to `mark` (a chat's uid, a file name), so
    /// that two histories which both begin with `msg_1` do not share it.
    pub fn from_value(value: &Value, mark: &str) -> Result<ChatHistory, ChatHistoryError> {
        let not_a_history = || ChatHistoryError::NotAHistory { kind: FileKind::of(value) };
        let value = &unwrapped(value)?;
        let named = value.get("branches").and_then(Value::as_object).ok_or_else(not_a_history)?;
        let mut remarks = Remarks::default();
        let mut branches_read: Vec<(String, Vec<UnboundTurn>)> = Vec::new();
        for (name, turns) in named.iter() {
            branches_read.push((name.to_string(), read_turns(name, turns, &mut remarks)));
        }
        if branches_read.iter().all(|(_, turns)| turns.is_empty()) {
            return Err(ChatHistoryError::NoMessage);
        }
        let ids = Ids::of(mark, branches_read.iter().map(|(_, turns)| foreign_pages(turns)));
        let active = active_branch(value, &branches_read, &mut remarks);
        let branches = branches_read.into_iter().enumerate().map(|(index, (name, turns))| {
            let turns = with_ids(&name, turns, &ids, &mut remarks);
            HistoryBranch { name, active: index == active, turns }
        });
        Ok(ChatHistory { branches: branches.collect(), remarks: remarks.remarks })
    }
}

/// Tells whether the header of a host's chat contains a history among its variables.
pub fn is_inside(header: &Value) -> bool {
    let variables = header.get("chat_metadata").and_then(|metadata| metadata.get("variables"));
    let Some(variables) = variables else { return false };
    let has_history = |value: &Value| value.get("llm_history").is_some_and(|history| *history != Value::Null);
    match variables.get("plugin_storage") {
        Some(Value::Text(text)) => text.contains("\"llm_history\""),
        Some(storage) if has_history(storage) => true,
        _ => has_history(variables),
    }
}

/// Removes the wrapping of a host; variables may contain JSON as text.
fn unwrapped(value: &Value) -> Result<Value, JsonError> {
    let mut value = value.clone();
    for key in ["plugin_storage", "llm_history"] {
        value = match value.get(key) {
            Some(Value::Text(text)) => json::read(text)?,
            Some(inner) => inner.clone(),
            None => continue,
        };
    }
    Ok(value)
}

/// A turn whose pages have no ids yet.
struct UnboundTurn {
    index: usize,
    role: HistoryRole,
    active: usize,
    pages: Vec<(ForeignPage, UnboundPage)>,
}

struct UnboundPage {
    time: Option<i64>,
    valid: bool,
    text: String,
}

fn foreign_pages(turns: &[UnboundTurn]) -> impl Iterator<Item = &ForeignPage> {
    turns.iter().flat_map(|turn| turn.pages.iter().map(|(found, _)| found))
}

#[derive(Default)]
struct Remarks {
    remarks: Vec<Remark>,
}

/// Maximum number of remarks; a broken file has one per turn.
const MAX_REMARKS: usize = 200;

impl Remarks {
    fn warn(&mut self, branch: &str, turn: Option<usize>, code: &str, zh: &str, en: &str) {
        if self.remarks.len() < MAX_REMARKS {
            let location = Location::Turn { branch: branch.to_owned(), turn };
            self.remarks.push(location.remark(Diagnostic::warning(code, 0..0, zh, en)));
        }
    }
}

/// Returns the entries of an object with numbers as keys, or of a list, sorted by number; gaps are
/// allowed.
fn numbered(value: &Value) -> (Vec<(usize, &Value)>, usize) {
    if let Some(items) = value.as_list() {
        return (items.iter().enumerate().filter(|(_, item)| **item != Value::Null).collect(), 0);
    }
    let Some(object) = value.as_object() else { return (Vec::new(), 1) };
    let entries: Vec<_> = object.iter().filter_map(|(key, value)| Some((array_index(key)? as usize, value))).collect();
    let others = object.len() - entries.len();
    (entries, others)
}

fn read_turns(branch: &str, turns: &Value, remarks: &mut Remarks) -> Vec<UnboundTurn> {
    let (entries, others) = numbered(turns);
    if others > 0 {
        let (zh, en) = ("有的回合不以数字为键，已略去。", "turns whose key is not a number were left out");
        remarks.warn(branch, None, "W-HISTORY-KEY", zh, en);
    }
    let mut read = Vec::with_capacity(entries.len());
    for (index, turn) in entries {
        match read_turn(branch, index, turn, remarks) {
            Some(turn) => read.push(turn),
            None => {
                let (zh, en) =
                    ("这个回合没有可读的消息页，已略去。", "this turn has no page that can be read and was left out");
                remarks.warn(branch, Some(index), "W-HISTORY-TURN", zh, en);
            }
        }
    }
    read
}

fn read_turn(branch: &str, index: usize, turn: &Value, remarks: &mut Remarks) -> Option<UnboundTurn> {
    // A turn that is itself a page has one page.
    let single = [(0, turn)];
    let (entries, others) = match turn.get("pages") {
        Some(pages) => numbered(pages),
        None => (single.to_vec(), 0),
    };
    let readable: Vec<(usize, &Value, &str)> =
        entries.iter().filter_map(|(page, value)| Some((*page, *value, value.get("content")?.as_text()?))).collect();
    if readable.is_empty() {
        return None;
    }
    if others > 0 || readable.len() < entries.len() {
        let (zh, en) = ("有的消息页读不懂，已略去。", "pages that cannot be read were left out");
        remarks.warn(branch, Some(index), "W-HISTORY-PAGE", zh, en);
    }
    let wanted = turn.get("activePageIndex").and_then(Value::as_number).and_then(|wanted| wanted.as_index());
    // If the active page is unreadable, the one before it becomes active.
    let active = readable.iter().rposition(|(page, ..)| *page <= wanted.unwrap_or(0)).unwrap_or(0);
    if readable[active].0 != wanted.unwrap_or(0) {
        let (zh, en) =
            ("激活的消息页不存在，改读它前面的一页。", "the active page does not exist; the one before it is read");
        remarks.warn(branch, Some(index), "W-HISTORY-ACTIVE", zh, en);
    }
    let role_of = |value: &Value| value.get("role").and_then(Value::as_text).and_then(HistoryRole::from_word);
    let own = role_of(readable[active].1);
    let role = own.filter(|role| *role == HistoryRole::Summary).or(role_of(turn)).or(own);
    let pages = readable.iter().map(|(page, value, content)| read_page((index, *page), value, content)).collect();
    Some(UnboundTurn { index, role: role.unwrap_or(HistoryRole::Assistant), active, pages })
}

fn read_page(index: (usize, usize), page: &Value, content: &str) -> (ForeignPage, UnboundPage) {
    let text = text::canonical(content).into_owned();
    let id = page.get("id").and_then(Value::as_text).filter(|id| !id.is_empty()).map(str::to_owned);
    let found = ForeignPage { id, index, text: text::hash(&text) };
    let time = page.get("timestamp").and_then(send_date::read);
    let valid = page.get("isValid").and_then(Value::as_bool).unwrap_or(true);
    (found, UnboundPage { time, valid, text })
}

fn active_branch(history: &Value, branches_read: &[(String, Vec<UnboundTurn>)], remarks: &mut Remarks) -> usize {
    let index_of = |wanted: &str| branches_read.iter().position(|(name, turns)| name == wanted && !turns.is_empty());
    let wanted = history.get("activeBranch").and_then(Value::as_text).unwrap_or("main");
    if let Some(active) = index_of(wanted) {
        return active;
    }
    let (zh, en) =
        ("激活的分支不存在或没有消息，改读另一个。", "the active branch is missing or empty; another one is read");
    remarks.warn(wanted, None, "W-HISTORY-BRANCH", zh, en);
    let first = branches_read.iter().position(|(_, turns)| !turns.is_empty());
    index_of("main").or(first).unwrap_or(0)
}

fn with_ids(branch: &str, branches_read: Vec<UnboundTurn>, ids: &Ids, remarks: &mut Remarks) -> Vec<HistoryTurn> {
    let mut path = ids.path();
    let mut turns = Vec::with_capacity(branches_read.len());
    for UnboundTurn { index, role, active, pages } in branches_read {
        let mut read = Vec::with_capacity(pages.len());
        for (found, UnboundPage { time, valid, text }) in pages {
            let (page, own) = path.id(&found);
            if !own {
                let (zh, en) = (
                    "这里的标识符已属于同一分支的另一页，已换新的。",
                    "the id stands twice in this branch; the page here got another",
                );
                remarks.warn(branch, Some(index), "W-HISTORY-ID", zh, en);
            }
            read.push(HistoryPage { page, text, time, valid });
        }
        turns.push(HistoryTurn { role, active, pages: read });
    }
    turns
}

#[cfg(test)]
mod tests;
