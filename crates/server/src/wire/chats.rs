//! `POST /api/v1/chats`, `POST /api/v1/cards/look`: who a host chat is and who plays in it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use storeyline_engine::{
    Begun, Card, Cast, Held, HostChat, HostOpened, Names, NewFile, OpenChat, Rules, SwitchTo, WorldBook,
};
use storeyline_state::{ChatId, Value, json};

use crate::error::ApiError;
use crate::wire::common::{WordsWire, id, optional_id, raw};

/// `POST /api/v1/chats`
#[derive(Deserialize)]
pub(crate) struct OpenChatWire {
    #[serde(deserialize_with = "id")]
    chat: ChatId,
    #[serde(default, deserialize_with = "optional_id")]
    parent: Option<ChatId>,
    #[serde(default)]
    file: String,
    #[serde(default)]
    owner: String,
    #[serde(default)]
    title: String,
    template: Option<Box<RawValue>>,
    #[serde(default)]
    names: NamesWire,
    cast: Option<CastWire>,
    #[serde(default)]
    ask_cast: bool,
    #[serde(default)]
    handled: i64,
    #[serde(default)]
    renew: bool,
}

/// The names of player and character.
#[derive(Deserialize, Default)]
#[serde(default)]
struct NamesWire {
    user: String,
    char: String,
}

/// Who plays.
#[derive(Deserialize)]
pub(crate) struct CastWire {
    cards: Vec<Box<RawValue>>,
    #[serde(default)]
    books: Vec<BookWire>,
    #[serde(default)]
    group: bool,
    #[serde(default)]
    allowed: Vec<String>,
}

/// A world book.
#[derive(Deserialize)]
struct BookWire {
    name: String,
    book: Box<RawValue>,
}

/// More cards than a group has.
const MAX_CARDS: usize = 200;
/// More world books than anyone opens at once.
const MAX_BOOKS: usize = 500;

impl TryFrom<OpenChatWire> for HostChat {
    type Error = ApiError;

    fn try_from(wire: OpenChatWire) -> Result<Self, ApiError> {
        let template = wire
            .template
            .map(|raw| json::read(raw.get()))
            .transpose()
            .map_err(|error| ApiError::bad_json(&error.to_string()))?;
        let template = template.filter(|value| !matches!(value, Value::Null));
        if template.as_ref().is_some_and(|value| value.as_object().is_none()) {
            return Err(ApiError::bad_request("the template must be an object"));
        }
        Ok(HostChat {
            open: OpenChat {
                chat: wire.chat,
                parent: wire.parent,
                file: wire.file,
                file_owner: wire.owner,
                title: wire.title,
                template,
                rules: Rules::default(),
                into: None,
            },
            cast: wire.cast.map(Cast::try_from).transpose()?,
            ask_cast: wire.ask_cast,
            names: Names { user: wire.names.user, character: wire.names.char },
            handled: wire.handled,
            renew: wire.renew,
        })
    }
}

impl TryFrom<CastWire> for Cast {
    type Error = ApiError;

    fn try_from(wire: CastWire) -> Result<Self, ApiError> {
        if wire.cards.len() > MAX_CARDS || wire.books.len() > MAX_BOOKS {
            return Err(ApiError::bad_request("too many cards or world books"));
        }
        let card = |card: Box<RawValue>| {
            Card::read(card.get().as_bytes()).map_err(|error| ApiError::bad_request(&error.to_string()))
        };
        // A book that cannot be read says nothing; the host shows what is wrong with it.
        let book = |book: BookWire| WorldBook::read(book.book.get().as_bytes(), &book.name).ok();
        Ok(Cast {
            members: wire.cards.into_iter().map(card).collect::<Result<_, _>>()?,
            books: wire.books.into_iter().filter_map(book).collect(),
            group: wire.group,
            allowed: wire.allowed,
        })
    }
}

