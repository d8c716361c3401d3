//! Stories, branches and texts.

use serde::{Deserialize, Serialize};
use storeyline_engine::{self as engine, PromptMessage};
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::{PageId, RefId, StateHash, StoryId};
use crate::wire::value::{Any, Object};
use crate::wire::view::{FloorLine, Ref, Story};

/// Which stories.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StoriesQuery {
    /// Those in the trash.
    #[serde(default)]
    pub(crate) trash: bool,
}

/// Stories, the last changed first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Stories {
    pub(crate) stories: Vec<Story>,
}

/// A story without a host.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewStory {
    pub(crate) title: String,
    /// The card it is played with; template and functions saved for that card apply.
    #[serde(default)]
    pub(crate) card: String,
    /// The first state; absent: the template saved for the card.
    pub(crate) template: Option<Object>,
    /// Profile: `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
    /// Name of the first branch.
    pub(crate) branch: Option<String>,
}

/// A story and its first branch.
#[derive(Serialize, ToSchema)]
pub(crate) struct BegunStory {
    pub(crate) story: StoryId,
    #[serde(rename = "ref")]
    pub(crate) branch: RefId,
}

/// How a change of an early floor affects the later ones.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EditPolicy {
    /// They are recomputed at once.
    Auto,
    /// They keep their states, marked stale, until they are re-processed.
    Manual,
}

/// A story with its settings.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoryDetail {
    #[serde(flatten)]
    pub(crate) story: Story,
    pub(crate) edit_policy: EditPolicy,
    /// The current branch.
    pub(crate) current: Option<RefId>,
    /// Whether it is in the trash.
    pub(crate) trashed: bool,
}

/// Changes of a story; absent fields are unchanged.
#[derive(Deserialize, ToSchema)]
pub(crate) struct StoryChange {
    pub(crate) title: Option<String>,
    pub(crate) edit_policy: Option<EditPolicy>,
}

/// Numbers of the operations.
#[derive(Serialize, ToSchema)]
pub(crate) struct DoneMany {
    pub(crate) operations: Vec<i64>,
}

/// Branches and tags.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refs {
    pub(crate) refs: Vec<Ref>,
    /// The current branch.
    pub(crate) current: Option<RefId>,
}

#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefKind {
    /// Moves as the story continues.
    Branch,
    /// Never moves.
    Tag,
}

/// A branch or tag to be created.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewRef {
    pub(crate) kind: RefKind,
    /// The branch or tag it starts from.
    pub(crate) from: RefId,
    /// Its last floor; absent: the end.
    pub(crate) floor: Option<u32>,
    pub(crate) name: String,
    /// Whether the new branch becomes the current one.
    #[serde(default)]
    pub(crate) switch: bool,
}

/// A branch or tag that was created.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeRef {
    #[serde(rename = "ref")]
    pub(crate) branch: RefId,
    pub(crate) operation: Option<i64>,
}

/// Changes of a branch or tag; absent fields are unchanged.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RefChange {
    pub(crate) name: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) colour: Option<String>,
}

/// Floors in order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Floors {
    /// Number of floors of the branch.
    pub(crate) total: usize,
    pub(crate) floors: Vec<FloorLine>,
}

/// Texts in order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Path {
    /// Number of floors of the branch.
    pub(crate) total: usize,
    pub(crate) turns: Vec<Turn>,
}

/// One floor with the whole texts of its pages.
#[derive(Serialize, ToSchema)]
pub(crate) struct Turn {
    floor: usize,
    role: &'static str,
    name: String,
    hidden: bool,
    /// Index of the active page.
    active: usize,
    pages: Vec<PageText>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PageText {
    page: PageId,
    text: String,
}

impl Turn {
    pub(crate) fn new(floor: usize, turn: engine::Turn, texts: Vec<String>) -> Self {
        let pages = turn.pages.iter().zip(texts).map(|(page, text)| PageText { page: page.page.into(), text });
        Turn {
            floor,
            role: turn.role.as_str(),
            hidden: turn.hidden,
            active: turn.active,
            pages: pages.collect(),
            name: turn.name,
        }
    }
}

/// The messages for a model.
#[derive(Serialize, ToSchema)]
pub(crate) struct Messages {
    pub(crate) messages: Vec<Message>,
}

#[derive(Serialize, ToSchema)]
pub struct Message {
    floor: usize,
    page: PageId,
    role: &'static str,
    name: String,
    text: String,
}

impl From<PromptMessage> for Message {
    fn from(PromptMessage { floor, page, role, name, text }: PromptMessage) -> Self {
        Message { floor, page: page.into(), role: role.as_str(), name, text }
    }
}

/// Which path of a state.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StateQuery {
    /// A path such as `角色.金币`; absent: the whole state.
    pub(crate) path: Option<String>,
}

/// A state, or the value at one path of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct State {
    /// Hash of the whole state.
    pub(crate) hash: StateHash,
    /// Whether there is a value at this path.
    pub(crate) found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    pub(crate) value: Option<Any>,
}
