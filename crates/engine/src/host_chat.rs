//! A chat of a host: who plays in it, which branch it shows, where its file is.
//!
//! A host has one file per branch. When another branch is to be read, the host opens that branch's
//! file, or writes one; when the user opens a file in the host, its branch is the one that is read.

use storeyline_compat::{Begun, Cast};
use storeyline_functions::Profile;
use storeyline_state::value::edit;
use storeyline_state::{ChatId, RefId, StoryId, Value};
use storeyline_store::{ChangeSeq, Draft, HostBinding, OperationKind, Owner, Ref, RefKind, Story, View};

use crate::branch::{Note, find_branch, find_story, record_change, turns_to};
use crate::chance::{new_id, now};
use crate::chats::{OpenChat, OpenedChat, open_chat};
use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::export::{header, host_messages};
use crate::log::find_logged;
use crate::object::object;
use crate::rules::renew;
use crate::sync::{Names, node_name};

/// A host chat that was opened.
#[derive(Debug, Clone)]
pub struct HostChat {
    /// Who it is.
    pub open: OpenChat,
    /// Who plays in it.
    pub cast: Option<Cast>,
    /// The cast can be told: a story that would begin without one is not made, the cast is asked for.
    pub ask_cast: bool,
    /// Whose names stand in its texts.
    pub names: Names,
    /// The last change of branch that this host carried out.
    pub handled: ChangeSeq,
    /// New pages follow what the cast says today.
    pub renew: bool,
}

/// What a host learns when it opens a chat.
#[derive(Debug, Clone, Default)]
pub struct HostOpened {
    /// The branch; nothing while the cast is missing.
    pub chat: Option<OpenedChat>,
    /// Whose conventions its story follows.
    pub profile: Option<Profile>,
    /// What the cast says, if it was told.
    pub begun: Option<Begun>,
    /// Another branch is to be shown.
    pub switch: Option<SwitchTo>,
}

/// Another branch is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchTo {
    /// The operation that says so.
    pub operation: ChangeSeq,
    pub story: StoryId,
    pub branch: RefId,
    pub name: String,
    /// Its file, if it has one, and the card or group that this belongs to.
    pub file: Option<(String, String)>,
}

/// A branch as a new file of a host.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// The chat that the file is.
    pub chat: ChatId,
    /// Its first line.
    pub header: Value,
    pub messages: Vec<Value>,
}

/// Writes down who changed a branch.
const CLIENT: &str = "host";

impl Engine {
    /// A host opened a chat. The same again changes nothing.
    pub fn open_host_chat(&self, owner: &Owner, request: &HostChat) -> Result<HostOpened> {
        self.change(owner, |tx| {
            let known = tx.ref_of_chat(request.open.chat)?;
            if let Some(branch) = &known {
                if let Some(switch) = pending_switch(tx, branch, request.handled)? {
                    return Ok(HostOpened { switch: Some(switch), ..HostOpened::default() });
                }
                bring_back(tx, branch)?;
            }
            let parent = request.open.parent.map(|parent| tx.ref_of_chat(parent)).transpose()?.flatten();
            let begins = known.is_none() && parent.is_none() && request.open.into.is_none();
            if begins && request.cast.is_none() && request.ask_cast {
                return Ok(HostOpened::default());
            }
            let begun = request.cast.as_ref().map(|cast| cast.begin(&request.names.known()));
            let mut open = request.open.clone();
            if let Some(begun) = &begun {
                open.rules = begun.initial.rules();
            }
            let opened = open_chat(tx, &open, CLIENT)?;
            read_it(tx, &opened)?;
            if request.renew && !begins && begun.is_some() {
                renew(tx, &find_story(tx, opened.story)?, &open.rules, CLIENT)?;
            }
            let profile = tx.rules(find_story(tx, opened.story)?.rules)?.profile;
            Ok(HostOpened { chat: Some(opened), profile: Some(profile), begun, switch: None })
        })
    }

    /// Makes a host file of a branch that has none; the caller writes it.
    pub fn file_of_branch(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        file: &str,
        file_owner: &str,
    ) -> Result<NewFile> {
        self.change(owner, |tx| {
            let mut branch = find_branch(tx, story, branch)?;
            if branch.kind == RefKind::Tag {
                return Err(EngineError::IsTag(branch.id));
            }
            let integrity = new_id();
            let chat = storeyline_compat::chat_uid(&object([("integrity", Value::text(&integrity))]), "");
            let (file, file_owner) = (file.to_owned(), file_owner.to_owned());
            branch.host = Some(HostBinding { chat, file, file_owner, reported: branch.head });
            tx.save_ref(&mut branch);
            let header = file_header(tx, &branch, chat, &integrity)?;
            let messages = host_messages(tx, &turns_to(tx, branch.head)?)?;
            Ok(NewFile { chat, header, messages })
        })
    }

