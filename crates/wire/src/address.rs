//! Types of path and query parameters that several routes share.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::ids::{NodeId, PageId, RefId, StoryId};

/// `/stories/{story}`
#[derive(Deserialize, IntoParams)]
pub struct StoryAt {
    pub story: StoryId,
}

/// `/stories/{story}/refs/{ref}`
#[derive(Deserialize, IntoParams)]
pub struct RefAt {
    pub story: StoryId,
    /// A branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub branch: RefId,
}

/// `/stories/{story}/refs/{ref}/…/{other}`
#[derive(Deserialize, IntoParams)]
pub struct TwoRefsAt {
    pub story: StoryId,
    /// A branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub branch: RefId,
    /// Another branch or tag of the same story.
    pub other: RefId,
}

/// `/stories/{story}/refs/{ref}/floors/{floor}`
#[derive(Deserialize, IntoParams)]
pub struct FloorAt {
    pub story: StoryId,
    /// A branch or tag.
    #[serde(rename = "ref")]
    #[param(rename = "ref")]
    pub branch: RefId,
    /// From 0.
    pub floor: u32,
}

/// A range of floors.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    /// The first floor.
    #[serde(default)]
    pub from: u32,
    /// At most 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 200)]
    pub limit: u32,
}

const MAX_FLOORS: u32 = 1_000;

fn default_limit() -> u32 {
    200
}

impl RangeQuery {
    pub fn limit(&self) -> usize {
        self.limit.min(MAX_FLOORS) as usize
    }
}

/// Which page of a floor.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// An alternative; absent: the active page.
    pub page: Option<PageId>,
}

/// The head expected by the client.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HeadQuery {
    /// The expected head of the branch; if it differs, nothing is written (an append is stored as an alternative).
    pub head: Option<NodeId>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LimitQuery {
    /// At most 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 200)]
    pub limit: u32,
}

impl LimitQuery {
    pub fn limit(&self) -> usize {
        self.limit.min(MAX_FLOORS) as usize
    }
}