/// What a host learns when it opens a chat.
#[derive(Serialize)]
pub(crate) struct OpenedWire {
    story: Option<String>,
    #[serde(rename = "ref")]
    branch: Option<String>,
    node: Option<String>,
    created: bool,
    profile: Option<&'static str>,
    need_cast: bool,
    switch: Option<SwitchWire>,
    beginning: Option<BeginningWire>,
}

/// Another branch is to be shown.
#[derive(Serialize)]
struct SwitchWire {
    operation: i64,
    story: String,
    #[serde(rename = "ref")]
    branch: String,
    name: String,
    file: Option<String>,
    owner: Option<String>,
}

/// How a story begins.
#[derive(Serialize)]
pub(crate) struct BeginningWire {
    profile: &'static str,
    reason: WordsWire,
    template: Option<Box<RawValue>>,
    functions: Vec<String>,
    held: Vec<HeldWire>,
    remarks: Vec<RemarkWire>,
}

/// Functions that wait until the user allows them.
#[derive(Serialize)]
struct HeldWire {
    card: String,
    fingerprint: String,
    names: Vec<String>,
}

/// What is odd in a card.
#[derive(Serialize)]
struct RemarkWire {
    code: String,
    severity: &'static str,
    place: WordsWire,
    message: WordsWire,
}

impl From<HostOpened> for OpenedWire {
    fn from(opened: HostOpened) -> Self {
        let chat = opened.chat.as_ref();
        OpenedWire {
            story: chat.map(|chat| chat.story.to_string()),
            branch: chat.map(|chat| chat.branch.to_string()),
            node: chat.and_then(|chat| chat.node).map(|node| node.to_string()),
            profile: opened.profile.map(|profile| profile.as_str()),
            created: chat.is_some_and(|chat| chat.created),
            need_cast: chat.is_none() && opened.switch.is_none(),
            switch: opened.switch.map(Into::into),
            beginning: opened.begun.as_ref().map(Into::into),
        }
    }
}

impl From<SwitchTo> for SwitchWire {
    fn from(switch: SwitchTo) -> Self {
        let (file, owner) = switch.file.unzip();
        SwitchWire {
            operation: switch.operation,
            story: switch.story.to_string(),
            branch: switch.branch.to_string(),
            name: switch.name,
            file,
            owner,
        }
    }
}

impl From<&Begun> for BeginningWire {
    fn from(begun: &Begun) -> Self {
        let initial = &begun.initial;
        let remark = |remark: &storeyline_engine::Remark| RemarkWire {
            code: remark.diagnostic.code.clone(),
            severity: remark.diagnostic.severity.as_str(),
            place: (&remark.place.words()).into(),
            message: (&remark.diagnostic.message).into(),
        };
        let held = |held: &Held| HeldWire {
            card: held.card.clone(),
            fingerprint: held.fingerprint.clone(),
            names: held.names.clone(),
        };
        BeginningWire {
            profile: initial.profile.as_str(),
            reason: (&initial.reason).into(),
            template: begun.template().map(raw),
            functions: initial.library.functions.iter().map(|function| function.name.clone()).collect(),
            held: begun.held.iter().map(held).collect(),
            remarks: initial.remarks.iter().map(remark).collect(),
        }
    }
}

/// `POST …/refs/{ref}/file`
#[derive(Deserialize)]
pub(crate) struct FileWire {
    pub(crate) file: String,
    pub(crate) owner: String,
}

/// `POST /api/v1/chats/forget`
#[derive(Deserialize)]
pub(crate) struct ForgetWire {
    pub(crate) owner: String,
    pub(crate) file: Option<String>,
}

/// A branch as a new file of a host.
#[derive(Serialize)]
pub(crate) struct NewFileWire {
    chat: String,
    header: Box<RawValue>,
    messages: Vec<Box<RawValue>>,
}

impl From<NewFile> for NewFileWire {
    fn from(file: NewFile) -> Self {
        NewFileWire {
            chat: file.chat.to_string(),
            header: raw(&file.header),
            messages: file.messages.iter().map(raw).collect(),
        }
    }
}