    /// The host deleted a file, or (nothing named) all files of a card or group: their branches go to
    /// the trash, from where an opened file brings them back. Returns how many.
    pub fn forget_files(&self, owner: &Owner, file_owner: &str, file: Option<&str>) -> Result<usize> {
        self.change(owner, |tx| {
            let mut forgotten = 0;
            for story in tx.stories()? {
                let is_meant = |branch: &Ref| {
                    let host = branch.host.as_ref().filter(|host| host.file_owner == file_owner);
                    host.is_some_and(|host| file.is_none_or(|file| host.file == file)) && branch.trashed.is_none()
                };
                for mut branch in tx.refs(story.key)?.into_iter().filter(is_meant) {
                    leave(tx, &branch)?;
                    branch.trashed = Some(now());
                    record_change(tx, &mut branch, Note::new(OperationKind::Trash, CLIENT));
                    forgotten += 1;
                }
            }
            Ok(forgotten)
        })
    }
}

/// Another branch of the story is read, if there is one; the last one stays the one that is read.
fn leave(tx: &mut Draft<'_>, branch: &Ref) -> Result<()> {
    let story = find_story(tx, branch.story)?;
    if story.current != Some(branch.key) {
        return Ok(());
    }
    let is_next = |other: &Ref| other.kind == RefKind::Branch && other.trashed.is_none() && other.key != branch.key;
    if let Some(next) = tx.refs(story.key)?.into_iter().find(is_next) {
        tx.save_story(&Story { current: Some(next.key), ..story });
    }
    Ok(())
}

/// A change of branch that the host has not carried out yet.
fn pending_switch(tx: &View<'_>, shown: &Ref, handled: ChangeSeq) -> Result<Option<SwitchTo>> {
    let story = find_story(tx, shown.story)?;
    let Some(current) = story.current.filter(|current| *current != shown.key) else { return Ok(None) };
    let Some(target) = tx.ref_by_key(current)?.filter(|target| target.trashed.is_none()) else { return Ok(None) };
    let switched = last_operation(tx, &target, OperationKind::Switch)?;
    // Whoever throws a branch away reads the one it came from.
    let thrown = shown.trashed.and(last_operation(tx, shown, OperationKind::Trash)?);
    let Some(operation) = switched.max(thrown).filter(|operation| *operation > handled) else { return Ok(None) };
    Ok(Some(SwitchTo {
        operation,
        story: story.id,
        branch: target.id,
        name: target.name,
        file: target.host.map(|host| (host.file, host.file_owner)),
    }))
}

fn last_operation(tx: &View<'_>, of: &Ref, kind: OperationKind) -> Result<Option<ChangeSeq>> {
    let found = find_logged(tx, of, |operation, _| operation.kind == kind)?;
    Ok(found.map(|operation| operation.seq))
}

/// A file that is opened again is wanted again.
fn bring_back(tx: &mut Draft<'_>, branch: &Ref) -> Result<()> {
    if branch.trashed.is_some() {
        let mut branch = Ref { trashed: None, ..branch.clone() };
        record_change(tx, &mut branch, Note::new(OperationKind::Restore, CLIENT));
    }
    Ok(())
}

/// What the host shows is what is read. Nobody would want to undo that, so it is not written down.
fn read_it(tx: &mut Draft<'_>, opened: &OpenedChat) -> Result<()> {
    let branch = find_branch(tx, opened.story, opened.branch)?;
    let story = find_story(tx, opened.story)?;
    if story.current != Some(branch.key) {
        tx.save_story(&Story { current: Some(branch.key), ..story });
    }
    Ok(())
}

/// The header of the branch's story, with a mark of its own so that the host takes it for another chat.
fn file_header(tx: &View<'_>, branch: &Ref, chat: ChatId, integrity: &str) -> Result<Value> {
    let mut header = header(tx, branch)?;
    let host = branch.host.as_ref().expect("it was bound just now");
    let base = node_name(tx, branch.head)?.map_or(Value::Null, |node| Value::text(node.to_string()));
    let old = header.get("chat_metadata").and_then(|metadata| metadata.get(storeyline_compat::KEY)).cloned();
    let mut record = old.unwrap_or_else(Value::empty_object);
    let entries = [
        ("story", Value::text(branch.story.to_string())),
        ("chat", Value::text(chat.to_string())),
        ("base", base),
        ("integrity", Value::text(integrity)),
        ("file", Value::text(&host.file)),
        ("owner", Value::text(&host.file_owner)),
    ];
    for (key, value) in entries {
        put(&mut record, key, value);
    }
    let mut metadata = header.get("chat_metadata").cloned().unwrap_or_else(Value::empty_object);
    put(&mut metadata, "integrity", Value::text(integrity));
    put(&mut metadata, storeyline_compat::KEY, record);
    put(&mut header, "chat_metadata", metadata);
    Ok(header)
}

fn put(value: &mut Value, key: &str, child: Value) {
    if let Value::Object(object) = value {
        edit(object).insert(key.into(), child);
    }
}
