//! Comparing branches, merging states, recomputing states.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::common::{Change, Path};
use crate::ids::{PageId, RefId};
use crate::operation::Edited;
use crate::rules::RulesChange;
use crate::value::Json;
use crate::words::{Prefer, Role};

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Comparison {
    /// Number of floors that both share.
    pub shared: usize,
    /// Floors after that on the first branch.
    pub ours: Vec<Compared>,
    /// Floors after that on the other branch.
    pub theirs: Vec<Compared>,
    /// Changes from the state of the first branch to that of the other.
    pub state: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Compared {
    pub floor: usize,
    pub page: PageId,
    pub role: Role,
    pub name: String,
    pub text: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MergeQuery {
    /// Which side has priority in a conflict.
    pub prefer: Option<Prefer>,
}

/// A merge of states.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Merge {
    /// The branch or tag whose state is merged in.
    pub from: RefId,
    /// Which side has priority in a conflict; absent: a conflict prevents the merge.
    pub prefer: Option<Prefer>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MergePreview {
    /// The floor whose state is the common base; absent: the initial state.
    pub base: Option<usize>,
    pub state: Json,
    /// Paths that both sides changed differently.
    pub conflicts: Vec<Conflict>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Conflict {
    pub path: Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub base: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub ours: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub theirs: Option<Json>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Merged {
    pub edited: Edited,
    pub merge: MergePreview,
}

/// States to be recomputed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Reprocess {
    /// The first floor.
    #[serde(default)]
    pub from: u32,
    /// The last floor; absent: to the end.
    pub to: Option<u32>,
    /// Only preview what would change.
    #[serde(default)]
    pub dry_run: bool,
    /// Other rules than those of the story: then nothing is written.
    pub what_if: Option<RulesChange>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Reprocessed {
    /// Absent if nothing was written.
    pub operation: Option<i64>,
    /// Number of floors that were recomputed.
    pub floors: usize,
    pub changed: Vec<FloorChange>,
}

/// What a change would do to the states of a branch. Nothing was written.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Ripple {
    /// Number of floors from the changed one to the end.
    pub floors: usize,
    /// How many of them were computed. Fewer than `floors`: time was up, and `changed` is the least number.
    pub computed: usize,
    /// How many replies among them get another state.
    pub changed: usize,
    /// The first of them, at most 200, with at most 50 changes each; values that would make the answer large are
    /// left out.
    pub first: Vec<FloorChange>,
    /// What is different in the rules; only for a re-process, and only if a floor has other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub rules: Option<RulesStep>,
}

/// From the rules of the first floor that has other ones to the current rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulesStep {
    /// How many floors have other rules than the current ones.
    pub floors: usize,
    /// When the first of them was written, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Names of the settings that differ.
    pub settings: Vec<String>,
    /// Names of the functions that were added, removed or changed.
    pub functions: Vec<String>,
}

/// A floor whose state differs.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FloorChange {
    pub floor: usize,
    pub state: Vec<Change>,
}
