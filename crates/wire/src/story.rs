//! Stories, branches and texts.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{PageId, RefId, StateHash, StoryId};
use crate::value::{Json, JsonObject};
use crate::view::{FloorLine, Ref, Story};
use crate::words::{EditPolicy, Language, RefKind, Role};

/// Which stories.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StoriesQuery {
    /// Those in the trash.
    #[serde(default)]
    pub trash: bool,
}

/// Stories, the last changed first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Stories {
    pub stories: Vec<Story>,
}

/// A story without a host.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewStory {
    pub title: String,
    /// The card it is played with; template and functions saved for that card apply.
    #[serde(default)]
    pub card: String,
    /// The first state; absent: the template saved for the card.
    pub template: Option<JsonObject>,
    /// Profile: `native`, `mvu`, `sam-…`, `varsystem`.
    pub profile: Option<String>,
    /// Name of the first branch.
    pub branch: Option<String>,
}

/// Which example story.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Example {
    pub language: Language,
}

/// A story and its first branch.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BegunStory {
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
}

/// A story with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StoryDetail {
    #[serde(flatten)]
    pub story: Story,
    pub edit_policy: EditPolicy,
    /// The current branch.
    pub current: Option<RefId>,
    /// Whether it is in the trash.
    pub trashed: bool,
}

/// Changes of a story; absent fields are unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct StoryChange {
    pub title: Option<String>,
    pub edit_policy: Option<EditPolicy>,
}

/// Numbers of the operations.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DoneMany {
    pub operations: Vec<i64>,
}

/// Branches and tags.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Refs {
    pub refs: Vec<Ref>,
    /// The current branch.
    pub current: Option<RefId>,
}

/// A branch or tag to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewRef {
    pub kind: RefKind,
    /// The branch or tag it starts from.
    pub from: RefId,
    /// Its last floor; absent: the end.
    pub floor: Option<u32>,
    pub name: String,
    #[serde(default)]
    pub note: String,
    /// Whether the new branch becomes the current one.
    #[serde(default)]
    pub switch: bool,
}

/// A branch or tag that was created.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MadeRef {
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub operation: Option<i64>,
}

/// Changes of a branch or tag; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct RefChange {
    pub name: Option<String>,
    pub note: Option<String>,
    pub colour: Option<String>,
}

/// Floors in order.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Floors {
    /// Number of floors of the branch.
    pub total: usize,
    pub floors: Vec<FloorLine>,
}

/// Texts in order.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Path {
    /// Number of floors of the branch.
    pub total: usize,
    pub turns: Vec<Turn>,
}

/// One floor with the whole texts of its pages.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Turn {
    pub floor: usize,
    pub role: Role,
    pub name: String,
    pub hidden: bool,
    /// Index of the active page.
    pub active: usize,
    pub pages: Vec<PageText>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PageText {
    pub page: PageId,
    pub text: String,
}

/// The messages for a model.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Messages {
    pub messages: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Message {
    pub floor: usize,
    pub page: PageId,
    pub role: Role,
    pub name: String,
    pub text: String,
}

/// Which path of a state.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StateQuery {
    /// A path such as `角色.金币`; absent: the whole state.
    pub path: Option<String>,
}

/// A state, or the value at one path of it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct State {
    /// Hash of the whole state.
    pub hash: StateHash,
    /// Whether there is a value at this path.
    pub found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub value: Option<Json>,
}
