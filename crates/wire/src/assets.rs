//! Templates and global snapshots.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{RefId, StoryId};
use crate::value::{Json, JsonObject};

#[derive(Deserialize, IntoParams)]
pub struct CardAt {
    /// The card, by the name of its file in the host.
    pub card: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Cards {
    pub cards: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Template {
    pub card: String,
    pub template: Json,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct PutTemplate {
    pub template: JsonObject,
}

/// Number of the new version.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NewVersion {
    pub version: i64,
}

/// The newest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Versions {
    pub versions: Vec<Version>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Version {
    pub version: i64,
    /// Milliseconds since 1970.
    pub time: i64,
    /// Null if it was deleted.
    #[schema(value_type = Json, required = true)]
    pub value: Option<Json>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SnapshotsQuery {
    /// Words that must all occur in name, description or tags.
    #[serde(default)]
    pub q: String,
}

#[derive(Deserialize, IntoParams)]
pub struct SnapshotAt {
    pub snapshot: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Snapshots {
    pub snapshots: Vec<SnapshotLine>,
}

/// A global snapshot without its state.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SnapshotLine {
    pub snapshot: String,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    /// Number of values in its state.
    pub values: usize,
    /// The floor it was saved from; null if it was written by hand or imported.
    pub from: Option<SnapshotOrigin>,
    /// When it was saved, in milliseconds since 1970.
    pub changed: i64,
}

/// The floor that a snapshot was saved from, as it was called then.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SnapshotOrigin {
    pub story: String,
    pub branch: String,
    pub floor: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Snapshot {
    #[serde(flatten)]
    pub labels: SnapshotLine,
    pub state: Json,
}

/// A global snapshot to be saved.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
pub struct PutSnapshot {
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub tags: Vec<String>,
    pub state: JsonObject,
}

/// The state of a floor, to be saved.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct SnapshotFloor {
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub floor: u32,
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct KeptSnapshot {
    pub snapshot: String,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ToTemplate {
    /// The card whose template it becomes.
    pub card: String,
}
