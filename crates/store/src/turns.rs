//! Turns and nodes.

use std::sync::Arc;

use storeyline_history::node::{Hop, NewNode, Node, NodeTable, hops};
use storeyline_history::{HostFields, NodeKey, PageKey, StateKey, Turn, TurnKey, ValueKey};
use storeyline_state::{NodeId, TextHash};

use crate::code::{Reader, Writer, join, split};
use crate::error::StoreError;
use crate::fresh::FreshTurn;
use crate::pages::{role_byte, role_of};
use crate::sql::{Row, params};
use crate::tx::Tx;

/// One bit of a number for each.
const MOST_HOPS: usize = 62;

/// Shorter runs are not worth two looks: jumps lead up as well.
const LONG_RUN: i64 = 64;

macro_rules! select_node {
    ($rest:literal) => {
        concat!("SELECT id, hash, rest, parent, jump, depth, turn, digest, state, story, run FROM node ", $rest)
    };
}

impl NodeTable for Tx<'_> {
    type Error = StoreError;

    fn node(&self, key: NodeKey) -> Result<Node, StoreError> {
        Ok(self.stored_node(key)?.node)
    }

    fn find_node(&self, id: NodeId) -> Result<Option<Node>, StoreError> {
        if let Some(fresh) = self.fresh_node_where(|stored| stored.node.id == id)? {
            return Ok(Some(fresh.node));
        }
        let (first, rest) = split(id.as_bytes());
        let sql = select_node!("WHERE owner = $1 AND hash = $2 AND rest = $3");
        Ok(self.one(sql, params![self.owner, first, rest], read_node)?.map(|found| found.node))
    }

    fn stands_nowhere(&self, page: PageKey) -> bool {
        self.unplaced.get() == Some(page)
    }

    fn insert_node(&mut self, new: &NewNode) -> Result<NodeKey, StoreError> {
        // A story's tree is never joined to another's, so a child is of its parent's story.
        let StoredNode { story, run, .. } = self.stored_node(new.parent)?;
        let NewNode { id, parent, jump, depth, turn, digest } = new.clone();
        let stored = self.keep(|batch, numbers| {
            numbers.node += 1;
            let key = NodeKey(numbers.node);
            let node = Node { key, id, parent, jump, depth, turn: Some(turn), digest, state: None };
            let run = if parent.0 + 1 == key.0 { run } else { key.0 };
            let stored = StoredNode { node, story, run };
            batch.nodes.push(stored.clone());
            stored
        })?;
        let key = stored.node.key;
        self.recent.nodes.put(self.owner, key.0, stored);
        Ok(key)
    }

    fn climb(&self, from: Node, hops: &[Hop]) -> Result<Node, StoreError> {
        let mut node = from;
        for (place, hop) in hops.iter().enumerate() {
            let next = if *hop == Hop::Jump { node.jump } else { node.parent };
            let rest = &hops[place + 1..];
            node = match self.recent.nodes.get(self.owner, next.0) {
                Some(known) => known.node,
                // What lies in the table leads to nothing that does not.
                None if (2..=MOST_HOPS).contains(&rest.len()) && self.fresh_node(next).is_none() => {
                    return self.climb_there(next, rest);
                }
                None => self.node(next)?,
            };
        }
        Ok(node)
    }

    fn above(&self, from: Node, depth: usize) -> Result<Node, StoreError> {
        let mut stored = self.stored_node(from.key)?;
        loop {
            let (up, run) = (stored.node.depth - depth, stored.node.key.0 - stored.run);
            if up == 0 {
                return Ok(stored.node);
            }
            if up as i64 <= run {
                return self.node(NodeKey(stored.node.key.0 - up as i64));
            }
            if run < LONG_RUN {
                let hops = hops(stored.node.depth, depth);
                return self.climb(stored.node, &hops);
            }
            let first = self.stored_node(NodeKey(stored.run))?;
            stored = if first.node.depth > depth { self.stored_node(first.node.parent)? } else { first };
        }
    }

    fn turn(&self, key: TurnKey) -> Result<Turn, StoreError> {
        if let Some(turn) = self.recent.turns.get(self.owner, key.0) {
            return Ok(turn.as_ref().clone());
        }
        let damaged = || StoreError::damaged("turn", key.0);
        let (stored, host) = self.stored_turn(key)?;
        let pages = stored.pages.iter().map(|page| self.turn_page(*page)).collect::<Result<Vec<_>, _>>()?;
        (stored.active < pages.len()).then_some(()).ok_or_else(damaged)?;
        let host = match host {
            Some(at) => Some(HostFields { hash: self.value_hash(at)?, at }),
            None => None,
        };
        let StoredTurn { role, name, hidden, active, .. } = stored;
        let turn = Turn { role, name, hidden, active, pages, host };
        self.recent.turns.put(self.owner, key.0, Arc::new(turn.clone()));
        Ok(turn)
    }

    fn put_turn(&mut self, turn: &Turn) -> Result<TurnKey, StoreError> {
        self.unplaced.set(None);
        let (host, bytes) = (turn.host.map(|host| host.at.0), write_turn(turn));
        let key = self.keep(|batch, numbers| {
            numbers.turn += 1;
            batch.turns.push(FreshTurn { id: numbers.turn, host, bytes });
            TurnKey(numbers.turn)
        })?;
        self.note_turn(turn.active_page().at, key)?;
        self.recent.turns.put(self.owner, key.0, Arc::new(turn.clone()));
        Ok(key)
    }
}

