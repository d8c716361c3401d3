//! Seed 003's `ChatHistory`: branches of turns of pages, each branch with a copy of what it shares.
//!
//! In: its JSON, bare or as a host keeps it (`plugin_storage.llm_history`). Out: branches whose
//! turns hold pages with our ids; a page that stands in several branches has one id there, also
//! where one branch edited it. What is odd is left out or mended, and told; see `ids` for ids.

mod ids;

use storeyline_history::Role;
use storeyline_state::json::{self, JsonError};
use storeyline_state::object::array_index;
use storeyline_state::{Diagnostic, Explain, Explanation, PageId, Value, text};

use crate::kind::Kind;
use crate::place::{Place, Remark};
use crate::{MAX_FILE, send_date};
use ids::{Found, Ids};

/// A history, read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatHistory {
    /// All branches, in the order of the file; exactly one is active.
    pub branches: Vec<HistoryBranch>,
    /// What is odd in it.
    pub remarks: Vec<Remark>,
}

/// One branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryBranch {
    /// Its name.
    pub name: String,
    /// Whether it is the one that is read.
    pub active: bool,
    /// Its turns, in order.
    pub turns: Vec<HistoryTurn>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryTurn {
    /// Who speaks.
    pub role: HistoryRole,
    /// Which page is read, by its place in `pages`.
    pub active: usize,
    /// All pages, in order; never empty.
    pub pages: Vec<HistoryPage>,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    /// Its id.
    pub page: PageId,
    /// The canonical text.
    pub text: String,
    /// When it was written.
    pub time: Option<i64>,
    /// False where the history says `isValid: false`.
    pub valid: bool,
}

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryRole {
    /// The player.
    User,
    /// The model.
    Assistant,
    /// A summary in place of what was said.
    Summary,
}

impl HistoryRole {
    /// Returns the word of the format.
    pub fn as_str(self) -> &'static str {
        match self {
            HistoryRole::User => "user",
            HistoryRole::Assistant => "assistant",
            HistoryRole::Summary => "summary",
        }
    }

    /// Returns our role: nothing counts in a summary, for it only tells again what counted before,
    /// but a model reads it.
    pub fn role(self) -> Role {
        match self {
            HistoryRole::User => Role::User,
            HistoryRole::Assistant => Role::Assistant,
            HistoryRole::Summary => Role::Summary,
        }
    }

    fn from_word(word: &str) -> Option<HistoryRole> {
        [HistoryRole::User, HistoryRole::Assistant, HistoryRole::Summary].into_iter().find(|role| role.as_str() == word)
    }
}

/// Why a file is not a history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatHistoryError {
    /// Larger than anything that is kept in a chat variable.
    #[error("the history is larger than {} MB", MAX_FILE / 1_000_000)]
    TooLarge,
    /// Not JSON.
    #[error("the history is not valid JSON: {0}")]
    Json(#[from] JsonError),
    /// JSON, but not a history.
    #[error("the file is not a chat history: it has no `branches`, it looks like {kind}")]
    NotAHistory {
        /// What it looks like.
        kind: Kind,
    },
    /// No branch has a turn with a page that can be read.
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
    /// Reads a value. Ids that are not UUIDs count within `mark` only (a chat's uid, a file name),
    /// so that two histories which both begin with `msg_1` do not share it.
    pub fn from_value(value: &Value, mark: &str) -> Result<ChatHistory, ChatHistoryError> {
        let not_a_history = || ChatHistoryError::NotAHistory { kind: Kind::of(value) };
        let value = &unwrapped(value)?;
        let named = value.get("branches").and_then(Value::as_object).ok_or_else(not_a_history)?;
        let mut notes = Notes::default();
        let mut drafts: Vec<(String, Vec<Draft>)> = Vec::new();
        for (name, turns) in named.iter() {
            drafts.push((name.to_string(), read_turns(name, turns, &mut notes)));
        }
        if drafts.iter().all(|(_, turns)| turns.is_empty()) {
            return Err(ChatHistoryError::NoMessage);
        }
        let ids = Ids::of(mark, drafts.iter().map(|(_, turns)| found(turns)));
        let active = active_branch(value, &drafts, &mut notes);
        let branches = drafts.into_iter().enumerate().map(|(index, (name, drafts))| {
            let turns = with_ids(&name, drafts, &ids, &mut notes);
            HistoryBranch { name, active: index == active, turns }
        });
        Ok(ChatHistory { branches: branches.collect(), remarks: notes.remarks })
    }
}

/// Tells whether the header of a host's chat holds a history of its own among the variables.
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

/// Takes off what a host wraps around it; variables may hold JSON as text.
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
struct Draft {
    index: usize,
    role: HistoryRole,
    active: usize,
    pages: Vec<(Found, DraftPage)>,
}

struct DraftPage {
    time: Option<i64>,
    valid: bool,
    text: String,
}

fn found(turns: &[Draft]) -> impl Iterator<Item = &Found> {
    turns.iter().flat_map(|turn| turn.pages.iter().map(|(found, _)| found))
}

#[derive(Default)]
struct Notes {
    remarks: Vec<Remark>,
}

/// How many remarks are kept; a broken file has as many as it has turns.
const MAX_REMARKS: usize = 200;

