//! Maintenance of the data folder.

use serde::{Deserialize, Serialize};
use storeyline_engine as engine;
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::Cursor;
use crate::wire::search::SearchIndex;

/// Status of the engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct Status {
    pub(crate) version: &'static str,
    /// Layout version of the database.
    pub(crate) layout: i64,
    /// Whether readers and a writer can work concurrently.
    pub(crate) wal: bool,
    /// The owner whose stories the client sees.
    pub(crate) owner: String,
    /// The position of the last change.
    pub(crate) last: Cursor,
    pub(crate) search: SearchIndex,
    /// Size of the database in bytes; only for the owner who runs the engine.
    pub(crate) file_bytes: Option<u64>,
    /// Problems found in the database file, if a check was requested.
    pub(crate) problems: Option<Vec<String>>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatusQuery {
    /// Whether to check the database file for damage.
    #[serde(default)]
    pub(crate) check: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    pub(crate) ok: bool,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

#[derive(Serialize, ToSchema)]
pub struct Stats {
    stories: u64,
    refs: u64,
    floors: u64,
    nodes: u64,
    pages: u64,
    states: u64,
    operations: u64,
    /// Of the whole file, only for the owner who runs the engine; of a story, those of its rows.
    bytes: Option<Bytes>,
}

#[derive(Serialize, ToSchema)]
struct Bytes {
    state: u64,
    tree_and_log: u64,
    content: u64,
    search: u64,
}

impl Stats {
    pub fn new(stats: engine::Stats, with_bytes: bool) -> Self {
        let engine::Stats { stories, refs, floors, nodes, pages, states, operations, bytes } = stats;
        let engine::Bytes { state, tree_and_log, content, search } = bytes;
        let bytes = with_bytes.then_some(Bytes { state, tree_and_log, content, search });
        Stats { stories, refs, floors, nodes, pages, states, operations, bytes }
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct Verify {
    /// Whether to repair what can be recomputed.
    #[serde(default)]
    pub(crate) repair: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Verified {
    stories: usize,
    branches: usize,
    floors: usize,
    /// Number of floors whose state is from before a change further up (edit policy `manual`).
    stale: usize,
    problems: Vec<Problem>,
}

#[derive(Serialize, ToSchema)]
struct Problem {
    branch: String,
    floor: usize,
    what: String,
    repaired: bool,
}

impl From<engine::Verified> for Verified {
    fn from(verified: engine::Verified) -> Self {
        let engine::Verified { stories, branches, floors, stale, problems } = verified;
        let problem = |engine::Problem { branch, floor, what, repaired }| Problem { branch, floor, what, repaired };
        Verified { stories, branches, floors, stale, problems: problems.into_iter().map(problem).collect() }
    }
}

/// What to collect.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Collect {
    /// Only count; on by default.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub(crate) dry_run: bool,
    /// Days that branches and stories stay in the trash.
    #[serde(default = "trash_days")]
    #[schema(default = 30, maximum = 36500)]
    pub(crate) trash_days: u32,
    /// Days that operations can be undone.
    #[serde(default = "undo_days")]
    #[schema(default = 90, maximum = 36500)]
    pub(crate) undo_days: u32,
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

#[derive(Serialize, ToSchema)]
pub struct Collected {
    dry_run: bool,
    refs: usize,
    operations: usize,
    nodes: usize,
    turns: usize,
    pages: usize,
    texts: usize,
    states: usize,
    values: usize,
    /// More could go: the stories were written to all the time. Ask again later.
    unfinished: bool,
}

impl Collected {
    pub fn new(collected: engine::Collected, dry_run: bool) -> Self {
        let engine::Collected { refs, operations, nodes, turns, pages, texts, states, values, is_unfinished } =
            collected;
        Collected { dry_run, refs, operations, nodes, turns, pages, texts, states, values, unfinished: is_unfinished }
    }
}
