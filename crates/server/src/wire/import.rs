//! Chats and cards of the host, as sent, and the results of importing them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use storeyline_engine::{
    BrokenFile, Card, Enabled, Imported, ImportedFile, ImportedStory, Initial, StoredReport, WorldBook,
};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::wire::common::WordsWire;
use crate::wire::ids::{Branch, Page, StateHash, Story};
use crate::wire::sync::{NoticeWire, PageDiagnosticWire};
use crate::wire::value::{Any, Object};
use crate::wire::view::CallWire;

/// A character card: its JSON, or its image.
#[derive(Deserialize, ToSchema)]
#[schema(as = CardContent)]
pub(crate) struct CardContentWire {
    /// The card as JSON.
    json: Option<Object>,
    /// The card as PNG, base64.
    png: Option<String>,
}

impl CardContentWire {
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
#[schema(as = WorldBook)]
pub(crate) struct WorldBookWire {
    #[serde(default)]
    pub(crate) name: String,
    /// The book as the host exports it.
    pub(crate) book: Object,
}

pub(crate) fn world_books(books: &[WorldBookWire]) -> Result<Vec<WorldBook>, ApiError> {
    let read = |wire: &WorldBookWire| {
        let text = storeyline_state::json::write(&wire.book.0);
        Ok(WorldBook::read(text.as_bytes(), &wire.name)?)
    };
    books.iter().map(read).collect()
}

/// A card and its world books.
#[derive(Deserialize, ToSchema)]
#[schema(as = ReadCard)]
pub(crate) struct ReadCardWire {
    pub(crate) card: CardContentWire,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBookWire>,
    /// Saves the first state as the template of this card, and its functions with it.
    pub(crate) keep_as: Option<String>,
    /// Whether functions that come with the card may run.
    #[serde(default)]
    pub(crate) allow_functions: bool,
}

/// A chat file, with its card and books.
#[derive(Deserialize, ToSchema)]
#[schema(as = ImportChat)]
pub(crate) struct ImportChatWire {
    /// The text of the `.jsonl` file, or of a chat history.
    pub(crate) text: String,
    /// Name of the file, without extension.
    #[serde(default)]
    pub(crate) file: String,
    /// Title of a new story; absent: the card's name, else the file's.
    pub(crate) title: Option<String>,
    pub(crate) card: Option<CardContentWire>,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBookWire>,
    /// The story to import into, whatever the file says.
    pub(crate) into: Option<Story>,
    /// Whether functions that come with the card may run.
    #[serde(default)]
    pub(crate) allow_functions: bool,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
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
    pub(crate) into: Option<Story>,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
}

/// The chats of one character or group.
#[derive(Deserialize, ToSchema)]
#[schema(as = ImportFolder)]
pub(crate) struct ImportFolderWire {
    pub(crate) files: Vec<ChatFileWire>,
    /// Title, if all of them are one story.
    #[serde(default)]
    pub(crate) title: String,
    pub(crate) card: Option<CardContentWire>,
    #[serde(default)]
    pub(crate) world_books: Vec<WorldBookWire>,
    /// The story of all of them, whatever the files say.
    pub(crate) into: Option<Story>,
    /// Whether functions that come with the card may run.
    #[serde(default)]
    pub(crate) allow_functions: bool,
    /// Whether to use states stored by MVU or SAM.
    #[serde(default)]
    pub(crate) trust_stored: bool,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ChatFile)]
pub(crate) struct ChatFileWire {
    /// Name of the file, without extension.
    pub(crate) name: String,
    pub(crate) text: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Imported)]
pub(crate) struct ImportedWire {
    pub(crate) stories: Vec<ImportedStoryWire>,
    /// Files that could not be imported.
    pub(crate) broken: Vec<BrokenWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ImportedStory)]
pub(crate) struct ImportedStoryWire {
    story: Story,
    refs: Vec<ImportedRefWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ImportedRef)]
pub(crate) struct ImportedRefWire {
    #[serde(rename = "ref")]
    branch: Branch,
    file: String,
    floors: usize,
    pages: usize,
    new_pages: usize,
    evaluated: usize,
    stored: StoredWire,
    diagnostics: Vec<PageDiagnosticWire>,
    notices: Vec<NoticeWire>,
    /// How the story began, if it was created now.
    initial: Option<InitialWire>,
}

/// States that other tools stored, and whether they were used.
#[derive(Serialize, ToSchema)]
#[schema(as = Stored)]
pub struct StoredWire {
    found: usize,
    overridden: Vec<usize>,
    differing: Vec<usize>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Broken)]
