//! Chats and cards of the host, as sent, and the results of importing them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use storeyline_engine::{
    self as engine, BrokenFile, Card, Enabled, FolderImported, ImportRequest, ImportedFile, StoredReport,
};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::wire::common::{Words, all};
use crate::wire::ids::{PageId, RefId, StateHash, StoryId};
use crate::wire::sync::{Notice, PageDiagnostic};
use crate::wire::value::{Any, Object};
use crate::wire::view::Call;

/// A character card: its JSON, or its image.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CardContent {
    /// The card as JSON.
    json: Option<Object>,
    /// The card as PNG, base64.
    png: Option<String>,
}

impl CardContent {
    pub(crate) fn read(&self) -> Result<Card, ApiError> {
        let bytes = match (&self.json, &self.png) {
            (Some(card), None) => storeyline_state::json::write(&card.0).into_bytes(),
            (None, Some(png)) => {
                STANDARD.decode(png.trim()).map_err(|_| ApiError::bad_request("`png` is not base64"))?
            }
            _ => return Err(ApiError::bad_request("a card is either `json` or `png`")),
        };
        Ok(Card::read(&bytes)?)
    }
}

/// A world book.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WorldBook {
    #[serde(default)]
    pub(crate) name: String,
    /// The book as the host exports it.
    pub(crate) book: Object,
}

pub(crate) fn world_books(books: &[WorldBook]) -> Result<Vec<engine::WorldBook>, ApiError> {
    let read = |wire: &WorldBook| {
        let text = storeyline_state::json::write(&wire.book.0);
        Ok(engine::WorldBook::read(text.as_bytes(), &wire.name)?)
    };
    books.iter().map(read).collect()
}

/// A card and its world books.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReadCard {
    pub(crate) card: CardContent,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBook>,
    /// Saves the first state as the template of this card, and its functions with it.
    pub(crate) keep_as: Option<String>,
}

/// A chat file, with its card and books.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct ImportChat {
    /// The text of the `.jsonl` file, or of a chat history.
    pub(crate) text: String,
    /// Name of the file, without extension.
    #[serde(default)]
    pub(crate) file: String,
    /// Title of a new story; absent: the card's name, else the file's.
    pub(crate) title: Option<String>,
    pub(crate) card: Option<CardContent>,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBook>,
    /// The story to import into, whatever the file says.
    pub(crate) into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
}

impl ImportChat {
    pub(crate) fn request(self) -> Result<ImportRequest, ApiError> {
        let card = self.card.as_ref().map(CardContent::read).transpose()?;
        let named = card.as_ref().map(|card| card.name.clone()).filter(|name| !name.is_empty());
        Ok(ImportRequest {
            text: self.text,
            title: self.title.or(named).unwrap_or_else(|| self.file.clone()),
            file: self.file,
            card,
            world_books: world_books(&self.world_books)?,
            into: self.into.map(|story| story.0),
            allow_functions: false,
        })
    }
}

/// Parameters of an import whose body is the chat file itself.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// Name of the file, without extension.
    #[serde(default)]
    pub(crate) file: String,
    /// Title of a new story.
    pub(crate) title: Option<String>,
    /// The story to import into, whatever the file says.
    pub(crate) into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
}

