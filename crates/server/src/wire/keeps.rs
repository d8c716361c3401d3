//! Templates, function libraries and global snapshots.

use serde::{Deserialize, Serialize};
use storeyline_engine::{self as engine, GlobalSnapshot};
use utoipa::{IntoParams, ToSchema};

use crate::wire::common::Words;
use crate::wire::ids::{RefId, StoryId};
use crate::wire::value::{Any, Object};

#[derive(Deserialize, IntoParams)]
pub(crate) struct CardAt {
    /// The card, by the name of its file in the host.
    pub(crate) card: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Cards {
    pub(crate) cards: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Template {
    pub(crate) card: String,
    pub(crate) template: Any,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PutTemplate {
    pub(crate) template: Object,
}

/// Number of the new version.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewVersion {
    pub(crate) version: i64,
}

/// The newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Versions {
    pub(crate) versions: Vec<Version>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Version {
    version: i64,
    /// Milliseconds since 1970.
    time: i64,
    /// Null if it was deleted.
    #[schema(value_type = Any, required = true)]
    value: Option<Any>,
}

impl From<Vec<engine::Version>> for Versions {
    fn from(versions: Vec<engine::Version>) -> Self {
        let wire = |engine::Version { version, time, value }| Version { version, time, value: value.map(Any) };
        Versions { versions: versions.into_iter().map(wire).collect() }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ScopeQuery {
    /// The card of the functions; absent: those for all cards.
    #[serde(default)]
    pub(crate) card: String,
}

/// A function library in the exchange format.
#[derive(Serialize, ToSchema)]
pub(crate) struct Library {
    pub(crate) library: Any,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PutLibrary {
    pub(crate) library: Any,
}

/// The result of importing a library.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportedLibrary {
    pub(crate) version: i64,
    /// Names of the imported functions, all switched off.
    pub(crate) imported: Vec<String>,
    /// Problems of the rest.
    pub(crate) problems: Vec<Words>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SnapshotsQuery {
    /// Words that must all occur in name, description or tags.
    #[serde(default)]
    pub(crate) q: String,
}

#[derive(Deserialize, IntoParams)]
pub(crate) struct SnapshotAt {
    pub(crate) snapshot: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Snapshots {
    pub(crate) snapshots: Vec<SnapshotLine>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SnapshotLine {
    snapshot: String,
    name: String,
    description: String,
    tags: Vec<String>,
}

impl From<&GlobalSnapshot> for SnapshotLine {
    fn from(snapshot: &GlobalSnapshot) -> Self {
        let GlobalSnapshot { id, name, description, tags, .. } = snapshot.clone();
        SnapshotLine { snapshot: id, name, description, tags }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Snapshot {
    #[serde(flatten)]
    labels: SnapshotLine,
    state: Any,
}

impl From<GlobalSnapshot> for Snapshot {
    fn from(snapshot: GlobalSnapshot) -> Self {
        Snapshot { labels: (&snapshot).into(), state: Any(snapshot.state) }
    }
}

/// A global snapshot to be saved.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PutSnapshot {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    tags: Vec<String>,
    state: Object,
}

impl PutSnapshot {
    pub(crate) fn named(self, id: String) -> GlobalSnapshot {
        let PutSnapshot { name, description, tags, state } = self;
        GlobalSnapshot { id, name, description, tags, state: state.0 }
    }
}

/// The state of a floor, to be saved.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SnapshotFloor {
    pub(crate) story: StoryId,
    #[serde(rename = "ref")]
    pub(crate) branch: RefId,
    pub(crate) floor: u32,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct KeptSnapshot {
    pub(crate) snapshot: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ToTemplate {
    /// The card whose template it becomes.
    pub(crate) card: String,
}
