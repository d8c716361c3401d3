//! The tree of a story: branches and tags as chains of floors, marked floors, pages beside the active ones, the
//! places of a page, and the operations on all branches.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{Cursor, PageId, RefId, StoryId};
use crate::operation::Operation;
use crate::search::HitPlace;
use crate::view::FloorLine;

/// The tree of a story, with long runs of floors left out.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Graph {
    /// The first is the path of the current branch. A parent is before its children.
    pub chains: Vec<Chain>,
    pub refs: Vec<RefPlace>,
    /// Number of branches and tags that are not in the answer; the last changed are.
    pub left_out: usize,
}

/// Floors after one another that no earlier chain has.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Chain {
    /// Index of the chain that it leaves; absent: it begins the story.
    pub parent: Option<usize>,
    /// First floor; the one before belongs to the parent.
    pub from: usize,
    /// Last floor.
    pub to: usize,
    /// A branch or tag whose path includes the chain; its floors in between are read there.
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// Floors with a fork, a branch or a tag, and up to two of their neighbours on each side. The floors between two
    /// lines are left out.
    pub lines: Vec<FloorLine>,
}

/// The last floor of a branch or tag.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RefPlace {
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// Index of the chain.
    pub chain: usize,
    pub floor: usize,
    /// Place in the order in which the branches and tags of the story were made, those in the trash included.
    pub made: usize,
}

/// Which floors are marked; several conditions: any of them.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MarksQuery {
    /// Floors with failed calls.
    #[serde(default)]
    pub failed: bool,
    /// Floors that were edited by hand.
    #[serde(default)]
    pub overridden: bool,
    /// Floors that changed this path, such as `角色.金币`, or something inside it.
    pub path: Option<String>,
}

/// Floors of all branches that fulfil a condition.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Marks {
    /// A floor that several branches share occurs once. At most 2,000.
    pub marks: Vec<Mark>,
    /// Whether the search ended before all floors were examined: there are more marks, or time was up.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Mark {
    /// A branch or tag that has the floor.
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub floor: usize,
}

/// The floors of a range that have more than one page.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Siblings {
    pub floors: Vec<FloorPages>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FloorPages {
    pub floor: usize,
    pub pages: Vec<SiblingPage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SiblingPage {
    pub page: PageId,
    /// Beginning of the text, on one line.
    pub preview: String,
    /// Whether its calls are executed and models read it.
    pub valid: bool,
    /// Number of floors that come back below it when it is swiped to; absent: it was never left, and what follows
    /// stays.
    pub continues: Option<usize>,
    /// Branches that leave this one here and read this page.
    pub branches: Vec<RefId>,
}

/// `/stories/{story}/pages/{page}`
#[derive(Deserialize, IntoParams)]
pub struct PageAt {
    pub story: StoryId,
    pub page: PageId,
}

/// Where a page is, on all branches and tags.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PagePlaces {
    pub page: PageId,
    /// Branches first, then tags, then what is in the trash; empty: no branch has the page any more.
    pub places: Vec<HitPlace>,
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StoryLogQuery {
    /// At most 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 200)]
    pub limit: u32,
    /// Only operations before this position, as in `at`.
    pub before: Option<Cursor>,
    /// Only deletions of pages and floors that were not undone.
    #[serde(default)]
    pub deleted: bool,
}

const MAX_OPERATIONS: u32 = 1_000;

fn default_limit() -> u32 {
    200
}

impl StoryLogQuery {
    pub fn limit(&self) -> usize {
        self.limit.min(MAX_OPERATIONS) as usize
    }
}

/// The operations on all branches and tags of a story, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StoryLog {
    pub operations: Vec<StoryOperation>,
    /// Whether there are earlier ones.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StoryOperation {
    /// Position among all operations; opaque.
    pub at: Cursor,
    /// The branch or tag that was changed.
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// Its present name.
    pub name: String,
    #[serde(flatten)]
    pub operation: Operation,
}
