//! Chats and cards of the host, as sent, and the results of importing them.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::chats::Remark;
use crate::common::{Diagnostic, Words};
use crate::ids::{PageId, RefId, StateHash, StoryId};
use crate::sync::{Notice, PageDiagnostic};
use crate::value::{Json, JsonObject};
use crate::view::Call;
use crate::words::Role;

/// A character card: its JSON, or its image.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct CardContent {
    /// The card as JSON.
    pub json: Option<JsonObject>,
    /// The card as PNG, base64.
    pub png: Option<String>,
}

/// A world book.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct WorldBook {
    #[serde(default)]
    pub name: String,
    /// The book as the host exports it.
    pub book: JsonObject,
}

/// A card and its world books.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ReadCard {
    pub card: CardContent,
    #[serde(default)]
    pub world_books: Vec<WorldBook>,
    /// Saves the first state as the template of this card, and its functions with it.
    pub keep_as: Option<String>,
}

/// A chat file, with its card and books.
#[derive(Default, Deserialize, ToSchema)]
pub struct ImportChat {
    /// The text of the `.jsonl` file, or of a chat history.
    pub text: String,
    /// Name of the file, without extension.
    #[serde(default)]
    pub file: String,
    /// Title of a new story; absent: the card's name, else the file's.
    pub title: Option<String>,
    pub card: Option<CardContent>,
    #[serde(default)]
    pub world_books: Vec<WorldBook>,
    /// The story to import into, whatever the file says.
    pub into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub trust_stored: bool,
}

/// Parameters of an import whose body is the chat file itself.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Name of the file, without extension.
    #[serde(default)]
    pub file: String,
    /// Title of a new story.
    pub title: Option<String>,
    /// The story to import into, whatever the file says.
    pub into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub trust_stored: bool,
}

/// The chats of one character or group.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ImportFolder {
    pub files: Vec<ChatFile>,
    /// Title, if all of them are one story.
    #[serde(default)]
    pub title: String,
    pub card: Option<CardContent>,
    #[serde(default)]
    pub world_books: Vec<WorldBook>,
    /// The story of all of them, whatever the files say.
    pub into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub trust_stored: bool,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ChatFile {
    /// Name of the file, without extension.
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Imported {
    pub stories: Vec<ImportedStory>,
    /// Files that could not be imported.
    pub broken: Vec<Broken>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ImportedStory {
    pub story: StoryId,
    pub refs: Vec<ImportedRef>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ImportedRef {
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// Name of the file, or of the branch of a history.
    pub file: String,
    pub floors: usize,
    /// Number of pages in the file.
    pub pages: usize,
    /// How many of them are new.
    pub new_pages: usize,
    /// Number of pages that were evaluated.
    pub evaluated: usize,
    pub stored: Stored,
    /// Diagnostics of the evaluated pages.
    pub diagnostics: Vec<PageDiagnostic>,
    pub notices: Vec<Notice>,
    /// How the story began, if it was created now.
    pub initial: Option<Initial>,
}

/// States that other tools stored, and whether they were used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stored {
    /// How many there are.
    pub found: usize,
    /// Floors whose state was overridden by them.
    pub overridden: Vec<usize>,
    /// Floors where they differ from ours and were not used.
    pub differing: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Broken {
    pub file: String,
    pub message: Words,
}

/// How a story begins.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Initial {
    /// Whether the story has a state at all.
    pub enabled: bool,
    pub profile: String,
    pub reason: Words,
    pub state: Json,
    /// Whether MVU's locks are on.
    pub locked: bool,
    pub functions: Vec<String>,
    pub sources: Vec<Source>,
    pub diagnostics: Vec<Remark>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Source {
    /// Where it was found: `template`, `initvar`, `greeting` …
    pub kind: String,
    pub place: Words,
    pub used: bool,
}

/// What a card says about state.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CardRead {
    pub name: String,
    pub greetings: Vec<String>,
    pub initial: Initial,
    /// Version of the template that was saved, if one was.
    pub template: Option<i64>,
    /// Version of the functions that were saved, if any were.
    pub library: Option<i64>,
}

/// A chat file, evaluated floor by floor; nothing is stored.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Replayed {
    pub initial: Initial,
    pub floors: Vec<ReplayedFloor>,
    /// States that MVU or SAM stored in the file, compared with those that were computed.
    pub stored: Stored,
    /// The state after the last floor.
    pub state: Json,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReplayedFloor {
    pub floor: usize,
    pub page: PageId,
    pub role: Role,
    pub name: String,
    pub hash: StateHash,
    /// Only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub state: Option<Json>,
    pub calls: Vec<Call>,
    pub diagnostics: Vec<Diagnostic>,
}
