//! Imports the history of another tool (seed 003): one story, with one branch per branch of the
//! history.
//!
//! A history has no id of its own; it is recognised by its first page.

use storeyline_compat::chat_history::{HistoryBranch, HistoryTurn};
use storeyline_compat::host_message::{HostPage, plain_fields};
use storeyline_compat::{ChatHistory, ChatHistoryError, HostMessage, Row, bind};
use storeyline_state::json;
use storeyline_state::{ChatId, PageId, RefId, Value, text};
use storeyline_store::Owner;
use storeyline_wire::import::Imported;
use storeyline_wire::sync::Names;
use uuid::Uuid;

use super::beginning::host_of;
use super::chat::{ChatToRead, read_chat};
use super::folder::add;
use super::{ImportRequest, Stored};
use crate::engine::Engine;
use crate::error::Result;

/// Namespace of the ids of branches of histories.
const BRANCH_NAMESPACE: Uuid = Uuid::from_u128(0x5b7f3c1a_2d94_5e60_9f38_c0a6d1e4b275);

/// Tells from its content whether a file is a history.
pub fn is_history(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // A chat file is not one JSON value, so parsing fails after its first line.
    let Ok(value) = json::read(text) else { return false };
    let has = |key: &str| matches!(value.get(key), Some(Value::Object(_) | Value::Text(_)));
    ["branches", "llm_history", "plugin_storage"].into_iter().any(has) && value.get("mes").is_none()
}

impl Engine {
    /// Imports a history; its active branch becomes the current branch. Importing it again changes
    /// nothing.
    pub fn import_history(&self, owner: &Owner, request: &ImportRequest) -> Result<Imported> {
        let (mark, history) = read(&request.text)?;
        let mut answer = Imported::default();
        let mut into = request.into;
        let mut active: Option<RefId> = None;
        let mut earlier: Vec<(ChatId, Vec<PageId>)> = Vec::new();
        for branch in history.branches.iter().filter(|branch| !branch.turns.is_empty()) {
            let chat = ChatId::from_name(BRANCH_NAMESPACE, format!("{mark}\n{}", branch.name).as_bytes());
            let read_pages: Vec<PageId> = branch.turns.iter().map(|turn| turn.pages[turn.active].page).collect();
            let parent = nearest(&earlier, &read_pages);
            let (rows, messages) = host_chat(request, branch);
            let read = ChatToRead {
                host: host_of(chat, &branch.name, &Value::Null),
                character: request.character(),
                parent,
                main_chat: None,
                title: &request.title,
                into,
                rows,
                messages: messages.into(),
                header: None,
                names: names(request),
            };
            let (imported, _) = self.change(owner, |tx| read_chat(tx, read.clone(), &Stored::default()))?;
            into = Some(imported.story);
            active = Some(imported.branch).filter(|_| branch.active).or(active);
            earlier.push((chat, read_pages));
            add(&mut answer, &branch.name, imported);
        }
        if let (Some(story), Some(active)) = (into, active)
            && self.current_branch(owner, story)? != Some(active)
        {
            self.switch_branch(owner, story, active, "import")?;
        }
        Ok(answer)
    }
}

/// Parses a history; its first page serves as its name.
fn read(text: &str) -> Result<(String, ChatHistory)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > storeyline_compat::MAX_FILE {
        return Err(ChatHistoryError::TooLarge.into());
    }
    let value: Value = json::read(text).map_err(ChatHistoryError::from)?;
    let unnamed = ChatHistory::from_value(&value, "")?;
    let first = unnamed.branches.iter().find_map(|branch| branch.turns.first()).map(|turn| &turn.pages[0]);
    let mark = first.map(|page| format!("{} {:?}", page.page, page.time)).unwrap_or_default();
    let history = ChatHistory::from_value(&value, &mark)?;
    Ok((mark, history))
}

/// A history contains no names, so the card's name is used.
fn names(request: &ImportRequest) -> Names {
    let character = request.card.as_ref().map(|card| card.name.clone()).unwrap_or_default();
    Names { user: String::new(), character }
}

/// The earlier branch that shares the most first pages.
fn nearest(earlier: &[(ChatId, Vec<PageId>)], pages: &[PageId]) -> Option<ChatId> {
    let shared = |other: &[PageId]| other.iter().zip(pages).take_while(|(other, own)| other == own).count();
    let counted = earlier.iter().rev().map(|(chat, other)| (shared(other), *chat)).filter(|(shared, _)| *shared > 0);
    counted.max_by_key(|(shared, _)| *shared).map(|(_, chat)| chat)
}

/// A branch as the rows and messages of a host chat.
fn host_chat(request: &ImportRequest, branch: &HistoryBranch) -> (Vec<Row>, Vec<HostMessage>) {
    let message = |turn: &HistoryTurn| {
        let role = turn.role.role();
        let name = match role {
            storeyline_history::Role::Assistant => names(request).character,
            _ => String::new(),
        };
        let pages = turn.pages.iter().map(|page| HostPage {
            text: page.text.clone(),
            hash: text::hash(&page.text),
            bound: Some((page.page, None)),
            time: page.time,
            valid: page.valid,
        });
        let fields = plain_fields(role, &name);
        HostMessage { role, name, hidden: false, active: turn.active, pages: pages.collect(), fields }
    };
    let messages: Vec<HostMessage> = branch.turns.iter().map(message).collect();
    // All pages have ids, so the chat id that would derive missing ones does not matter.
    let rows = bind(ChatId::from_name(BRANCH_NAMESPACE, b""), &messages);
    (rows, messages)
}
