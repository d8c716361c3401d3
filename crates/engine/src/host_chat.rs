//! Host chats and their branches: a host opens a chat, writes a file for a branch, or deletes files.
//!
//! A host has one file per branch. When the current branch changes, the host opens the file of that
//! branch or writes one; when the user opens a file in the host, its branch becomes the current one.

use std::collections::{HashMap, HashSet};

use storeyline_compat::Cast;
use storeyline_state::value::edit;
use storeyline_state::{ChatId, RefId, StoryId, Value};
use storeyline_store::{ChangeSeq, Draft, HostBinding, OperationKind, Owner, Ref, RefKind, Story, View};
use storeyline_wire::Cursor;
use storeyline_wire::chats::{ExistingFiles, NewHostFile, OpenedChat as Opened, SwitchTo, UnusedBranch};
use storeyline_wire::sync::Names;

use crate::branch::{Note, find_branch, find_story, length, record_change, turns_to};
use crate::chats::{OpenChat, OpenedChat, open_chat};
use crate::clock_and_random::{new_id, now};
use crate::consent::decided;
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::export::{header, host_messages};
use crate::log::find_logged;
use crate::object::object;
use crate::rules::renew;
use crate::shown::{self, cursor, seq_of};
use crate::sync::{known_names, node_name};

/// A host chat to be opened, with what the host knows about it.
#[derive(Debug, Clone)]
pub struct HostChat {
    pub open: OpenChat,
    /// The character or group, if the host sent it.
    pub cast: Option<Cast>,
    /// Whether the host can send the cast: then no story is created without one, and the answer asks
    /// for it.
    pub ask_cast: bool,
    pub names: Names,
    /// The last switch of branches that this host carried out.
    pub handled: Cursor,
    /// Whether the rules of the story follow what the cast says now.
    pub renew: bool,
}

/// The client in the log.
const CLIENT: &str = "host";

impl Engine {
    /// Opens a chat of a host. Repeating the request changes nothing.
    pub fn open_host_chat(&self, owner: &Owner, request: &HostChat) -> Result<Opened> {
        self.change(owner, |tx| {
            let known = tx.ref_of_chat(request.open.chat)?;
            if let Some(branch) = &known {
                if let Some(switch) = pending_switch(tx, branch, seq_of(request.handled))? {
                    return Ok(Opened { switch: Some(switch), ..unopened(false) });
                }
                restore_branch(tx, branch)?;
            }
            let parent = request.open.parent.map(|parent| tx.ref_of_chat(parent)).transpose()?.flatten();
            let begins = known.is_none() && parent.is_none() && request.open.into.is_none();
            if begins && request.cast.is_none() && request.ask_cast {
                return Ok(unopened(true));
            }
            let begin = |cast| Ok::<_, EngineError>(decided(tx, cast)?.begin(&known_names(&request.names)));
            let begun = request.cast.as_ref().map(begin).transpose()?;
            let mut open = request.open.clone();
            if let Some(begun) = &begun {
                open.rules = begun.initial.rules();
            }
            let opened = open_chat(tx, &open, CLIENT)?;
            make_opened_current(tx, &opened)?;
            if request.renew && !begins && begun.is_some() {
                renew(tx, &find_story(tx, opened.story)?, &open.rules, CLIENT)?;
            }
            let profile = tx.rules(find_story(tx, opened.story)?.rules)?.profile;
            Ok(Opened {
                story: Some(opened.story),
                branch: Some(opened.branch),
                node: opened.node,
                created: opened.created,
                profile: Some(profile.as_str().to_owned()),
                need_cast: false,
                switch: None,
                beginning: begun.as_ref().map(shown::beginning),
            })
        })
    }

    /// Binds a branch to a new host file and returns its content; the caller writes it.
    pub fn file_of_branch(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        file: &str,
        file_owner: &str,
    ) -> Result<NewHostFile> {
        self.change(owner, |tx| {
            let mut branch = find_branch(tx, story, branch)?;
            if branch.kind == RefKind::Tag {
                return Err(EngineError::IsTag(branch.id));
            }
            let integrity = new_id();
            let chat = storeyline_compat::chat_uid(&object([("integrity", Value::text(&integrity))]), "");
            let (file, file_owner) = (file.to_owned(), file_owner.to_owned());
            branch.host = Some(HostBinding { chat, file, file_owner, reported: branch.head });
            tx.save_ref(&mut branch)?;
            let header = file_header(tx, &branch, chat, &integrity)?;
            let messages = host_messages(tx, &turns_to(tx, branch.head)?)?;
            let messages = messages.into_iter().map(Into::into).collect();
            Ok(NewHostFile { chat, header: header.into(), messages })
        })
    }

    /// Moves the branches of a deleted file, or of all files of a card or group, to the trash; returns
    /// how many. Opening such a file restores its branch.
    pub fn forget_files(&self, owner: &Owner, file_owner: &str, file: Option<&str>) -> Result<usize> {
        self.change(owner, |tx| {
            let mut forgotten = 0;
            for story in tx.stories()? {
                let is_meant = |branch: &Ref| {
                    let host = branch.host.as_ref().filter(|host| host.file_owner == file_owner);
                    host.is_some_and(|host| file.is_none_or(|file| host.file == file)) && branch.trashed.is_none()
                };
                for mut branch in tx.refs(story.key)?.into_iter().filter(is_meant) {
                    switch_away(tx, &branch)?;
                    branch.trashed = Some(now());
                    record_change(tx, &mut branch, Note::new(OperationKind::Trash, CLIENT))?;
                    forgotten += 1;
                }
            }
            Ok(forgotten)
        })
    }
}

