//! Nodes and the states written on them.

use rusqlite::params;
use storeyline_history::{Node, NodeTable};
use storeyline_state::{NodeId, StateHash, TextHash, ValueHash};

use crate::store::StoreError;
use crate::tx::{Tx, column, optional};

impl NodeTable for Tx<'_> {
    type Error = StoreError;

    fn node(&self, id: NodeId) -> Result<Node, StoreError> {
        let sql = "SELECT parent, jump, depth, turn, digest FROM node WHERE owner = ?1 AND node = ?2";
        let found = self.one(sql, params![self.owner(), id.as_bytes()], |row| {
            let node = |index| column(row, index, |bytes: Vec<u8>| NodeId::from_slice(&bytes));
            Ok(Node {
                id,
                parent: node(0)?,
                jump: node(1)?,
                depth: column(row, 2, |depth: i64| usize::try_from(depth))?,
                turn: optional(row, 3, |bytes: Vec<u8>| ValueHash::from_slice(&bytes))?,
                digest: row.get::<_, Option<[u8; 16]>>(4)?.map(TextHash::from_bytes),
            })
        })?;
        found.ok_or_else(|| StoreError::Missing { kind: "node", id: id.to_string() })
    }

    fn has_node(&self, id: NodeId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM node WHERE owner = ?1 AND node = ?2";
        Ok(self.one(sql, params![self.owner(), id.as_bytes()], |_| Ok(()))?.is_some())
    }

    fn insert_node(&mut self, node: &Node) -> Result<(), StoreError> {
        self.write_node(node, None)
    }
}

impl Tx<'_> {
    pub(crate) fn put_root(&mut self, root: &Node, state: StateHash) -> Result<(), StoreError> {
        self.write_node(root, Some(state))
    }

    fn write_node(&mut self, node: &Node, state: Option<StateHash>) -> Result<(), StoreError> {
        let sql = "INSERT INTO node (owner, node, parent, jump, depth, turn, digest, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        self.run(
            sql,
            params![
                self.owner(),
                node.id.as_bytes(),
                node.parent.as_bytes(),
                node.jump.as_bytes(),
                node.depth as i64,
                node.turn.as_ref().map(|turn| &turn.as_bytes()[..]),
                node.digest.as_ref().map(|digest| &digest.as_bytes()[..]),
                state.as_ref().map(|state| &state.as_bytes()[..]),
            ],
        )?;
        Ok(())
    }

    pub(crate) fn node_state(&self, node: NodeId) -> Result<Option<StateHash>, StoreError> {
        let sql = "SELECT state FROM node WHERE owner = ?1 AND node = ?2";
        let state = self.one(sql, params![self.owner(), node.as_bytes()], |row| {
            optional(row, 0, |bytes: Vec<u8>| StateHash::from_slice(&bytes))
        })?;
        state.ok_or_else(|| StoreError::Missing { kind: "node", id: node.to_string() })
    }

    pub(crate) fn set_node_state(&mut self, node: NodeId, state: StateHash) -> Result<(), StoreError> {
        let sql = "UPDATE node SET state = ?3 WHERE owner = ?1 AND node = ?2 AND state IS NULL";
        self.run(sql, params![self.owner(), node.as_bytes(), state.as_bytes()])?;
        Ok(())
    }
}
