//! The parts of addresses.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::wire::ids::{Branch, Node, Page, Story};

/// `/stories/{story}`
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct StoryAt {
    /// The story.
    pub(crate) story: Story,
}

/// `/stories/{story}/refs/{ref}`
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RefAt {
    /// The story.
    pub(crate) story: Story,
    /// The branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub(crate) branch: Branch,
}

/// `/stories/{story}/refs/{ref}/…/{other}`
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct TwoRefsAt {
    /// The story.
    pub(crate) story: Story,
    /// The branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub(crate) branch: Branch,
    /// Another branch or tag of the same story.
    pub(crate) other: Branch,
}

/// `/stories/{story}/refs/{ref}/floors/{floor}`
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct FloorAt {
    /// The story.
    pub(crate) story: Story,
    /// The branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub(crate) branch: Branch,
    /// The floor, from 0.
    pub(crate) floor: u32,
}

/// A stretch of floors.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RangeQuery {
    /// The first floor.
    #[serde(default)]
    pub(crate) from: u32,
    /// How many at most; never more than 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 200)]
    pub(crate) limit: u32,
}

/// More floors than these come in parts.
const MAX_FLOORS: u32 = 1_000;

fn default_limit() -> u32 {
    200
}

impl RangeQuery {
    pub(crate) fn limit(&self) -> usize {
        self.limit.min(MAX_FLOORS) as usize
    }
}

/// Which page of a floor.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// An alternative that is not the one that is read.
    pub(crate) page: Option<Page>,
}

/// What the asker believes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HeadQuery {
    /// Where the asker believes that the branch stands; if it does not, nothing is written (an append is kept
    /// beside what came first).
    pub(crate) head: Option<Node>,
}

/// How many.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LimitQuery {
    /// How many at most; never more than 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 200)]
    pub(crate) limit: u32,
}

impl LimitQuery {
    pub(crate) fn limit(&self) -> usize {
        self.limit.min(MAX_FLOORS) as usize
    }
}
