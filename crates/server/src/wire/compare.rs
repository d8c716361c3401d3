//! Comparing branches, merging states, recomputing states.

use serde::{Deserialize, Serialize};
use storeyline_engine::{self as engine, Listed, Turn};
use storeyline_state::merge;
use utoipa::{IntoParams, ToSchema};

use crate::wire::common::{Change, Step, all, ops, path};
use crate::wire::ids::{PageId, RefId};
use crate::wire::operation::Edited;
use crate::wire::rules::RulesChange;
use crate::wire::value::Any;

#[derive(Serialize, ToSchema)]
pub(crate) struct Comparison {
    /// Number of floors that both share.
    shared: usize,
    /// Floors after that on the first branch.
    ours: Vec<Compared>,
    /// Floors after that on the other branch.
    theirs: Vec<Compared>,
    /// Changes from the state of the first branch to that of the other.
    state: Vec<Change>,
}

#[derive(Serialize, ToSchema)]
pub struct Compared {
    floor: usize,
    page: PageId,
    role: &'static str,
    name: String,
    text: String,
}

impl Compared {
    pub fn new(floor: usize, turn: &Turn, text: &str) -> Self {
        Compared {
            floor,
            page: turn.active_page().page.into(),
            role: turn.role.as_str(),
            name: turn.name.clone(),
            text: text.to_owned(),
        }
    }
}

impl From<engine::Comparison> for Comparison {
    fn from(compared: engine::Comparison) -> Self {
        let shared = compared.shared;
        let side = |turns: &[(Listed, String)]| {
            let floors = turns.iter().enumerate();
            floors.map(|(index, (turn, text))| Compared::new(shared + index, turn, text)).collect()
        };
        let state = ops(&compared.state);
        Comparison { shared, ours: side(&compared.ours), theirs: side(&compared.theirs), state }
    }
}

/// Which side has priority in a conflict.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Prefer {
    /// The branch that is merged into.
    Ours,
    /// The other branch.
    Theirs,
}

impl From<Prefer> for engine::Prefer {
    fn from(prefer: Prefer) -> Self {
        match prefer {
            Prefer::Ours => engine::Prefer::Ours,
            Prefer::Theirs => engine::Prefer::Theirs,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MergeQuery {
    /// Which side has priority in a conflict.
    pub(crate) prefer: Option<Prefer>,
}

/// A merge of states.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Merge {
    /// The branch or tag whose state is merged in.
    pub(crate) from: RefId,
    /// Which side has priority in a conflict; absent: a conflict prevents the merge.
    pub(crate) prefer: Option<Prefer>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MergePreview {
    /// The floor whose state is the common base; absent: the initial state.
    base: Option<usize>,
    state: Any,
    /// Paths that both sides changed differently.
    conflicts: Vec<Conflict>,
}

#[derive(Serialize, ToSchema)]
struct Conflict {
    path: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    base: Option<Any>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    ours: Option<Any>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    theirs: Option<Any>,
}

impl From<engine::MergePreview> for MergePreview {
    fn from(engine::MergePreview { base, state, conflicts }: engine::MergePreview) -> Self {
        MergePreview { base, state: Any(state), conflicts: all(conflicts) }
    }
}

impl From<merge::Conflict> for Conflict {
    fn from(merge::Conflict { path: steps, base, ours, theirs }: merge::Conflict) -> Self {
        Conflict { path: path(&steps), base: base.map(Any), ours: ours.map(Any), theirs: theirs.map(Any) }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Merged {
    pub(crate) edited: Edited,
    pub(crate) merge: MergePreview,
}

/// States to be recomputed.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Reprocess {
    /// The first floor.
    #[serde(default)]
    pub(crate) from: u32,
    /// The last floor; absent: to the end.
    pub(crate) to: Option<u32>,
    /// Only preview what would change.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Other rules than those of the story: then nothing is written.
    pub(crate) what_if: Option<RulesChange>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Reprocessed {
    /// Absent if nothing was written.
    operation: Option<i64>,
    /// Number of floors that were recomputed.
    floors: usize,
    changed: Vec<FloorChange>,
}

/// A floor whose state differs.
#[derive(Serialize, ToSchema)]
pub struct FloorChange {
    floor: usize,
    state: Vec<Change>,
}

impl From<&engine::FloorChange> for FloorChange {
    fn from(change: &engine::FloorChange) -> Self {
        FloorChange { floor: change.floor, state: ops(&change.ops) }
    }
}

impl From<engine::Reprocessed> for Reprocessed {
    fn from(done: engine::Reprocessed) -> Self {
        Reprocessed { operation: done.operation, floors: done.floors, changed: all(&done.changed) }
    }
}
