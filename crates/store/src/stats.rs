//! How much there is, and how many bytes it takes.

use crate::error::StoreError;
use crate::keys::{StoryKey, own_rows};
use crate::sql::params;
use crate::store::{Owner, Store};

/// Bytes on disk by kind; of all owners, since pages of a file are shared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Evaluations, their traces, whole states.
    pub state: u64,
    /// Nodes, turns, versions of pages, refs, operations.
    pub tree_and_log: u64,
    /// Texts, host fields, rules.
    pub content: u64,
    /// The index for searching, if it is switched on.
    pub search: u64,
}

/// What an owner has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Stories.
    pub stories: u64,
    /// Branches and tags.
    pub refs: u64,
    /// Floors on branches and tags, shared ones counted once; what lies in the trash is left out.
    pub floors: u64,
    /// Versions of floors, those that only the log holds too.
    pub nodes: u64,
    /// Versions of pages.
    pub pages: u64,
    /// Evaluations, and the states they led to.
    pub states: u64,
    /// Operations in the log.
    pub operations: u64,
    /// Bytes on disk.
    pub bytes: Bytes,
}

/// The nodes on the paths to the heads of refs; shared ones are counted once.
const FLOORS: &str = "WITH RECURSIVE path (id) AS (
        SELECT head FROM ref WHERE owner = $1 AND trashed IS NULL AND head IS NOT NULL
        UNION SELECT n.parent FROM path p JOIN node n ON n.owner = $1 AND n.id = p.id WHERE n.depth > 0
    ) SELECT count(*) FROM path p JOIN node n ON n.owner = $1 AND n.id = p.id WHERE n.depth > 0";

const FLOORS_OF_STORY: &str = "WITH RECURSIVE path (id) AS (
        SELECT head FROM ref WHERE owner = $1 AND story = $2 AND trashed IS NULL AND head IS NOT NULL
        UNION SELECT n.parent FROM path p JOIN node n ON n.owner = $1 AND n.id = p.id WHERE n.depth > 0
    ) SELECT count(*) FROM path p JOIN node n ON n.owner = $1 AND n.id = p.id WHERE n.depth > 0";

impl Store {
    pub fn stats(&self, owner: &Owner) -> Result<Stats, StoreError> {
        let mut stats = self.counts(owner)?;
        for (table, bytes) in self.database.sizes()? {
            let kind = match table.as_str() {
                name if name.starts_with("state") || name.starts_with("keyframe") => &mut stats.bytes.state,
                name if name.starts_with("text") || name.starts_with("value") => &mut stats.bytes.content,
                name if name.starts_with("search") => &mut stats.bytes.search,
                _ => &mut stats.bytes.tree_and_log,
            };
            *kind += bytes;
        }
        Ok(stats)
    }

    /// The same without the bytes, for which the whole file is read.
    pub fn counts(&self, owner: &Owner) -> Result<Stats, StoreError> {
        let view = self.view(owner);
        let Some(owner) = view.known_owner()? else { return Ok(Stats::default()) };
        let sql = view.sql()?;
        let count = |query: &str| sql.count(query, params![owner]);
        Ok(Stats {
            stories: count("SELECT count(*) FROM story WHERE owner = $1")?,
            refs: count("SELECT count(*) FROM ref WHERE owner = $1")?,
            floors: count(FLOORS)?,
            nodes: count(concat!("SELECT count(*) FROM node WHERE ", own_rows!(), " AND depth > 0"))?,
            pages: count(concat!("SELECT count(*) FROM page WHERE ", own_rows!()))?,
            states: count(concat!("SELECT count(*) FROM state WHERE ", own_rows!()))?,
            operations: count("SELECT count(*) FROM operation WHERE owner = $1")?,
            bytes: Bytes::default(),
        })
    }

    /// Counts what belongs to one story. Bytes are those of the rows themselves; what several stories share
    /// counts in each.
    pub fn story_stats(&self, owner: &Owner, story: StoryKey) -> Result<Stats, StoreError> {
        let view = self.view(owner);
        let (owner, sql) = (view.owner()?, view.sql()?);
        let count = |query: &str| sql.count(query, params![owner, story]);
        let own_nodes = concat!("FROM node WHERE ", own_rows!(), " AND story = $2");
        let own_pages = concat!("FROM page WHERE ", own_rows!(), " AND story = $2");
        let bytes = |table: &str, column: &str, key: &str, own: &str| {
            count(&format!(
                "SELECT coalesce(sum(length({column})), 0) FROM {table} WHERE owner = $1 AND {key} IN ({own})"
            ))
        };
        let states = format!("SELECT state {own_nodes}");
        let (nodes, pages) = (
            count(&format!("SELECT count(*) {own_nodes} AND depth > 0"))?,
            count(&format!("SELECT count(*) {own_pages}"))?,
        );
        let operations = "SELECT count(*) FROM operation o JOIN ref r ON r.owner = o.owner AND r.id = o.ref
                          WHERE r.owner = $1 AND r.story = $2";
        Ok(Stats {
            stories: 1,
            refs: count("SELECT count(*) FROM ref WHERE owner = $1 AND story = $2")?,
            floors: count(FLOORS_OF_STORY)?,
            nodes,
            pages,
            states: count(&format!("SELECT count(DISTINCT state) {own_nodes} AND depth > 0"))?,
            operations: count(operations)?,
            bytes: Bytes {
                state: bytes("state", "trace", "id", &states)?
                    + bytes("state", "paths", "id", &states)?
                    + bytes("keyframe", "bytes", "state", &states)?,
                tree_and_log: bytes("turn", "bytes", "id", &format!("SELECT turn {own_nodes}"))?
                    + count(&format!("SELECT coalesce(sum(length(inputs)), 0) {own_pages}"))?
                    + nodes * NODE
                    + pages * PAGE,
                content: bytes("text", "bytes", "id", &format!("SELECT text {own_pages}"))?,
                search: 0,
            },
        })
    }
}

/// Bytes of the ids and hashes of a node and of a version of a page.
const NODE: u64 = 110;
const PAGE: u64 = 100;
