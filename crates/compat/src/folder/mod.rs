//! A whole folder of chat files: which of them are one story, and which pages they share.
//!
//! In: the files of one character or group, each with its name. Out: stories; in each the chats
//! with their parents, and rows in which a page that occurs in several files has one id. The result
//! depends on the files alone, not on their order: the same folder gives the same ids again, and
//! the root chat of a story has the same ids as when it is read alone.
//!
//! 1. `family`: what the files state. Our record, the host's `main_chat`, equal marks.
//! 2. `kinship`: files that show the same pages belong together too. A greeting alone is no evidence,
//!    unless it was written at the same time: every chat with a card begins with it.
//! 3. `pages`: one id per page. Ids in the files come first, then equal dates, then equal texts.
//!
//! Limit: without our ids, a renamed branch cannot be told from branches that were cut from it
//! before, because these still name it by its old name. Then the dates decide which of them is the
//! parent.

mod family;
mod kinship;
mod pages;
mod seen;

use std::collections::HashMap;

use storeyline_state::{ChatId, PageId};

use crate::binding::Row;
use crate::chat_file::ChatFile;
use family::Family;
use seen::Seen;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryFiles {
    /// Parents before children; never empty.
    pub chats: Vec<FolderChat>,
}

/// One file as a chat of its story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderChat {
    /// Index in the input.
    pub file: usize,
    /// Unique among the files.
    pub chat: ChatId,
    pub parent: Option<Parent>,
    /// Its floors, each page with its id.
    pub rows: Vec<Row>,
}

/// The chat that another was branched or copied from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parent {
    pub chat: ChatId,
    /// Index of its file, if that is in the folder.
    pub file: Option<usize>,
    pub known_by: KnownBy,
    /// Number of floors, from the first, with the same active pages in both.
    pub shared: usize,
}

/// How a parent was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBy {
    /// `chat_metadata.storeyline`.
    Record,
    /// `chat_metadata.main_chat`.
    MainChat,
    /// Both carry the same mark: one file is a copy of the other.
    SameMark,
    /// They begin with the same pages.
    SharedPages,
}

/// Reads the files of a folder, each with its name.
pub fn read_folder(files: &[(String, ChatFile)]) -> Vec<StoryFiles> {
    let family = Family::of(files);
    let mut seen: Vec<Seen<'_>> =
        files.iter().zip(&family.chats).map(|((_, file), chat)| Seen::new(*chat, &file.read)).collect();
    let groups = kinship::groups(&family, &seen);
    pages::share(&mut seen, &groups);
    let parents = parents(&family, &seen, &groups);
    let chat_of = |file: usize| FolderChat {
        file,
        chat: family.chats[file],
        parent: parents[file],
        rows: seen[file].rows.clone(),
    };
    groups.iter().map(|group| StoryFiles { chats: group.iter().map(|file| chat_of(*file)).collect() }).collect()
}

/// Returns the parents that files name, and for the others the chat that begins with the same
/// pages.
fn parents(family: &Family, seen: &[Seen<'_>], groups: &[Vec<usize>]) -> Vec<Option<Parent>> {
    let mut files: Vec<Option<(usize, KnownBy)>> = family.parents.clone();
    for group in groups {
        let mut begun = Beginnings::default();
        for &file in group {
            let Some((found, _)) = begun.add(file, seen[file].read_pages()) else { continue };
            if files[file].is_none() && !family::descends(&files, found, file) {
                files[file] = Some((found, KnownBy::SharedPages));
            }
        }
    }
    let parent = |file: usize, named: Option<(usize, KnownBy)>| match named {
        Some((parent, known_by)) => {
            let pairs = seen[file].read_pages().zip(seen[parent].read_pages());
            let shared = pairs.take_while(|(own, other)| own == other).count();
            Some(Parent { chat: family.chats[parent], file: Some(parent), known_by, shared })
        }
        // The record may name a chat whose file is gone; the engine may know it.
        None => family.identities[file].parent.filter(|chat| *chat != family.chats[file]).map(|chat| Parent {
            chat,
            file: None,
            known_by: KnownBy::Record,
            shared: 0,
        }),
    };
    files.into_iter().enumerate().map(|(file, named)| parent(file, named)).collect()
}

/// A trie of the active pages of chats, each with the first file that reached it.
#[derive(Default)]
struct Beginnings {
    nodes: HashMap<(usize, PageId), (usize, usize)>,
}

impl Beginnings {
    /// Adds a chat. Returns the file with the longest common prefix, and its length.
    fn add(&mut self, file: usize, pages: impl Iterator<Item = PageId>) -> Option<(usize, usize)> {
        let (mut at, mut found) = (0, None);
        for (floor, page) in pages.enumerate() {
            let new = (self.nodes.len() + 1, file);
            let (node, first) = *self.nodes.entry((at, page)).or_insert(new);
            if first != file {
                found = Some((first, floor + 1));
            }
            at = node;
        }
        found
    }
}

#[cfg(test)]
mod tests;
