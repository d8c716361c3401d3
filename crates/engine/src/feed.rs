//! The change feed: the operations of an owner after a position, for clients that watch all stories.

use storeyline_state::{RefId, StoryId};
use storeyline_store::{ChangeSeq, OperationKind, Owner};

use crate::engine::ReadEngine;
use crate::error::Result;

/// An operation, with its story and ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// Position in the feed.
    pub seq: ChangeSeq,
    /// Number of the operation on its branch or tag.
    pub operation: i64,
    pub story: StoryId,
    /// A branch or a tag.
    pub branch: RefId,
    pub kind: OperationKind,
    pub client: String,
    /// In milliseconds since 1970.
    pub time: i64,
}

/// With at least so many new operations the client reloads anyway, so their clients are not compared.
const MAX_COMPARED: usize = 200;

impl ReadEngine {
    /// Returns the position of the last operation.
    pub fn last_change(&self, owner: &Owner) -> Result<ChangeSeq> {
        self.read(owner, |tx| Ok(tx.last_change()?))
    }

    /// Returns the position of the last operation, and whether another client made one after a position.
    pub fn changes_after(&self, owner: &Owner, after: Option<ChangeSeq>, client: &str) -> Result<(ChangeSeq, bool)> {
        self.read(owner, |tx| {
            let last = tx.last_change()?;
            let Some(after) = after.filter(|after| *after < last) else { return Ok((last, after != Some(last))) };
            let others = tx.operations_after(after, MAX_COMPARED)?;
            let is_other = others.len() == MAX_COMPARED || others.iter().any(|operation| operation.client != client);
            Ok((last, is_other))
        })
    }

    /// Returns operations after a position, oldest first, without those on refs that were collected.
    pub fn feed_after(&self, owner: &Owner, after: ChangeSeq, limit: usize) -> Result<Vec<FeedEntry>> {
        self.read(owner, |tx| {
            let mut entries = Vec::new();
            for operation in tx.operations_after(after, limit)? {
                entries.extend(tx.ref_by_key(operation.of)?.map(|found| FeedEntry {
                    seq: operation.seq,
                    operation: operation.number,
                    story: found.story,
                    branch: found.id,
                    kind: operation.kind,
                    client: operation.client,
                    time: operation.time,
                }));
            }
            Ok(entries)
        })
    }
}