impl Notes {
    fn warn(&mut self, branch: &str, turn: Option<usize>, code: &str, zh: &str, en: &str) {
        if self.remarks.len() < MAX_REMARKS {
            let place = Place::Turn { branch: branch.to_owned(), turn };
            self.remarks.push(place.remark(Diagnostic::warning(code, 0..0, zh, en)));
        }
    }
}

/// Entries of an object with numbers as keys, or of a list, in order of the numbers; gaps are fine.
fn numbered(value: &Value) -> (Vec<(usize, &Value)>, usize) {
    if let Some(items) = value.as_list() {
        return (items.iter().enumerate().filter(|(_, item)| **item != Value::Null).collect(), 0);
    }
    let Some(object) = value.as_object() else { return (Vec::new(), 1) };
    let entries: Vec<_> = object.iter().filter_map(|(key, value)| Some((array_index(key)? as usize, value))).collect();
    let others = object.len() - entries.len();
    (entries, others)
}

fn read_turns(branch: &str, turns: &Value, notes: &mut Notes) -> Vec<Draft> {
    let (entries, others) = numbered(turns);
    if others > 0 {
        let (zh, en) = ("有的回合不以数字为键，已略去。", "turns whose key is not a number were left out");
        notes.warn(branch, None, "W-HISTORY-KEY", zh, en);
    }
    let mut drafts = Vec::with_capacity(entries.len());
    for (index, turn) in entries {
        match read_turn(branch, index, turn, notes) {
            Some(draft) => drafts.push(draft),
            None => {
                let (zh, en) =
                    ("这个回合没有可读的消息页，已略去。", "this turn has no page that can be read and was left out");
                notes.warn(branch, Some(index), "W-HISTORY-TURN", zh, en);
            }
        }
    }
    drafts
}

fn read_turn(branch: &str, index: usize, turn: &Value, notes: &mut Notes) -> Option<Draft> {
    // A turn that is itself a page has one.
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
        notes.warn(branch, Some(index), "W-HISTORY-PAGE", zh, en);
    }
    let wanted = turn.get("activePageIndex").and_then(Value::as_number).and_then(|wanted| wanted.as_index());
    // Where the page that was read is gone, the one before it is read.
    let active = readable.iter().rposition(|(page, ..)| *page <= wanted.unwrap_or(0)).unwrap_or(0);
    if readable[active].0 != wanted.unwrap_or(0) {
        let (zh, en) =
            ("激活的消息页不存在，改读它前面的一页。", "the active page does not exist; the one before it is read");
        notes.warn(branch, Some(index), "W-HISTORY-ACTIVE", zh, en);
    }
    let role_of = |value: &Value| value.get("role").and_then(Value::as_text).and_then(HistoryRole::from_word);
    let own = role_of(readable[active].1);
    let role = own.filter(|role| *role == HistoryRole::Summary).or(role_of(turn)).or(own);
    let pages = readable.iter().map(|(page, value, content)| read_page((index, *page), value, content)).collect();
    Some(Draft { index, role: role.unwrap_or(HistoryRole::Assistant), active, pages })
}

fn read_page(place: (usize, usize), page: &Value, content: &str) -> (Found, DraftPage) {
    let text = text::canonical(content).into_owned();
    let id = page.get("id").and_then(Value::as_text).filter(|id| !id.is_empty()).map(str::to_owned);
    let found = Found { id, place, text: text::hash(&text) };
    let time = page.get("timestamp").and_then(send_date::read);
    let valid = page.get("isValid").and_then(Value::as_bool).unwrap_or(true);
    (found, DraftPage { time, valid, text })
}

fn active_branch(history: &Value, drafts: &[(String, Vec<Draft>)], notes: &mut Notes) -> usize {
    let place = |wanted: &str| drafts.iter().position(|(name, turns)| name == wanted && !turns.is_empty());
    let wanted = history.get("activeBranch").and_then(Value::as_text).unwrap_or("main");
    if let Some(active) = place(wanted) {
        return active;
    }
    let (zh, en) =
        ("激活的分支不存在或没有消息，改读另一个。", "the active branch is missing or empty; another one is read");
    notes.warn(wanted, None, "W-HISTORY-BRANCH", zh, en);
    let first = drafts.iter().position(|(_, turns)| !turns.is_empty());
    place("main").or(first).unwrap_or(0)
}

fn with_ids(branch: &str, drafts: Vec<Draft>, ids: &Ids, notes: &mut Notes) -> Vec<HistoryTurn> {
    let mut path = ids.path();
    let mut turns = Vec::with_capacity(drafts.len());
    for Draft { index, role, active, pages } in drafts {
        let mut read = Vec::with_capacity(pages.len());
        for (found, DraftPage { time, valid, text }) in pages {
            let (page, own) = path.id(&found);
            if !own {
                let (zh, en) = (
                    "这里的标识符已属于同一分支的另一页，已换新的。",
                    "the id stands twice in this branch; the page here got another",
                );
                notes.warn(branch, Some(index), "W-HISTORY-ID", zh, en);
            }
            read.push(HistoryPage { page, text, time, valid });
        }
        turns.push(HistoryTurn { role, active, pages: read });
    }
    turns
}

#[cfg(test)]
mod tests;