/// A node, the story that it belongs to, and the run in which it stands.
#[derive(Debug, Clone)]
pub(crate) struct StoredNode {
    pub(crate) node: Node,
    pub(crate) story: i64,
    /// The first of those above it that have the numbers before its own, one after another.
    pub(crate) run: i64,
}

fn read_node(row: &dyn Row) -> Result<StoredNode, StoreError> {
    let key = row.int(0)?;
    let damaged = || StoreError::damaged("node", key);
    let digest = match row.maybe_bytes(7)? {
        Some(bytes) => Some(TextHash::from_bytes(bytes.try_into().map_err(|_| damaged())?)),
        None => None,
    };
    let node = Node {
        key: NodeKey(key),
        id: NodeId::from_bytes(join(row.int(1)?, row.bytes(2)?).ok_or_else(damaged)?),
        parent: NodeKey(row.int(3)?),
        jump: NodeKey(row.int(4)?),
        depth: row.count(5)?,
        turn: row.maybe_int(6)?.map(TurnKey),
        digest,
        state: row.maybe_int(8)?.map(StateKey),
    };
    Ok(StoredNode { node, story: row.int(9)?, run: row.int(10)? })
}

impl Tx<'_> {
    /// Makes the root of a tree.
    pub(crate) fn put_root(&mut self, story: i64, id: NodeId) -> Result<NodeKey, StoreError> {
        self.keep(|batch, numbers| {
            numbers.node += 1;
            let key = NodeKey(numbers.node);
            let (turn, digest, state) = (None, None, None);
            let node = Node { key, id, parent: key, jump: key, depth: 0, turn, digest, state };
            batch.nodes.push(StoredNode { node, story, run: key.0 });
            key
        })
    }

    pub(crate) fn stored_turn(&self, key: TurnKey) -> Result<(StoredTurn, Option<ValueKey>), StoreError> {
        let fresh = self.in_fresh(|batch| {
            let turn = batch.turn(key.0)?;
            Some((read_turn(&turn.bytes), turn.host.map(ValueKey)))
        });
        if let Some((turn, host)) = fresh {
            return Ok((turn.ok_or_else(|| StoreError::damaged("turn", key.0))?, host));
        }
        let mut ahead = self.runs.turns_ahead.borrow_mut();
        if let Some(found) = ahead.remove(&key.0) {
            return Ok(found);
        }
        // The owner is not to be looked for by an index: the numbers are few.
        let sql = "SELECT id, bytes, host FROM turn WHERE id >= $1 AND id <= $2 AND owner + 0 = $3";
        let rows = self.many(sql, params![key.0, self.runs.turns.up_from(key.0), self.owner], |row| {
            Ok((row.int(0)?, read_turn(row.bytes(1)?), row.maybe_int(2)?.map(ValueKey)))
        })?;
        ahead.clear();
        for (id, turn, host) in rows {
            // What is damaged is missed when it is asked for.
            ahead.extend(turn.map(|turn| (id, (turn, host))));
        }
        ahead.remove(&key.0).ok_or_else(|| StoreError::missing("turn", key.0))
    }

    /// Climbs within the database: the way is known before, one bit for each hop.
    fn climb_there(&self, from: NodeKey, hops: &[Hop]) -> Result<Node, StoreError> {
        let way = hops.iter().rev().fold(0i64, |way, hop| (way << 1) | i64::from(*hop == Hop::Jump));
        let sql = select_node!(
            "WHERE owner = $1 AND id = (
                 WITH RECURSIVE way (id, rest, hops) AS (
                     SELECT $2, $3, $4
                     UNION ALL SELECT CASE WHEN w.rest & 1 = 1 THEN n.jump ELSE n.parent END, w.rest >> 1, w.hops - 1
                     FROM way w JOIN node n ON n.id = w.id WHERE w.hops > 0 AND n.owner = $1
                 ) SELECT id FROM way WHERE hops = 0)"
        );
        let found = self.one(sql, params![self.owner, from.0, way, hops.len()], read_node)?;
        let stored = found.ok_or_else(|| StoreError::missing("node", from.0))?;
        self.recent.nodes.put(self.owner, stored.node.key.0, stored.clone());
        Ok(stored.node)
    }

    fn stored_node(&self, key: NodeKey) -> Result<StoredNode, StoreError> {
        if let Some(node) = self.recent.nodes.get(self.owner, key.0) {
            return Ok(node);
        }
        if let Some(node) = self.fresh_node(key) {
            return Ok(node);
        }
        // The owner is not to be looked for by its index: the numbers are few.
        let sql = select_node!("WHERE id >= $1 AND id <= $2 AND owner + 0 = $3");
        let found = self.many(sql, params![self.runs.nodes.down_from(key.0), key.0, self.owner], read_node)?;
        for stored in &found {
            self.recent.nodes.put(self.owner, stored.node.key.0, stored.clone());
        }
        let own = found.into_iter().find(|stored| stored.node.key == key);
        own.ok_or_else(|| StoreError::missing("node", key.0))
    }

    fn fresh_node(&self, key: NodeKey) -> Option<StoredNode> {
        self.in_fresh(|batch| batch.node(key).cloned())
    }

    /// Gives a node that waits its state, once; false if it does not wait.
    fn give_state(&self, key: NodeKey, state: StateKey) -> bool {
        let mut pending = self.pending.borrow_mut();
        let Ok(place) = pending.nodes.binary_search_by_key(&key, |stored| stored.node.key) else { return false };
        pending.nodes[place].node.state.get_or_insert(state);
        true
    }

    pub(crate) fn write_state_of(&mut self, node: NodeKey, state: StateKey) -> Result<(), StoreError> {
        if !self.give_state(node, state) {
            self.settle()?;
            let sql = "UPDATE node SET state = $1 WHERE id = $2 AND owner = $3 AND state IS NULL";
            self.run(sql, params![state.0, node.0, self.owner])?;
        }
        if let Some(mut known) = self.recent.nodes.get(self.owner, node.0) {
            known.node.state = Some(state);
            self.recent.nodes.put(self.owner, node.0, known);
        }
        Ok(())
    }

    /// Returns the story that a node belongs to.
    pub fn story_of_node(&self, node: NodeKey) -> Result<i64, StoreError> {
        Ok(self.stored_node(node)?.story)
    }
}

pub(crate) struct StoredTurn {
    role: storeyline_history::Role,
    hidden: bool,
    pub(crate) active: usize,
    name: String,
    pub(crate) pages: Vec<PageKey>,
}

fn write_turn(turn: &Turn) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.byte(role_byte(turn.role) | if turn.hidden { 0x80 } else { 0 });
    writer.count(turn.active);
    writer.text(&turn.name);
    writer.count(turn.pages.len());
    for page in &turn.pages {
        writer.number(page.at.0 as u64);
    }
    writer.bytes
}

pub(crate) fn read_turn(bytes: &[u8]) -> Option<StoredTurn> {
    let mut reader = Reader::new(bytes);
    let first = reader.byte()?;
    Some(StoredTurn {
        role: role_of(first & 0x7f)?,
        hidden: first & 0x80 != 0,
        active: reader.count()?,
        name: reader.text()?.to_owned(),
        pages: reader.list(|reader| i64::try_from(reader.number()?).ok().map(PageKey))?,
    })
}
