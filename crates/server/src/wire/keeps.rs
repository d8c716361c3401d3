//! Templates, function libraries and global snapshots.

use serde::{Deserialize, Serialize};
use storeyline_engine::{GlobalSnapshot, Version};
use utoipa::{IntoParams, ToSchema};

use crate::wire::common::WordsWire;
use crate::wire::ids::{Branch, Story};
use crate::wire::value::{Any, Object};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct CardAt {
    /// The card, by the name of its file in the host.
    pub(crate) card: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Cards)]
pub(crate) struct CardsWire {
    pub(crate) cards: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Template)]
pub(crate) struct TemplateWire {
    pub(crate) card: String,
    pub(crate) template: Any,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = PutTemplate)]
pub(crate) struct PutTemplateWire {
    pub(crate) template: Object,
}

/// Number of the new version.
#[derive(Serialize, ToSchema)]
#[schema(as = NewVersion)]
pub(crate) struct NewVersionWire {
    pub(crate) version: i64,
}

/// The newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = Versions)]
pub(crate) struct VersionsWire {
    pub(crate) versions: Vec<VersionWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Version)]
pub(crate) struct VersionWire {
    version: i64,
    /// Milliseconds since 1970.
    time: i64,
    /// Null if it was deleted.
    #[schema(value_type = Any, required = true)]
    value: Option<Any>,
}

impl From<Vec<Version>> for VersionsWire {
    fn from(versions: Vec<Version>) -> Self {
        let wire = |version: Version| VersionWire {
            version: version.version,
            time: version.time,
            value: version.value.map(Any),
        };
        VersionsWire { versions: versions.into_iter().map(wire).collect() }
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
#[schema(as = Library)]
pub(crate) struct LibraryWire {
    pub(crate) library: Any,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = PutLibrary)]
pub(crate) struct PutLibraryWire {
    pub(crate) library: Any,
}

/// The result of importing a library.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedLibrary)]
pub(crate) struct ImportedLibraryWire {
    pub(crate) version: i64,
    /// Names of the imported functions, all switched off.
    pub(crate) imported: Vec<String>,
    /// Problems of the rest.
    pub(crate) problems: Vec<WordsWire>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SnapshotsQuery {
    /// Words that must all occur in name, description or tags.
    #[serde(default)]
    pub(crate) q: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct SnapshotAt {
    pub(crate) snapshot: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Snapshots)]
pub(crate) struct SnapshotsWire {
    pub(crate) snapshots: Vec<SnapshotLineWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SnapshotLine)]
pub(crate) struct SnapshotLineWire {
    snapshot: String,
    name: String,
    description: String,
    tags: Vec<String>,
}

impl From<&GlobalSnapshot> for SnapshotLineWire {
    fn from(snapshot: &GlobalSnapshot) -> Self {
        SnapshotLineWire {
            snapshot: snapshot.id.clone(),
            name: snapshot.name.clone(),
            description: snapshot.description.clone(),
            tags: snapshot.tags.clone(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Snapshot)]
pub(crate) struct SnapshotWire {
    #[serde(flatten)]
    labels: SnapshotLineWire,
    state: Any,
}

impl From<GlobalSnapshot> for SnapshotWire {
    fn from(snapshot: GlobalSnapshot) -> Self {
        SnapshotWire { labels: (&snapshot).into(), state: Any(snapshot.state) }
    }
}

/// A global snapshot to be saved.
#[derive(Deserialize, ToSchema)]
#[schema(as = PutSnapshot)]
pub(crate) struct PutSnapshotWire {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    tags: Vec<String>,
    state: Object,
}

impl PutSnapshotWire {
    pub(crate) fn named(self, id: String) -> GlobalSnapshot {
        let PutSnapshotWire { name, description, tags, state } = self;
        GlobalSnapshot { id, name, description, tags, state: state.0 }
    }
}

/// The state of a floor, to be saved.
#[derive(Deserialize, ToSchema)]
#[schema(as = SnapshotFloor)]
pub(crate) struct SnapshotFloorWire {
    pub(crate) story: Story,
    #[serde(rename = "ref")]
    pub(crate) branch: Branch,
    pub(crate) floor: u32,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = KeptSnapshot)]
pub(crate) struct KeptSnapshotWire {
    pub(crate) snapshot: String,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ToTemplate)]
pub(crate) struct ToTemplateWire {
    /// The card whose template it becomes.
    pub(crate) card: String,
}