/// The chats of one character or group.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ImportFolder {
    pub(crate) files: Vec<ChatFile>,
    /// Title, if all of them are one story.
    #[serde(default)]
    pub(crate) title: String,
    pub(crate) card: Option<CardContent>,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBook>,
    /// The story of all of them, whatever the files say.
    pub(crate) into: Option<StoryId>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ChatFile {
    /// Name of the file, without extension.
    pub(crate) name: String,
    pub(crate) text: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Imported {
    pub(crate) stories: Vec<ImportedStory>,
    /// Files that could not be imported.
    pub(crate) broken: Vec<Broken>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ImportedStory {
    story: StoryId,
    refs: Vec<ImportedRef>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ImportedRef {
    #[serde(rename = "ref")]
    branch: RefId,
    file: String,
    floors: usize,
    pages: usize,
    new_pages: usize,
    evaluated: usize,
    stored: Stored,
    diagnostics: Vec<PageDiagnostic>,
    notices: Vec<Notice>,
    /// How the story began, if it was created now.
    initial: Option<Initial>,
}

/// States that other tools stored, and whether they were used.
#[derive(Serialize, ToSchema)]
pub struct Stored {
    found: usize,
    overridden: Vec<usize>,
    differing: Vec<usize>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Broken {
    file: String,
    what: String,
}

impl From<&StoredReport> for Stored {
    fn from(stored: &StoredReport) -> Self {
        let StoredReport { found, overridden, differing } = stored.clone();
        Stored { found, overridden, differing }
    }
}

impl From<BrokenFile> for Broken {
    fn from(broken: BrokenFile) -> Self {
        Broken { what: broken.error.to_string(), file: broken.file }
    }
}

impl From<engine::ImportedStory> for ImportedStory {
    fn from(engine::ImportedStory { story, refs }: engine::ImportedStory) -> Self {
        ImportedStory { story: story.into(), refs: all(refs) }
    }
}

impl From<ImportedFile> for ImportedRef {
    fn from(ImportedFile { file, imported }: ImportedFile) -> Self {
        ImportedRef {
            branch: imported.branch.into(),
            file,
            floors: imported.floors,
            pages: imported.pages,
            new_pages: imported.new_pages,
            evaluated: imported.evaluated,
            stored: (&imported.stored).into(),
            diagnostics: all(&imported.diagnostics),
            notices: all(&imported.notices),
            initial: imported.initial.as_ref().map(Into::into),
        }
    }
}

impl From<FolderImported> for Imported {
    fn from(FolderImported { stories, broken }: FolderImported) -> Self {
        Imported { stories: all(stories), broken: all(broken) }
    }
}

/// How a story begins.
#[derive(Serialize, ToSchema)]
pub struct Initial {
    /// Whether the story has a state at all.
    enabled: bool,
    profile: &'static str,
    reason: Words,
    state: Any,
    /// Whether MVU's locks are on.
    locked: bool,
    functions: Vec<String>,
    sources: Vec<Source>,
    diagnostics: Vec<Remark>,
}

#[derive(Serialize, ToSchema)]
struct Source {
    kind: &'static str,
    place: Words,
    used: bool,
}

#[derive(Serialize, ToSchema)]
struct Remark {
    place: Words,
    code: String,
    severity: &'static str,
    message: Words,
}

impl From<&engine::Initial> for Initial {
    fn from(initial: &engine::Initial) -> Self {
        let sources = initial.sources.iter().map(|source| Source {
            kind: source.kind.as_str(),
            place: (&source.location.words()).into(),
            used: source.used,
        });
        let remarks = initial.remarks.iter().map(|remark| Remark {
            place: (&remark.location.words()).into(),
            code: remark.diagnostic.code.clone(),
            severity: remark.diagnostic.severity.as_str(),
            message: (&remark.diagnostic.message).into(),
        });
        Initial {
            enabled: initial.enabled == Enabled::On,
            profile: initial.profile.as_str(),
            reason: (&initial.reason).into(),
            state: Any(initial.state.clone()),
            locked: initial.locks.is_some(),
            functions: function_names(initial).map(str::to_owned).collect(),
            sources: sources.collect(),
            diagnostics: remarks.collect(),
        }
    }
}

/// Returns the names of SAM's functions, the card's own, and its rules.
pub fn function_names(initial: &engine::Initial) -> impl Iterator<Item = &str> {
    let sam = initial.sam_functions.iter().filter_map(|function| function.definition.get("func_name")?.as_text());
    let own = initial.library.functions.iter().map(|function| function.name.as_str());
    sam.chain(own).chain(initial.library.rules.iter().map(|rule| rule.name.as_str()))
}

/// What a card says about state.
#[derive(Serialize, ToSchema)]
pub(crate) struct CardRead {
    pub(crate) name: String,
    pub(crate) greetings: Vec<String>,
    pub(crate) initial: Initial,
    /// Version of the template that was saved, if one was.
    pub(crate) template: Option<i64>,
    /// Version of the functions that were saved, if any were.
    pub(crate) library: Option<i64>,
}

/// A chat file, evaluated floor by floor; nothing is stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct Replayed {
    pub(crate) initial: Initial,
    pub(crate) floors: Vec<ReplayedFloor>,
    /// The state after the last floor.
    pub(crate) state: Any,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayedFloor {
    pub(crate) floor: usize,
    pub(crate) page: PageId,
    pub(crate) role: &'static str,
    pub(crate) name: String,
    pub(crate) hash: StateHash,
    pub(crate) calls: Vec<Call>,
}
