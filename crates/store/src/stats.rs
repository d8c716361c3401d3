//! How much there is, and how many bytes it takes.

use crate::error::StoreError;
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
    /// Floors on all branches, shared ones counted once.
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

impl Store {
    /// Counts.
    pub fn stats(&self, owner: &Owner) -> Result<Stats, StoreError> {
        let mut stats = self.read(owner, |tx| {
            let count = |sql: &str| -> Result<u64, StoreError> {
                Ok(tx.one(sql, params![tx.owner], |row| row.int(0))?.unwrap_or(0) as u64)
            };
            Ok::<_, StoreError>(Stats {
                stories: count("SELECT count(*) FROM story WHERE owner = $1")?,
                refs: count("SELECT count(*) FROM ref WHERE owner = $1")?,
                nodes: count("SELECT count(*) FROM node WHERE owner = $1 AND depth > 0")?,
                pages: count("SELECT count(*) FROM page WHERE owner = $1")?,
                states: count("SELECT count(*) FROM state WHERE owner = $1")?,
                operations: count("SELECT count(*) FROM operation WHERE owner = $1")?,
                bytes: Bytes::default(),
            })
        })?;
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
}
