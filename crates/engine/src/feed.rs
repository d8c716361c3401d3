//! The change feed: the operations of an owner after a position, for clients that watch all stories.

use storeyline_store::Owner;
use storeyline_wire::Cursor;
use storeyline_wire::changes::{Happened, LastOperation};

use crate::engine::ReadEngine;
use crate::error::Result;
use crate::shown::{cursor, operation_kind, seq_of};

/// With at least so many new operations the client reloads anyway, so their clients are not compared.
const MAX_COMPARED: usize = 200;

impl ReadEngine {
    /// Returns the position of the last operation.
    pub fn last_change(&self, owner: &Owner) -> Result<Cursor> {
        self.read(owner, |tx| Ok(cursor(tx.last_change()?)))
    }

    /// Returns the position of the last operation, and whether another client made one after a position.
    pub fn changes_after(&self, owner: &Owner, after: Option<Cursor>, client: &str) -> Result<LastOperation> {
        self.read(owner, |tx| {
            let last = tx.last_change()?;
            let answer = |others| LastOperation { last: cursor(last), others };
            let after = after.map(seq_of);
            let Some(after) = after.filter(|after| *after < last) else { return Ok(answer(after != Some(last))) };
            let others = tx.operations_after(after, MAX_COMPARED)?;
            let is_other = others.len() == MAX_COMPARED || others.iter().any(|operation| operation.client != client);
            Ok(answer(is_other))
        })
    }

    /// Returns operations after a position with their own positions, oldest first, without those on refs that were collected.
    pub fn feed_after(&self, owner: &Owner, after: Cursor, limit: usize) -> Result<Vec<(Cursor, Happened)>> {
        self.read(owner, |tx| {
            let mut entries = Vec::new();
            for operation in tx.operations_after(seq_of(after), limit)? {
                entries.extend(tx.ref_by_key(operation.of)?.map(|found| {
                    let happened = Happened {
                        operation: operation.number,
                        story: found.story,
                        branch: found.id,
                        kind: operation_kind(operation.kind),
                        client: operation.client,
                        time: operation.time,
                    };
                    (cursor(operation.seq), happened)
                }));
            }
            Ok(entries)
        })
    }
}
