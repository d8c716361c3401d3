//! Host chats: their identity, their cards, their files.

use serde::{Deserialize, Serialize};
use storeyline_engine::{self as engine, Remark};
use storeyline_engine::{Begun, Card, ChangeSeq, HostChat, HostOpened, Names, NewFile, Rules};
use storeyline_state::json;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::common::Words;
use crate::wire::ids::Cursor;
use crate::wire::ids::{ChatId, NodeId, RefId, StoryId, TextHash};
use crate::wire::import::WorldBook;
use crate::wire::sync::SyncNames;
use crate::wire::value::{Any, Object};

/// An open host chat.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OpenChat {
    chat: ChatId,
    /// The chat that it was branched or copied from.
    parent: Option<ChatId>,
    /// Name of its file, without extension.
    #[serde(default)]
    file: String,
    /// Its card or group.
    #[serde(default)]
    owner: String,
    /// Title of a new story.
    #[serde(default)]
    title: String,
    /// First state of a new story, instead of the cards' one.
    template: Option<Object>,
    #[serde(default)]
    #[schema(required = false)]
    names: SyncNames,
    cast: Option<Cast>,
    /// Whether the client can send the cast: then a story without one is not created, and the cast is requested.
    #[serde(default)]
    ask_cast: bool,
    /// Number of the last branch switch that this host carried out.
    #[serde(default)]
    handled: Option<Cursor>,
    /// Whether new pages take the rules of the current cards.
    #[serde(default)]
    renew: bool,
}

/// The cards of a host chat: one card, or the members of a group in order.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Cast {
    /// The cards, as the host would export them.
    cards: Vec<Object>,
    /// The active world books of the chat.
    #[serde(default)]
    books: Vec<WorldBook>,
    /// Whether several characters can speak.
    #[serde(default)]
    group: bool,
}

/// More than a group can have.
const MAX_CARDS: usize = 200;
/// More than anyone opens at once.
const MAX_BOOKS: usize = 500;

impl TryFrom<OpenChat> for HostChat {
    type Error = ApiError;

    fn try_from(wire: OpenChat) -> Result<Self, ApiError> {
        Ok(HostChat {
            open: engine::OpenChat {
                chat: wire.chat.0,
                parent: wire.parent.map(|parent| parent.0),
                file: wire.file,
                file_owner: wire.owner,
                title: wire.title,
                template: wire.template.map(|template| template.0),
                rules: Rules::default(),
                into: None,
            },
            cast: wire.cast.map(engine::Cast::try_from).transpose()?,
            ask_cast: wire.ask_cast,
            names: Names { user: wire.names.user, character: wire.names.char },
            handled: wire.handled.map_or(ChangeSeq::default(), |handled| handled.0.0),
            renew: wire.renew,
        })
    }
}

impl TryFrom<Cast> for engine::Cast {
    type Error = ApiError;

    fn try_from(wire: Cast) -> Result<Self, ApiError> {
        if wire.cards.len() > MAX_CARDS || wire.books.len() > MAX_BOOKS {
            return Err(ApiError::bad_request("too many cards or world books"));
        }
        let card = |card: &Object| -> Result<Card, ApiError> { Ok(Card::read(json::write(&card.0).as_bytes())?) };
        // An unreadable book is ignored; the host shows what is wrong with it.
        let book = |book: &WorldBook| engine::WorldBook::read(json::write(&book.book.0).as_bytes(), &book.name).ok();
        Ok(engine::Cast {
            members: wire.cards.iter().map(card).collect::<Result<_, _>>()?,
            books: wire.books.iter().filter_map(book).collect(),
            group: wire.group,
            ..engine::Cast::default()
        })
    }
}

/// The result of opening a chat.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenedChat {
    /// Null while the cast is missing, or while another branch is to be shown.
    story: Option<StoryId>,
    #[serde(rename = "ref")]
    branch: Option<RefId>,
    /// Head of the branch; null if it has no floor yet.
    node: Option<NodeId>,
    /// Whether the branch was created now.
    created: bool,
    /// Profile of the story.
    profile: Option<String>,
    /// Nothing was created: send the request again with the cast.
    need_cast: bool,
    /// Another branch is to be shown.
    switch: Option<SwitchTo>,
    /// How the story begins, if the cast was sent.
    beginning: Option<CastBeginning>,
}

/// Another branch is to be shown.
#[derive(Serialize, ToSchema)]
struct SwitchTo {
    /// The operation that switched; send it as `handled` from then on.
    operation: Cursor,
    story: StoryId,
    #[serde(rename = "ref")]
    branch: RefId,
    name: String,
    /// Its file, if it has one.
    file: Option<String>,
    /// Card or group of that file.
    owner: Option<String>,
}

