//! Imports one chat in one transaction: it becomes a new branch, or updates the branch that it already
//! is.

use std::sync::Arc;

use storeyline_compat::{HostMessage, Initial, Row, chat_history};
use storeyline_history::node::put_path;
use storeyline_history::path_states::fill_states;
use storeyline_history::{Choices, NodeKey, NodeTable};
use storeyline_state::{ChatId, StoryId, Value, Words};
use storeyline_store::{Detail, Draft, HostBinding, OperationKind, Ref, RefKey, RefKind, Story, View};
use storeyline_wire::import::ImportedRef;
use storeyline_wire::sync::{Names, Notice};

use super::align::Relation;
use super::beginning::Character;
use super::ids::{begins_like, keep_ids};
use super::stored::{Stored, take_stored};
use crate::branch::{Note, find_story, record, record_change, turns_to};
use crate::chats::{create_story, make_current, new_ref, remember_file};
use crate::declared::{Declared, Messages, RowContext, read_rows};
use crate::error::{EngineError, Result};
use crate::shown;
use crate::sync::{is_version_of, move_branch, page_diagnostics, reconcile};

/// A chat that was parsed and is to be stored.
#[derive(Clone)]
pub(super) struct ChatToRead<'a> {
    /// The chat and its file; `reported` is not used.
    pub(super) host: HostBinding,
    pub(super) character: Character<'a>,
    /// The chat it was branched from.
    pub(super) parent: Option<ChatId>,
    /// The file it was branched from, as the host names it; used if `parent` is not known.
    pub(super) main_chat: Option<&'a str>,
    /// The title of a new story.
    pub(super) title: &'a str,
    /// The story of a new branch.
    pub(super) into: Option<StoryId>,
    pub(super) rows: Vec<Row>,
    pub(super) messages: Arc<[HostMessage]>,
    pub(super) header: Option<&'a Value>,
    pub(super) names: Names,
}

/// The client in the log.
const CLIENT: &str = "import";

/// Imports a chat into its branch; returns the rows with their final ids too.
pub(super) fn read_chat(
    tx: &mut Draft<'_>,
    mut chat: ChatToRead<'_>,
    stored: &Stored<'_>,
) -> Result<(ImportedRef, Vec<Row>)> {
    chat.host.chat = own_chat(tx, &chat)?;
    let ImportTarget { story, branch, parent, initial } = find_target(tx, &chat)?;
    let is_new = branch.key == RefKey::NEW;
    let (relation, node) = match &parent {
        Some(parent) if is_new => (Relation::Branches, parent.head),
        _ => (Relation::Versions, reported(&branch).or(branch.head)),
    };
    let rows = std::mem::take(&mut chat.rows);
    let rows = keep_ids(tx, &story, &turns_to(tx, node)?, relation, rows, &chat.messages)?;
    let pages = rows.iter().map(|row| row.pages.len()).sum();
    let new_pages = count_new(tx, &story, &rows)?;
    let floors = rows.len();
    let messages = Messages::of_rows(&rows, chat.messages.clone());
    // A new branch takes the versions of its pages from the branch it was branched from.
    let versions = parent.as_ref().filter(|_| is_new).unwrap_or(&branch);
    let context = RowContext { story: &story, branch: versions, first: 0 };
    let Declared::Turns(mut turns) = read_rows(tx, &context, &rows, &messages, &chat.names)? else {
        unreachable!("every row of a file has its message")
    };
    let (stored, compared) = take_stored(tx, &story, &mut turns, &messages, stored)?;
    let shown = put_path(tx, story.root, &turns)?;
    let walked = fill_states(tx, shown)?;
    let mut evaluated = walked.evaluated;
    if !compared.is_empty() {
        let path = tx.path_below(shown, 0)?;
        evaluated.extend(compared.iter().map(|floor| path[*floor].key));
        evaluated.sort_by_key(|node| node.0);
        evaluated.dedup();
    }
    let (branch, mut notices) = match is_new {
        true => (new_branch(tx, story, branch, &chat, shown)?, Vec::new()),
        false => merge_file(tx, &story, branch, shown)?,
    };
    notices.extend(chat.header.filter(|header| chat_history::is_inside(header)).map(|_| history_inside()));
    let branch = keep_header(tx, branch, chat.header)?;
    let imported = ImportedRef {
        story: branch.story,
        branch: branch.id,
        file: chat.host.file.clone(),
        pages,
        new_pages,
        floors,
        evaluated: evaluated.len(),
        initial: initial.as_ref().map(shown::initial),
        stored,
        diagnostics: page_diagnostics(tx, &evaluated)?,
        notices,
    };
    Ok((imported, rows))
}

/// Returns the id of a chat. A file that carries the id of a branch but has other texts is a chat of its own, whose id
/// follows from that one and from its first text.
fn own_chat(tx: &View<'_>, chat: &ChatToRead<'_>) -> Result<ChatId> {
    let Some(known) = tx.ref_of_chat(chat.host.chat)? else { return Ok(chat.host.chat) };
    let texts = |row: &Row| row.pages.iter().map(|(_, text)| *text).collect::<Vec<_>>();
    let floors: Vec<_> = chat.rows.iter().map(texts).collect();
    let Some(first) = floors.first() else { return Ok(chat.host.chat) };
    Ok(match is_version_of(tx, &known, &floors)? {
        true => chat.host.chat,
        false => ChatId::from_name(chat.host.chat.uuid(), format!("{first:?}").as_bytes()),
    })
}