impl ReadEngine {
    /// Returns the branches whose files do not exist any more. Cards and groups that are not listed are left alone.
    pub fn unused_branches(&self, owner: &Owner, existing: &[ExistingFiles]) -> Result<Vec<UnusedBranch>> {
        self.read(owner, |tx| {
            let unused = unused(tx, existing)?;
            unused.into_iter().map(|(story, branch)| unused_branch(tx, story, branch)).collect()
        })
    }
}

impl Engine {
    /// Moves the branches whose files do not exist any more to the trash, from where they can be restored.
    pub fn trash_unused(&self, owner: &Owner, existing: &[ExistingFiles]) -> Result<Vec<UnusedBranch>> {
        self.change(owner, |tx| {
            let mut trashed = Vec::new();
            for (story, mut branch) in unused(tx, existing)? {
                switch_away(tx, &branch)?;
                branch.trashed = Some(now());
                record_change(tx, &mut branch, Note::new(OperationKind::Trash, CLIENT))?;
                trashed.push(unused_branch(tx, story, branch)?);
            }
            Ok(trashed)
        })
    }
}

fn unused(tx: &View<'_>, existing: &[ExistingFiles]) -> Result<Vec<(Story, Ref)>> {
    let files: HashMap<&str, HashSet<&str>> =
        existing.iter().map(|one| (one.owner.as_str(), one.files.iter().map(String::as_str).collect())).collect();
    let mut found = Vec::new();
    for story in tx.stories()? {
        for branch in tx.refs(story.key)? {
            let Some(host) = branch.host.as_ref().filter(|_| branch.trashed.is_none()) else { continue };
            let known = files.get(host.file_owner.as_str());
            if known.is_some_and(|files| !files.contains(host.file.as_str())) {
                found.push((story.clone(), branch));
            }
        }
    }
    Ok(found)
}

fn unused_branch(tx: &View<'_>, story: Story, branch: Ref) -> Result<UnusedBranch> {
    let (file, owner) = branch.host.map(|host| (host.file, host.file_owner)).unwrap_or_default();
    let floors = length(tx, branch.head)?;
    Ok(UnusedBranch { story: story.id, title: story.title, branch: branch.id, name: branch.name, file, owner, floors })
}

/// The answer to a host whose chat was not opened.
fn unopened(need_cast: bool) -> Opened {
    Opened {
        story: None,
        branch: None,
        node: None,
        created: false,
        profile: None,
        need_cast,
        switch: None,
        beginning: None,
    }
}

/// Switches the story from this branch to another one, if there is one.
fn switch_away(tx: &mut Draft<'_>, branch: &Ref) -> Result<()> {
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

/// A switch of branches that the host has not carried out yet.
fn pending_switch(tx: &View<'_>, shown: &Ref, handled: ChangeSeq) -> Result<Option<SwitchTo>> {
    let story = find_story(tx, shown.story)?;
    let Some(current) = story.current.filter(|current| *current != shown.key) else { return Ok(None) };
    let Some(target) = tx.ref_by_key(current)?.filter(|target| target.trashed.is_none()) else { return Ok(None) };
    let switched = last_operation(tx, &target, OperationKind::Switch)?;
    // Trashing the current branch switches to another one too.
    let thrown = shown.trashed.and(last_operation(tx, shown, OperationKind::Trash)?);
    let Some(operation) = switched.max(thrown).filter(|operation| *operation > handled) else { return Ok(None) };
    let (file, owner) = target.host.map(|host| (host.file, host.file_owner)).unzip();
    let (story, operation) = (story.id, cursor(operation));
    Ok(Some(SwitchTo { operation, story, branch: target.id, name: target.name, file, owner }))
}

fn last_operation(tx: &View<'_>, of: &Ref, kind: OperationKind) -> Result<Option<ChangeSeq>> {
    let found = find_logged(tx, of, |operation, _| operation.kind == kind)?;
    Ok(found.map(|operation| operation.seq))
}

/// Restores the branch of a file that is opened again.
fn restore_branch(tx: &mut Draft<'_>, branch: &Ref) -> Result<()> {
    if branch.trashed.is_some() {
        let mut branch = Ref { trashed: None, ..branch.clone() };
        record_change(tx, &mut branch, Note::new(OperationKind::Restore, CLIENT))?;
    }
    Ok(())
}

/// Makes the opened branch the current one. This is not logged, because nobody would undo it.
fn make_opened_current(tx: &mut Draft<'_>, opened: &OpenedChat) -> Result<()> {
    let branch = find_branch(tx, opened.story, opened.branch)?;
    let story = find_story(tx, opened.story)?;
    if story.current != Some(branch.key) {
        tx.save_story(&Story { current: Some(branch.key), ..story });
    }
    Ok(())
}

/// The header of the branch with an integrity mark of its own, so that the host treats it as another
/// chat.
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
