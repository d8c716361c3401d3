//! Imports files of other programs as branches, or updates the branches that they already are.
//!
//! In: chat files of the host, one or a whole folder; histories; databases with stored states. Out:
//! branches whose pages keep their ids, and a report. Existing rows never change: a branch moves, and
//! the move can be undone.

mod align;
mod beginning;
mod ids;

mod stored;
mod varsystem;

mod chat;
mod folder;
mod history;

use storeyline_compat::{Card, ChatFile, Identity, WorldBook, bind};
use storeyline_state::StoryId;
use storeyline_store::Owner;
use storeyline_wire::import::ImportedRef;

pub(crate) use self::beginning::beginning;
use self::beginning::host_of;
use self::chat::{ChatToRead, read_chat};
pub use self::folder::FolderRequest;
pub use self::history::is_history;
pub use self::stored::Stored;
pub use self::varsystem::VarSystemStates;
use crate::engine::Engine;
use crate::error::Result;

/// A chat file or a history to be imported.
#[derive(Debug, Clone)]
pub struct ImportRequest {
    pub text: String,
    /// Without extension.
    pub file: String,
    /// The title of a new story.
    pub title: String,
    pub card: Option<Card>,
    pub world_books: Vec<WorldBook>,
    /// Import into this story.
    pub into: Option<StoryId>,
    /// Whether functions of the card may run that the owner has not decided about: said by the user at a terminal,
    /// never by a request.
    pub allow_functions: bool,
}

impl Engine {
    /// Imports a chat file into its branch. Importing it again changes nothing.
    pub fn import(&self, owner: &Owner, request: &ImportRequest) -> Result<ImportedRef> {
        self.import_with(owner, request, &Stored::default())
    }

    /// Imports a chat file into its branch, with states that other tools stored.
    pub fn import_with(&self, owner: &Owner, request: &ImportRequest, stored: &Stored<'_>) -> Result<ImportedRef> {
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
        // The raw messages are not needed once they are parsed.
        file.messages = Vec::new();
        self.change(owner, |tx| Ok(read_chat(tx, chat.clone(), stored)?.0))
    }
}