pub(crate) struct BrokenWire {
    file: String,
    what: String,
}

impl From<&StoredReport> for StoredWire {
    fn from(stored: &StoredReport) -> Self {
        let StoredReport { found, overridden, differing } = stored.clone();
        StoredWire { found, overridden, differing }
    }
}

impl From<BrokenFile> for BrokenWire {
    fn from(broken: BrokenFile) -> Self {
        BrokenWire { what: broken.error.to_string(), file: broken.file }
    }
}

impl ImportedStoryWire {
    pub(crate) fn of_file(file: String, imported: Imported) -> Self {
        ImportedStoryWire { story: imported.story.into(), refs: vec![ImportedRefWire::new(file, &imported)] }
    }
}

impl From<ImportedStory> for ImportedStoryWire {
    fn from(story: ImportedStory) -> Self {
        let wire = |found: ImportedFile| ImportedRefWire::new(found.file, &found.imported);
        ImportedStoryWire { story: story.story.into(), refs: story.refs.into_iter().map(wire).collect() }
    }
}

impl ImportedRefWire {
    fn new(file: String, imported: &Imported) -> Self {
        ImportedRefWire {
            branch: imported.branch.into(),
            file,
            floors: imported.floors,
            pages: imported.pages,
            new_pages: imported.new_pages,
            evaluated: imported.evaluated,
            stored: (&imported.stored).into(),
            diagnostics: imported.diagnostics.iter().map(Into::into).collect(),
            notices: imported.notices.iter().map(Into::into).collect(),
            initial: imported.initial.as_ref().map(Into::into),
        }
    }
}

/// How a story begins.
#[derive(Serialize, ToSchema)]
#[schema(as = Initial)]
pub struct InitialWire {
    /// Whether the story has a state at all.
    enabled: bool,
    profile: &'static str,
    reason: WordsWire,
    state: Any,
    /// Whether MVU's locks are on.
    locked: bool,
    functions: Vec<String>,
    sources: Vec<SourceWire>,
    diagnostics: Vec<RemarkWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Source)]
struct SourceWire {
    kind: &'static str,
    place: WordsWire,
    used: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Remark)]
struct RemarkWire {
    place: WordsWire,
    code: String,
    severity: &'static str,
    message: WordsWire,
}

impl From<&Initial> for InitialWire {
    fn from(initial: &Initial) -> Self {
        let sam = initial.sam_functions.iter().filter_map(|function| function.definition.get("func_name")?.as_text());
        let own = initial.library.functions.iter().map(|function| function.name.as_str());
        let rules = initial.library.rules.iter().map(|rule| rule.name.as_str());
        let sources = initial.sources.iter().map(|source| SourceWire {
            kind: source.kind.as_str(),
            place: (&source.location.words()).into(),
            used: source.used,
        });
        let remarks = initial.remarks.iter().map(|remark| RemarkWire {
            place: (&remark.location.words()).into(),
            code: remark.diagnostic.code.clone(),
            severity: remark.diagnostic.severity.as_str(),
            message: (&remark.diagnostic.message).into(),
        });
        InitialWire {
            enabled: initial.enabled == Enabled::On,
            profile: initial.profile.as_str(),
            reason: (&initial.reason).into(),
            state: Any(initial.state.clone()),
            locked: initial.locks.is_some(),
            functions: sam.chain(own).chain(rules).map(str::to_owned).collect(),
            sources: sources.collect(),
            diagnostics: remarks.collect(),
        }
    }
}

/// What a card says about state.
#[derive(Serialize, ToSchema)]
#[schema(as = CardRead)]
pub(crate) struct CardReadWire {
    pub(crate) name: String,
    pub(crate) greetings: Vec<String>,
    pub(crate) initial: InitialWire,
    /// Version of the template that was saved, if one was.
    pub(crate) template: Option<i64>,
    /// Version of the functions that were saved, if any were.
    pub(crate) library: Option<i64>,
}

/// A chat file, evaluated floor by floor; nothing is stored.
#[derive(Serialize, ToSchema)]
#[schema(as = Replayed)]
pub(crate) struct ReplayedWire {
    pub(crate) initial: InitialWire,
    pub(crate) floors: Vec<ReplayedFloorWire>,
    /// The state after the last floor.
    pub(crate) state: Any,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReplayedFloor)]
pub(crate) struct ReplayedFloorWire {
    pub(crate) floor: usize,
    pub(crate) page: Page,
    pub(crate) role: &'static str,
    pub(crate) name: String,
    pub(crate) hash: StateHash,
    pub(crate) calls: Vec<CallWire>,
}