/// Where a chat is imported to.
struct ImportTarget {
    story: Story,
    /// Not stored yet if its key is [`RefKey::NEW`].
    branch: Ref,
    parent: Option<Ref>,
    initial: Option<Initial>,
}

fn find_target(tx: &mut Draft<'_>, chat: &ChatToRead<'_>) -> Result<ImportTarget> {
    if let Some(known) = tx.ref_of_chat(chat.host.chat)? {
        if chat.into.is_some_and(|into| into != known.story) {
            return Err(EngineError::ChatElsewhere { chat: chat.host.chat, story: known.story });
        }
        let branch = reopen(tx, chat, known)?;
        return Ok(ImportTarget { story: find_story(tx, branch.story)?, branch, parent: None, initial: None });
    }
    let mut parent = chat.parent.map_or(Ok(None), |parent| tx.ref_of_chat(parent))?;
    if parent.is_none() {
        parent = chat.main_chat.map_or(Ok(None), |name| by_file_name(tx, name, &chat.messages))?;
    }
    let (story, initial) = match (chat.into, &parent) {
        (Some(into), _) => (find_story(tx, into)?, None),
        (None, Some(parent)) => (find_story(tx, parent.story)?, None),
        (None, None) => {
            let initial = chat.character.begin(tx, &chat.messages, &chat.names)?;
            let story = create_story(tx, chat.title, &chat.host.file_owner, &initial.rules(), &Choices::default())?;
            (story, Some(initial))
        }
    };
    let parent = parent.filter(|parent| parent.story_key == story.key);
    let branch = new_ref(&story, RefKind::Branch, &chat.host.file, parent.as_ref().map(|parent| parent.key));
    Ok(ImportTarget { story, branch, parent, initial })
}

/// Updates the file name of a known chat and restores its branch from the trash.
fn reopen(tx: &mut Draft<'_>, chat: &ChatToRead<'_>, known: Ref) -> Result<Ref> {
    let mut branch = remember_file(tx, known, &chat.host)?;
    if branch.trashed.take().is_some() {
        record_change(tx, &mut branch, Note::new(OperationKind::Restore, CLIENT))?;
    }
    Ok(branch)
}

/// Finds the branch of the file that a chat says it was branched from. A name alone proves little: both
/// must begin with the same messages.
fn by_file_name(tx: &View<'_>, name: &str, messages: &[HostMessage]) -> Result<Option<Ref>> {
    for story in tx.stories()? {
        for found in tx.refs(story.key)? {
            let named = found.host.as_ref().is_some_and(|host| host.file == name) && found.trashed.is_none();
            if named && begins_like(tx, &turns_to(tx, found.head)?, messages)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

fn count_new(tx: &View<'_>, story: &Story, rows: &[Row]) -> Result<usize> {
    let pages = rows.iter().flat_map(|row| &row.pages);
    pages.map(|(page, _)| Ok(usize::from(tx.newest_page(story.key, *page)?.is_none()))).sum()
}

/// Creates the branch at its final node, so that undo of the import moves it to the trash.
fn new_branch(tx: &mut Draft<'_>, story: Story, mut branch: Ref, chat: &ChatToRead<'_>, shown: NodeKey) -> Result<Ref> {
    branch.head = Some(shown);
    branch.host = Some(HostBinding { reported: Some(shown), ..chat.host.clone() });
    let note = Note::new(OperationKind::CreateBranch, CLIENT).with(Detail::File(chat.host.file.clone()));
    record(tx, &mut branch, None, note)?;
    make_current(tx, story, &branch);
    Ok(branch)
}

/// Merges the file into the branch, with the last reported path as base: later changes made here stay.
fn merge_file(tx: &mut Draft<'_>, story: &Story, branch: Ref, shown: NodeKey) -> Result<(Ref, Vec<Notice>)> {
    let base = reported(&branch);
    let target = reconcile(tx, story, &branch, base, shown)?;
    let note = Note::new(OperationKind::Import, CLIENT);
    let (branch, mut notices) = move_branch(tx, story, branch, target, shown, note)?;
    if branch.head != Some(shown) {
        notices.push(ahead());
    }
    Ok((branch, notices))
}

fn reported(branch: &Ref) -> Option<NodeKey> {
    branch.host.as_ref().and_then(|host| host.reported)
}

fn ahead() -> Notice {
    let message = Words::new(
        "这个分支在 Storeyline 里改过，这些改动保留着，文件里没有。",
        "The branch was changed in Storeyline; these changes are kept, the file does not have them.",
    );
    Notice { code: "ahead".to_owned(), message }
}

/// The variables of a chat may contain the history of another tool.
fn history_inside() -> Notice {
    Notice {
        code: "history".to_owned(),
        message: Words::new(
            "这个聊天的变量里还有另一个工具的对话历史（plugin_storage.llm_history），没有导入。要导入它，请把文件第一行的 chat_metadata.variables 另存为 history.json，再运行 `storeyline import history.json`。",
            "The variables of this chat hold the history of another tool (plugin_storage.llm_history), which was not imported. To import it, save chat_metadata.variables of the first line as history.json and run `storeyline import history.json`.",
        ),
    }
}

fn keep_header(tx: &mut Draft<'_>, mut branch: Ref, header: Option<&Value>) -> Result<Ref> {
    let Some(header) = header else { return Ok(branch) };
    let (key, _) = tx.put_value(header)?;
    if branch.header != Some(key) {
        branch.header = Some(key);
        tx.save_ref(&mut branch)?;
    }
    Ok(branch)
}
