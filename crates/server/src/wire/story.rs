//! Stories, branches and texts, asked for and shown.

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

/// Stories, the one that changed last first.
#[derive(Serialize, ToSchema)]
#[schema(as = Stories)]
pub(crate) struct StoriesWire {
    pub(crate) stories: Vec<StoryWire>,
}

/// A story that no host tells.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewStory)]
pub(crate) struct NewStoryWire {
    pub(crate) title: String,
    /// The card it is played with; what is kept for that card counts.
    #[serde(default)]
    pub(crate) card: String,
    /// The first state; nothing: the template that is kept for the card.
    pub(crate) template: Option<Object>,
    /// Whose conventions count: `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
    /// The name of the first branch.
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

/// What a change of an early floor does to the later ones.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EditPolicy)]
pub(crate) enum EditPolicyWire {
    /// They follow at once.
    Auto,
    /// They keep their states, marked stale, until they are re-processed.
    Manual,
}

/// A story with what the user chose for it.
#[derive(Serialize, ToSchema)]
#[schema(as = StoryDetail)]
pub(crate) struct StoryDetailWire {
    #[serde(flatten)]
    pub(crate) story: StoryWire,
    pub(crate) edit_policy: EditPolicyWire,
    /// The branch that is read.
    pub(crate) current: Option<Branch>,
    /// Whether it lies in the trash.
    pub(crate) trashed: bool,
}

/// What is to be changed of a story; what is absent stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = StoryChange)]
pub(crate) struct StoryChangeWire {
    pub(crate) title: Option<String>,
    pub(crate) edit_policy: Option<EditPolicyWire>,
}

/// The numbers of the operations.
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
    /// The branch that is read.
    pub(crate) current: Option<Branch>,
}

/// Branch or tag.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RefKind)]
pub(crate) enum RefKindWire {
    /// Moves as the story goes on.
    Branch,
    /// Stays where it is.
    Tag,
}

/// A branch or tag to be made.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewRef)]
pub(crate) struct NewRefWire {
    pub(crate) kind: RefKindWire,
    /// The branch or tag it is cut from.
    pub(crate) from: Branch,
    /// After which floor; nothing: at its end.
    pub(crate) floor: Option<u32>,
    pub(crate) name: String,
    /// Whether the new branch is read from now on.
    #[serde(default)]
    pub(crate) switch: bool,
}

/// A branch or tag that was made.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeRef)]
pub(crate) struct MadeRefWire {
    #[serde(rename = "ref")]
    pub(crate) branch: Branch,
    pub(crate) operation: Option<i64>,
}

/// What is to be changed of a branch or tag; what is absent stays.
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
    /// How many floors the branch has.
    pub(crate) total: usize,
    pub(crate) floors: Vec<FloorLineWire>,
}

/// Texts in order.
#[derive(Serialize, ToSchema)]
#[schema(as = Path)]
pub(crate) struct PathWire {
    /// How many floors the branch has.
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
    /// Which page is read.
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

/// What a model reads.
#[derive(Serialize, ToSchema)]
#[schema(as = Messages)]
pub(crate) struct MessagesWire {
    pub(crate) messages: Vec<MessageWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Message)]
pub(crate) struct MessageWire {
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

/// Which place of a state.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StateQuery {
    /// A path such as `角色.金币`; nothing: the whole state.
    pub(crate) path: Option<String>,
}

/// A state, or one place of it.
#[derive(Serialize, ToSchema)]
#[schema(as = State)]
pub(crate) struct StateWire {
    /// Names the whole state.
    pub(crate) hash: StateHash,
    /// Whether there is a value at this place.
    pub(crate) found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    pub(crate) value: Option<Any>,
}
