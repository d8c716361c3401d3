//! Imports a folder of chat files: one story per group of related files, one branch per file, shared
//! pages stored once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use storeyline_compat::folder::{FolderChat, StoryFiles};
use storeyline_compat::{Card, ChatFile, HostMessage, Row, WorldBook, read_folder};
use storeyline_state::{Explain, PageId, StoryId};
use storeyline_store::Owner;
use storeyline_wire::import::{Broken, ChatFile as FolderFile, Imported, ImportedRef, ImportedStory};

use super::Stored;
use super::beginning::{Character, host_of};
use super::chat::{ChatToRead, read_chat};
use super::ids::carries_id;
use crate::engine::Engine;
use crate::error::{EngineError, Result};

/// The chat files of one character or group.
#[derive(Debug, Clone, Default)]
pub struct FolderRequest {
    pub files: Vec<FolderFile>,
    /// The title of the story, if all files belong to one.
    pub title: String,
    pub card: Option<Card>,
    pub world_books: Vec<WorldBook>,
    /// Import all files into this story.
    pub into: Option<StoryId>,
    /// Whether functions of the card may run.
    pub allow_functions: bool,
}

/// Adds a branch to its story.
pub(super) fn add(answer: &mut Imported, file: &str, imported: ImportedRef) {
    let story = imported.story;
    let imported = ImportedRef { file: file.to_owned(), ..imported };
    match answer.stories.iter_mut().find(|known| known.story == story) {
        Some(known) => known.refs.push(imported),
        None => answer.stories.push(ImportedStory { story, refs: vec![imported] }),
    }
}

/// A file that could not be imported.
fn broken(file: String, error: &EngineError) -> Broken {
    Broken { file, message: error.explain().words }
}

impl Engine {
    /// Imports the chat files of a folder, each in its own transaction. A file that cannot be imported
    /// is reported as broken. `done` is called after every file.
    pub fn import_folder(
        &self,
        owner: &Owner,
        request: FolderRequest,
        stored: &Stored<'_>,
        mut done: impl FnMut(&str),
    ) -> Imported {
        let mut answer = Imported::default();
        let FolderRequest { files: given, title, card, world_books, into, allow_functions } = request;
        let mut files: Vec<(String, ChatFile)> = Vec::new();
        for FolderFile { name, text } in given {
            match ChatFile::read(&text) {
                // The raw messages are not needed once they are parsed.
                Ok(file) => files.push((name, ChatFile { messages: Vec::new(), ..file })),
                Err(error) => {
                    done(&name);
                    answer.broken.push(broken(name, &error.into()));
                }
            }
        }
        let character = Character { card: card.as_ref(), world_books: &world_books, allow_functions };
        let groups = read_folder(&files);
        let title = Some(title.as_str()).filter(|_| groups.len() == 1);
        for StoryFiles { chats } in groups {
            let story = |chat: &FolderChat| {
                let branch = self.read(owner, |tx| Ok(tx.ref_of_chat(chat.chat)?));
                branch.ok().flatten().map(|branch| branch.story)
            };
            let known = chats.iter().find_map(story);
            let mut group = Group { title, character, stored, known, into, ids: HashMap::new() };
            for chat in chats {
                let (name, file) = &mut files[chat.file];
                match self.import_one(owner, &mut group, name, file, chat) {
                    Ok(imported) => add(&mut answer, name, imported),
                    Err(error) => answer.broken.push(broken(name.clone(), &error)),
                }
                done(name);
            }
        }
        answer
    }

    fn import_one(
        &self,
        owner: &Owner,
        group: &mut Group<'_>,
        name: &str,
        file: &mut ChatFile,
        found: FolderChat,
    ) -> Result<ImportedRef> {
        let metadata = file.metadata();
        let messages: Arc<[HostMessage]> = std::mem::take(&mut file.read).into();
        let FolderChat { chat, parent, rows, .. } = found;
        let (rows, before) = group.translated(rows, &messages);
        let known = self.read(owner, |tx| Ok(tx.ref_of_chat(chat)?.is_some()))?;
        let read = ChatToRead {
            host: host_of(chat, name, &metadata),
            character: group.character,
            parent: parent.map(|parent| parent.chat),
            main_chat: None,
            title: group.title.unwrap_or(name),
            into: group.into.or(group.known.filter(|_| !known)),
            rows,
            names: group.character.names(&file.header, &messages),
            messages,
            header: Some(&file.header),
        };
        let (imported, after) = self.change(owner, |tx| read_chat(tx, read.clone(), group.stored))?;
        group.known.get_or_insert(imported.story);
        group.learn(&before, &after);
        Ok(imported)
    }
}

/// What the files of one story have in common.
struct Group<'a> {
    /// If all files are one story.
    title: Option<&'a str>,
    character: Character<'a>,
    stored: &'a Stored<'a>,
    known: Option<StoryId>,
    into: Option<StoryId>,
    /// Ids that follow from the files → ids that these pages have in the store.
    ids: HashMap<PageId, PageId>,
}

impl Group<'_> {
    /// Returns rows with the stored ids of pages that earlier files share, and the ids before this
    /// replacement.
    fn translated(&self, mut rows: Vec<Row>, messages: &[HostMessage]) -> (Vec<Row>, Vec<PageId>) {
        let before = all_ids(&rows);
        let mut used: HashSet<PageId> = before.iter().copied().collect();
        for (row, message) in rows.iter_mut().zip(messages) {
            for page in 0..row.pages.len() {
                let id = row.pages[page].0;
                let Some(known) = self.ids.get(&id).filter(|_| !carries_id(row, message, page)) else { continue };
                if *known == id || used.insert(*known) {
                    row.pages[page].0 = *known;
                }
            }
        }
        (rows, before)
    }

    fn learn(&mut self, before: &[PageId], after: &[Row]) {
        for (before, after) in before.iter().zip(all_ids(after)) {
            self.ids.entry(*before).or_insert(after);
        }
    }
}

fn all_ids(rows: &[Row]) -> Vec<PageId> {
    rows.iter().flat_map(|row| row.pages.iter().map(|(id, _)| *id)).collect()
}
