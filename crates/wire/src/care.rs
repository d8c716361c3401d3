//! Maintenance of the data folder.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::Cursor;
use crate::search::SearchIndex;

/// Status of the engine.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Status {
    pub version: String,
    /// Layout version of the database.
    pub layout: i64,
    /// Whether readers and a writer can work concurrently.
    pub wal: bool,
    /// The owner whose stories the client sees.
    pub owner: String,
    /// The position of the last change.
    pub last: Cursor,
    pub search: SearchIndex,
    /// Size of the database in bytes; only for the owner who runs the engine.
    pub file_bytes: Option<u64>,
    /// The data folder; only for the owner who runs the engine.
    pub data: Option<String>,
    /// Problems found in the database file, if a check was requested.
    pub problems: Option<Vec<String>>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StatusQuery {
    /// Whether to check the database file for damage.
    #[serde(default)]
    pub check: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Health {
    pub ok: bool,
    pub name: String,
    pub version: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stats {
    pub stories: u64,
    pub refs: u64,
    pub floors: u64,
    pub nodes: u64,
    pub pages: u64,
    pub states: u64,
    pub operations: u64,
    /// Of the whole file, only for the owner who runs the engine; of a story, those of its rows.
    pub bytes: Option<Bytes>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Bytes {
    pub state: u64,
    pub tree_and_log: u64,
    pub content: u64,
    pub search: u64,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Verify {
    /// Whether to repair what can be recomputed.
    #[serde(default)]
    pub repair: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Verified {
    pub stories: usize,
    pub branches: usize,
    pub floors: usize,
    /// Number of floors whose state is from before a change further up (edit policy `manual`).
    pub stale: usize,
    pub problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// Name of the branch or tag.
    pub branch: String,
    pub floor: usize,
    pub what: String,
    pub repaired: bool,
}

/// What to collect.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Collect {
    /// Only count; on by default.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub dry_run: bool,
    /// Days that branches and stories stay in the trash.
    #[serde(default = "trash_days")]
    #[schema(default = 30, maximum = 36500)]
    pub trash_days: u32,
    /// Days that operations can be undone.
    #[serde(default = "undo_days")]
    #[schema(default = 90, maximum = 36500)]
    pub undo_days: u32,
}

fn yes() -> bool {
    true
}

fn trash_days() -> u32 {
    30
}

fn undo_days() -> u32 {
    90
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Collected {
    pub dry_run: bool,
    pub refs: usize,
    pub operations: usize,
    pub nodes: usize,
    pub turns: usize,
    pub pages: usize,
    pub texts: usize,
    pub states: usize,
    pub values: usize,
    /// More could go: the stories were written to all the time. Ask again later.
    pub unfinished: bool,
}

/// A copy of the database in the data folder.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BackedUp {
    /// Name of the file in the folder `backups`.
    pub file: String,
    pub bytes: u64,
}
