//! Comparing branches, merging states, recomputing states.

use serde::{Deserialize, Serialize};
use storeyline_engine::{Comparison, FloorChange, Listed, MergePreview, Prefer, Reprocessed, Turn};
use utoipa::{IntoParams, ToSchema};

use crate::wire::common::{OpWire, StepWire, ops, path};
use crate::wire::ids::{Branch, Page};
use crate::wire::operation::EditedWire;
use crate::wire::rules::RulesChangeWire;
use crate::wire::value::Any;

#[derive(Serialize, ToSchema)]
#[schema(as = Comparison)]
pub(crate) struct ComparisonWire {
    /// Number of floors that both share.
    shared: usize,
    /// Floors after that on the first branch.
    ours: Vec<ComparedWire>,
    /// Floors after that on the other branch.
    theirs: Vec<ComparedWire>,
    /// Changes from the state of the first branch to that of the other.
    state: Vec<OpWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Compared)]
pub struct ComparedWire {
    floor: usize,
    page: Page,
    role: &'static str,
    name: String,
    text: String,
}

impl ComparedWire {
    pub fn new(floor: usize, turn: &Turn, text: &str) -> Self {
        ComparedWire {
            floor,
            page: turn.active_page().page.into(),
            role: turn.role.as_str(),
            name: turn.name.clone(),
            text: text.to_owned(),
        }
    }
}

impl From<Comparison> for ComparisonWire {
    fn from(compared: Comparison) -> Self {
        let shared = compared.shared;
        let side = |turns: &[(Listed, String)]| {
            let floors = turns.iter().enumerate();
            floors.map(|(index, (turn, text))| ComparedWire::new(shared + index, turn, text)).collect()
        };
        let state = ops(&compared.state);
        ComparisonWire { shared, ours: side(&compared.ours), theirs: side(&compared.theirs), state }
    }
}

/// Which side has priority in a conflict.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Prefer)]
pub(crate) enum PreferWire {
    /// The branch that is merged into.
    Ours,
    /// The other branch.
    Theirs,
}

impl From<PreferWire> for Prefer {
    fn from(prefer: PreferWire) -> Self {
        match prefer {
            PreferWire::Ours => Prefer::Ours,
            PreferWire::Theirs => Prefer::Theirs,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MergeQuery {
    /// Which side has priority in a conflict.
    pub(crate) prefer: Option<PreferWire>,
}

/// A merge of states.
#[derive(Deserialize, ToSchema)]
#[schema(as = Merge)]
pub(crate) struct MergeWire {
    /// The branch or tag whose state is merged in.
    pub(crate) from: Branch,
    /// Which side has priority in a conflict; absent: a conflict prevents the merge.
    pub(crate) prefer: Option<PreferWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = MergePreview)]
pub(crate) struct MergePreviewWire {
    /// The floor whose state is the common base; absent: the initial state.
    base: Option<usize>,
    state: Any,
    /// Paths that both sides changed differently.
    conflicts: Vec<ConflictWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Conflict)]
struct ConflictWire {
    path: Vec<StepWire>,
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

impl From<MergePreview> for MergePreviewWire {
    fn from(preview: MergePreview) -> Self {
        let conflicts = preview.conflicts.into_iter().map(|conflict| ConflictWire {
            path: path(&conflict.path),
            base: conflict.base.map(Any),
            ours: conflict.ours.map(Any),
            theirs: conflict.theirs.map(Any),
        });
        MergePreviewWire { base: preview.base, conflicts: conflicts.collect(), state: Any(preview.state) }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Merged)]
pub(crate) struct MergedWire {
    pub(crate) edited: EditedWire,
    pub(crate) merge: MergePreviewWire,
}

/// States to be recomputed.
#[derive(Deserialize, ToSchema)]
#[schema(as = Reprocess)]
pub(crate) struct ReprocessWire {
    /// The first floor.
    #[serde(default)]
    pub(crate) from: u32,
    /// The last floor; absent: to the end.
    pub(crate) to: Option<u32>,
    /// Only preview what would change.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Other rules than those of the story: then nothing is written.
    pub(crate) what_if: Option<RulesChangeWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Reprocessed)]
pub(crate) struct ReprocessedWire {
    /// Absent if nothing was written.
    operation: Option<i64>,
    /// Number of floors that were recomputed.
    floors: usize,
    changed: Vec<FloorChangeWire>,
}

/// A floor whose state differs.
#[derive(Serialize, ToSchema)]
#[schema(as = FloorChange)]
pub struct FloorChangeWire {
    floor: usize,
    state: Vec<OpWire>,
}

impl From<&FloorChange> for FloorChangeWire {
    fn from(change: &FloorChange) -> Self {
        FloorChangeWire { floor: change.floor, state: ops(&change.ops) }
    }
}

impl From<Reprocessed> for ReprocessedWire {
    fn from(done: Reprocessed) -> Self {
        let changed = done.changed.iter().map(Into::into).collect();
        ReprocessedWire { operation: done.operation, floors: done.floors, changed }
    }
}
