//! Stories, branches and texts.

use serde::{Deserialize, Serialize};
use storeyline_engine::{PromptMessage, Turn};
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::{Branch, Page, StateHash, Story};
use crate::wire::value::{Any, Object};
use crate::wire::view::{FloorLineWire, RefWire, StoryWire};

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
#[schema(as = Stories)]
pub(crate) struct StoriesWire {
    pub(crate) stories: Vec<StoryWire>,
}

/// A story without a host.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewStory)]
pub(crate) struct NewStoryWire {
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
#[schema(as = BegunStory)]
pub(crate) struct BegunStoryWire {
    pub(crate) story: Story,
    #[serde(rename = "ref")]
    pub(crate) branch: Branch,
}

/// How a change of an early floor affects the later ones.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EditPolicy)]
pub(crate) enum EditPolicyWire {
    /// They are recomputed at once.
    Auto,
    /// They keep their states, marked stale, until they are re-processed.
    Manual,
}

/// A story with its settings.
#[derive(Serialize, ToSchema)]
#[schema(as = StoryDetail)]
pub(crate) struct StoryDetailWire {
    #[serde(flatten)]
    pub(crate) story: StoryWire,
    pub(crate) edit_policy: EditPolicyWire,
    /// The current branch.
    pub(crate) current: Option<Branch>,
    /// Whether it is in the trash.
    pub(crate) trashed: bool,
}

/// Changes of a story; absent fields are unchanged.
#[derive(Deserialize, ToSchema)]
#[schema(as = StoryChange)]
pub(crate) struct StoryChangeWire {
    pub(crate) title: Option<String>,
    pub(crate) edit_policy: Option<EditPolicyWire>,
}

/// Numbers of the operations.
#[derive(Serialize, ToSchema)]
#[schema(as = DoneMany)]
pub(crate) struct DoneManyWire {
    pub(crate) operations: Vec<i64>,
}

/// Branches and tags.
#[derive(Serialize, ToSchema)]
#[schema(as = Refs)]
pub(crate) struct RefsWire {
    pub(crate) refs: Vec<RefWire>,
    /// The current branch.
    pub(crate) current: Option<Branch>,
}

#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RefKind)]
pub(crate) enum RefKindWire {
    /// Moves as the story continues.
    Branch,
    /// Never moves.
    Tag,
}

/// A branch or tag to be created.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewRef)]
pub(crate) struct NewRefWire {
    pub(crate) kind: RefKindWire,
    /// The branch or tag it starts from.
    pub(crate) from: Branch,
    /// Its last floor; absent: the end.
    pub(crate) floor: Option<u32>,
    pub(crate) name: String,
    /// Whether the new branch becomes the current one.
    #[serde(default)]
    pub(crate) switch: bool,
}

/// A branch or tag that was created.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeRef)]
pub(crate) struct MadeRefWire {
    #[serde(rename = "ref")]
    pub(crate) branch: Branch,
    pub(crate) operation: Option<i64>,
}

/// Changes of a branch or tag; absent fields are unchanged.
#[derive(Deserialize, ToSchema)]
#[schema(as = RefChange)]
pub(crate) struct RefChangeWire {
    pub(crate) name: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) colour: Option<String>,
}

/// Floors in order.
#[derive(Serialize, ToSchema)]
#[schema(as = Floors)]
pub(crate) struct FloorsWire {
    /// Number of floors of the branch.
    pub(crate) total: usize,
    pub(crate) floors: Vec<FloorLineWire>,
}

/// Texts in order.
#[derive(Serialize, ToSchema)]
#[schema(as = Path)]
pub(crate) struct PathWire {
    /// Number of floors of the branch.
    pub(crate) total: usize,
    pub(crate) turns: Vec<TurnWire>,
}

/// One floor with the whole texts of its pages.
#[derive(Serialize, ToSchema)]
#[schema(as = Turn)]
pub(crate) struct TurnWire {
    floor: usize,
    role: &'static str,
    name: String,
    hidden: bool,
    /// Index of the active page.
    active: usize,
    pages: Vec<PageTextWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageText)]
pub(crate) struct PageTextWire {
    page: Page,
    text: String,
}

impl TurnWire {
    pub(crate) fn new(floor: usize, turn: Turn, texts: Vec<String>) -> Self {
        let pages = turn.pages.iter().zip(texts).map(|(page, text)| PageTextWire { page: page.page.into(), text });
        TurnWire {
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
#[schema(as = Messages)]
pub(crate) struct MessagesWire {
    pub(crate) messages: Vec<MessageWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Message)]
pub struct MessageWire {
    floor: usize,
    page: Page,
    role: &'static str,
    name: String,
    text: String,
}

impl From<PromptMessage> for MessageWire {
    fn from(message: PromptMessage) -> Self {
        MessageWire {
            floor: message.floor,
            page: message.page.into(),
            role: message.role.as_str(),
            name: message.name,
            text: message.text,
        }
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
#[schema(as = State)]
pub(crate) struct StateWire {
    /// Hash of the whole state.
    pub(crate) hash: StateHash,
    /// Whether there is a value at this path.
    pub(crate) found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    pub(crate) value: Option<Any>,
}
