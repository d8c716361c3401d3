//! A host chat file becomes a branch, or brings the branch it already is up to date.

use storeyline_compat::{Card, ChatFile, Given, Initial, WorldBook, bind, chat_uid, find_initial, initvar};
use storeyline_state::{ChatId, PageId, RefId, StoryId, Value, text};
use storeyline_store::{OperationKind, Owner};

use crate::branch::{find_story, save};
use crate::chats::{OpenChat, OpenedChat};
use crate::declared::Messages;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::sync::{Keep, Names, SyncAnswer, SyncRequest, sync};

/// A file to be read.
#[derive(Debug, Clone)]
pub struct ImportRequest {
    /// The file's text.
    pub text: String,
    /// Its name, without ending.
    pub file: String,
    /// The title of a new story.
    pub title: String,
    /// The card of the character.
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
    /// The story.
    pub story: StoryId,
    /// The branch.
    pub branch: RefId,
    /// How many pages the file has.
    pub pages: usize,
    /// How many of them were not known before.
    pub new_pages: usize,
    /// How many floors.
    pub floors: usize,
    /// How many pages were evaluated.
    pub evaluated: usize,
    /// How the story began, if it was made now.
    pub initial: Option<Initial>,
    /// Remarks and notices, as sync gives them.
    pub answer: SyncAnswer,
}

impl Engine {
    /// Reads a chat file into its branch. The same file again changes nothing.
    pub fn import(&self, owner: &Owner, request: &ImportRequest) -> Result<Imported, EngineError> {
        let file = ChatFile::read(&request.text)?;
        let metadata = file.metadata();
        let chat = chat_uid(&metadata, &first_words(&file));
        let names = names(request, &metadata, &file);
        let initial = beginning(request, &file, &names);
        let opened = self.open_chat(owner, &open_request(request, &metadata, chat, &initial))?;
        let initial = Some(initial).filter(|_| opened.created);
        let rows = bind(chat, &file.read);
        let mut messages = Messages::of_rows(&rows, &file.read);
        let pages: Vec<PageId> = rows.iter().flat_map(|row| row.pages.iter().map(|(page, _)| *page)).collect();
        let declared = SyncRequest {
            chat,
            client: format!("import-{}", RefId::from_random(crate::chance::random())),
            seq: 1,
            base: None,
            keep: Keep::default(),
            tail: rows,
            messages: Vec::new(),
            have: None,
            names,
        };
        let scripts = &mut self.scripts();
        self.transaction(owner, |tx| {
            let story = find_story(tx, opened.story)?;
            let mut new_pages = 0;
            for page in &pages {
                new_pages += usize::from(tx.newest_page(story.key, *page)?.is_none());
            }
            let answer = sync(tx, &declared, &mut messages, OperationKind::Import, &mut ***scripts)?;
            let (header, _) = tx.put_value(&file.header)?;
            if let Some(mut branch) = tx.ref_of_chat(chat)?.filter(|branch| branch.header != Some(header)) {
                branch.header = Some(header);
                save(tx, &mut branch)?;
            }
            let OpenedChat { story, branch, .. } = opened;
            Ok(Imported {
                story,
                branch,
                pages: pages.len(),
                new_pages,
                floors: file.read.len(),
                evaluated: answer.evaluated,
                initial,
                answer,
            })
        })
    }
}

/// How a chat begins; functions of a card wait until they are allowed.
pub(crate) fn beginning(request: &ImportRequest, file: &ChatFile, names: &Names) -> Initial {
    let mut initial = find_initial(&given(request, file, names));
    if !request.allow_functions {
        initial.hold_functions();
    }
    initial
}

/// For files without the host's own mark: what the chat begins with.
pub(crate) fn first_words(file: &ChatFile) -> String {
    let first = &file.read[0];
    let times: Vec<String> = first.pages.iter().map(|page| format!("{:?}", page.time)).collect();
    format!("{} {} {}", first.name, times.join(","), text::hash(&first.pages[first.active].text))
}

fn own<'a>(metadata: &'a Value, key: &str) -> Option<&'a str> {
    metadata.get(storeyline_compat::KEY)?.get(key)?.as_text()
}

/// What the story of a new chat begins with.
fn given<'a>(request: &'a ImportRequest, file: &'a ChatFile, names: &Names) -> Given<'a> {
    let known = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
    Given {
        card: request.card.as_ref(),
        books: &request.world_books,
        messages: &file.read,
        names: initvar::Names { user: known(&names.user), character: known(&names.character) },
    }
}

fn open_request(request: &ImportRequest, metadata: &Value, chat: ChatId, initial: &Initial) -> OpenChat {
    OpenChat {
        chat,
        parent: own(metadata, "parent").and_then(|parent| parent.parse().ok()),
        file: request.file.clone(),
        file_owner: own(metadata, "owner").unwrap_or_default().to_owned(),
        title: request.title.clone(),
        template: Some(initial.state.clone()),
        rules: initial.rules(),
        into: request.into,
    }
}

/// The file says what the names were when the chat began; older files show them on messages.
pub(crate) fn names(request: &ImportRequest, metadata: &Value, file: &ChatFile) -> Names {
    let speaker = |user: bool| {
        let is_user = |role| role == storeyline_history::Role::User;
        file.read.iter().find(|message| is_user(message.role) == user).map(|message| message.name.clone())
    };
    Names {
        user: own(metadata, "user").map(str::to_owned).or_else(|| speaker(true)).unwrap_or_default(),
        character: own(metadata, "char")
            .map(str::to_owned)
            .or_else(|| speaker(false))
            .or_else(|| request.card.as_ref().map(|card| card.name.clone()))
            .unwrap_or_default(),
    }
}
