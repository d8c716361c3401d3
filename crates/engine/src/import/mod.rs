//! Files of other programs become branches, or bring the branches they already are up to date.
//!
//! In: chat files of the host, one or a whole folder; histories; databases with stored states. Out:
//! branches whose pages keep their ids, and a report. What is in the store already is never changed:
//! a branch moves, and the move can be taken back.

mod align;
mod beginning;
mod ids;

mod stored;
mod varsystem;

mod chat;
mod folder;
mod history;

use storeyline_compat::{Card, ChatFile, Identity, Initial, WorldBook, bind};
use storeyline_state::{RefId, StoryId};
use storeyline_store::Owner;

pub(crate) use self::beginning::beginning;
use self::beginning::host_of;
use self::chat::{ChatToRead, read_chat};
pub use self::folder::{BrokenFile, FolderFile, FolderImported, FolderRequest, ImportedFile, ImportedStory};
pub use self::history::is_history;
pub use self::stored::{Stored, StoredReport};
pub use self::varsystem::VarSystemStates;
use crate::engine::Engine;
use crate::error::Result;
use crate::sync::{Notice, PageDiagnostic};

/// A file to be read.
#[derive(Debug, Clone)]
pub struct ImportRequest {
    pub text: String,
    /// Its name, without ending.
    pub file: String,
    /// The title of a new story.
    pub title: String,
    pub card: Option<Card>,
    /// World books that belong to it.
    pub world_books: Vec<WorldBook>,
    /// The story it belongs to, whatever the file says.
    pub into: Option<StoryId>,
    /// Whether functions that come with the card may run.
    pub allow_functions: bool,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Imported {
    pub story: StoryId,
    pub branch: RefId,
    /// How many pages the file has.
    pub pages: usize,
    /// How many of them were not known before.
    pub new_pages: usize,
    pub floors: usize,
    /// How many pages were evaluated.
    pub evaluated: usize,
    /// How the story began, if it was made now.
    pub initial: Option<Initial>,
    /// What became of states that other tools stored.
    pub stored: StoredReport,
    /// Remarks on pages that were evaluated now.
    pub diagnostics: Vec<PageDiagnostic>,
    pub notices: Vec<Notice>,
}

impl Engine {
    /// Reads a chat file into its branch. The same file again changes nothing.
    pub fn import(&self, owner: &Owner, request: &ImportRequest) -> Result<Imported> {
        self.import_with(owner, request, &Stored::default())
    }

    /// Reads a chat file into its branch, with states that other tools stored.
    pub fn import_with(&self, owner: &Owner, request: &ImportRequest, stored: &Stored<'_>) -> Result<Imported> {
        let mut file = ChatFile::read(&request.text)?;
        let identity = Identity::of(&file);
        let (metadata, character) = (file.metadata(), request.character());
        let chat = ChatToRead {
            host: host_of(identity.chat, &request.file, &metadata),
            character,
            parent: identity.parent,
            main_chat: identity.main_chat.as_deref(),
            title: &request.title,
            into: request.into,
            rows: bind(identity.chat, &file.read),
            names: character.names(&file.header, &file.read),
            messages: std::mem::take(&mut file.read).into(),
            header: Some(&file.header),
        };
        // Each message is there twice; what was taken apart is all that is needed.
        file.messages = Vec::new();
        self.change(owner, |tx| Ok(read_chat(tx, chat.clone(), stored)?.0))
    }
}
