//! What happened since: the operations of an owner in the order in which they were done, for those who
//! watch.

use storeyline_state::{RefId, StoryId};
use storeyline_store::{ChangeSeq, OperationKind, Owner};

use crate::engine::ReadEngine;
use crate::error::Result;

/// An operation as somebody hears of it who watches all stories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// The position in the feed.
    pub seq: ChangeSeq,
    /// The number of the operation on its branch or tag.
    pub operation: i64,
    pub story: StoryId,
    /// On which branch or tag.
    pub branch: RefId,
    pub kind: OperationKind,
    /// Who did it.
    pub client: String,
    /// When, in milliseconds since 1970.
    pub time: i64,
}

/// After so many operations a client looks again anyway.
const MANY: usize = 200;

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
            let others = tx.operations_after(after, MANY)?;
            let is_other = others.len() == MANY || others.iter().any(|operation| operation.client != client);
            Ok((last, is_other))
        })
    }

    /// Returns operations after a position, the oldest first; those on refs that are gone for good are left out.
    pub fn happened_after(&self, owner: &Owner, after: ChangeSeq, limit: usize) -> Result<Vec<Happened>> {
        self.read(owner, |tx| {
            let mut happened = Vec::new();
            for operation in tx.operations_after(after, limit)? {
                happened.extend(tx.ref_by_key(operation.of)?.map(|found| Happened {
                    seq: operation.seq,
                    operation: operation.number,
                    story: found.story,
                    branch: found.id,
                    kind: operation.kind,
                    client: operation.client,
                    time: operation.time,
                }));
            }
            Ok(happened)
        })
    }
}
