//! Nodes that have their number and wait for their state, so that each is written once.
//!
//! A node nearly always gets its state in the transaction that makes it. Whoever asks the table itself
//! settles first; the end of a transaction does too.

use storeyline_history::{NodeKey, StateKey};

use crate::code::split;
use crate::error::StoreError;
use crate::sql::params;
use crate::turns::StoredNode;
use crate::tx::Tx;

/// Nodes in the order of their numbers, without gaps.
#[derive(Default)]
pub(crate) struct Unwritten(Vec<StoredNode>);

impl Unwritten {
    pub(crate) fn push(&mut self, node: StoredNode) {
        self.0.push(node);
    }

    pub(crate) fn get(&self, key: NodeKey) -> Option<&StoredNode> {
        self.0.get(self.place(key)?)
    }

    /// Gives a node its state, once; false if the node is written already.
    pub(crate) fn set_state(&mut self, key: NodeKey, state: StateKey) -> bool {
        let Some(place) = self.place(key).filter(|place| *place < self.0.len()) else { return false };
        self.0[place].node.state.get_or_insert(state);
        true
    }

    fn place(&self, key: NodeKey) -> Option<usize> {
        let first = self.0.first()?.node.key.0;
        usize::try_from(key.0.checked_sub(first)?).ok()
    }
}

impl Tx<'_> {
    /// The number of the next node. There is one writer, so nobody else takes it.
    pub(crate) fn next_node(&self) -> Result<i64, StoreError> {
        if let Some(last) = self.unwritten.borrow().0.last() {
            return Ok(last.node.key.0 + 1);
        }
        let last = self.one("SELECT max(id) FROM node", params![], |row| row.maybe_int(0))?;
        Ok(last.flatten().unwrap_or(0) + 1)
    }

    /// Writes the nodes that wait.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        let sql = "INSERT INTO node (id, owner, story, hash, rest, parent, jump, depth, turn, digest, state)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        for StoredNode { node, story } in self.unwritten.take().0 {
            let (first, rest) = split(node.id.as_bytes());
            let keys = params![
                node.key.0,
                self.owner,
                story,
                first,
                rest,
                node.parent.0,
                node.jump.0,
                node.depth,
                node.turn.map(|turn| turn.0),
                node.digest.as_ref().map(|digest| &digest.as_bytes()[..]),
                node.state.map(|state| state.0),
            ];
            self.run(sql, keys)?;
        }
        Ok(())
    }
}