/// How a story of a cast begins.
#[derive(Serialize, ToSchema)]
pub(crate) struct CastBeginning {
    /// Whether the story has a state at all.
    enabled: bool,
    profile: String,
    reason: Words,
    /// The first state; null if no card defines one.
    template: Option<Object>,
    /// The active functions.
    functions: Vec<String>,
    /// Functions that wait for the user's permission.
    held: Vec<HeldFunctions>,
    /// Problems in the cards.
    remarks: Vec<CastRemark>,
}

/// Functions of a card that wait for the user's permission.
#[derive(Serialize, ToSchema)]
struct HeldFunctions {
    card: String,
    /// Identifies what is allowed: another card, or another text of any function, has another fingerprint.
    fingerprint: TextHash,
    names: Vec<String>,
    /// Whether the user does not want to be asked about them again.
    refused: bool,
}

/// What the user decided about functions that were held.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Decide {
    /// Name of the card, to be shown.
    #[serde(default)]
    pub(crate) card: String,
    pub(crate) fingerprint: TextHash,
    /// Whether they may run; null: ask again.
    pub(crate) allow: Option<bool>,
}

/// The decisions of the user, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Consents {
    pub(crate) consents: Vec<Consent>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Consent {
    card: String,
    fingerprint: TextHash,
    allow: bool,
}

impl From<engine::Consent> for Consent {
    fn from(engine::Consent { card, fingerprint, allow }: engine::Consent) -> Self {
        Consent { card, fingerprint: fingerprint.into(), allow }
    }
}

/// A problem in a card.
#[derive(Serialize, ToSchema)]
struct CastRemark {
    code: String,
    severity: String,
    place: Words,
    message: Words,
}

impl From<HostOpened> for OpenedChat {
    fn from(opened: HostOpened) -> Self {
        let chat = opened.chat.as_ref();
        OpenedChat {
            story: chat.map(|chat| chat.story.into()),
            branch: chat.map(|chat| chat.branch.into()),
            node: chat.and_then(|chat| chat.node).map(Into::into),
            created: chat.is_some_and(|chat| chat.created),
            profile: opened.profile.map(|profile| profile.as_str().to_owned()),
            need_cast: chat.is_none() && opened.switch.is_none(),
            switch: opened.switch.map(Into::into),
            beginning: opened.begun.as_ref().map(Into::into),
        }
    }
}

impl From<engine::SwitchTo> for SwitchTo {
    fn from(engine::SwitchTo { operation, story, branch, name, file }: engine::SwitchTo) -> Self {
        let (file, owner) = file.unzip();
        SwitchTo { operation: operation.into(), story: story.into(), branch: branch.into(), name, file, owner }
    }
}

impl From<&Begun> for CastBeginning {
    fn from(begun: &Begun) -> Self {
        let initial = &begun.initial;
        let remark = |remark: &Remark| CastRemark {
            code: remark.diagnostic.code.clone(),
            severity: remark.diagnostic.severity.as_str().to_owned(),
            place: (&remark.location.words()).into(),
            message: (&remark.diagnostic.message).into(),
        };
        let held = |engine::HeldFunctions { card, fingerprint, names, refused }| HeldFunctions {
            card,
            fingerprint: fingerprint.into(),
            names,
            refused,
        };
        CastBeginning {
            enabled: begun.is_on(),
            profile: initial.profile.as_str().to_owned(),
            reason: (&initial.reason).into(),
            template: begun.template().filter(|state| state.as_object().is_some()).cloned().map(Object),
            functions: initial.library.functions.iter().map(|function| function.name.clone()).collect(),
            held: begun.held.iter().cloned().map(held).collect(),
            remarks: initial.remarks.iter().map(remark).collect(),
        }
    }
}

/// A host file for a branch.
#[derive(Deserialize, ToSchema)]
pub(crate) struct HostFile {
    /// Without extension.
    pub(crate) file: String,
    /// Its card or group.
    pub(crate) owner: String,
}

/// Deleted files of the host.
#[derive(Deserialize, ToSchema)]
pub(crate) struct GoneFiles {
    /// Card or group.
    pub(crate) owner: String,
    /// Name of the file; absent: all files of the owner.
    pub(crate) file: Option<String>,
}

/// Number of branches that went to the trash.
#[derive(Serialize, ToSchema)]
pub(crate) struct Forgotten {
    pub(crate) trashed: usize,
}

/// A branch as a new file of a host.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewHostFile {
    chat: ChatId,
    /// Its first line.
    header: Any,
    messages: Vec<Any>,
}

impl From<NewFile> for NewHostFile {
    fn from(NewFile { chat, header, messages }: NewFile) -> Self {
        NewHostFile { chat: chat.into(), header: Any(header), messages: messages.into_iter().map(Any).collect() }
    }
}
