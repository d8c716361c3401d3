//! Nodes: one turn after another.

use storeyline_history::digest::ReadingDigest;
use storeyline_history::node::{NewNode, Node};
use storeyline_history::{NodeKey, StateKey, TurnKey};
use storeyline_state::{NodeId, TextHash};

use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{OwnerKey, StoryKey, own_rows};
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "node",
    &["owner", "id", "story", "hash", "parent", "jump", "run", "depth", "turn", "digest", "reading", "state"],
    &["id"],
);

/// How many nodes of a run are read with one statement.
const TOGETHER: i64 = 1_024;

/// A node with its story and its run.
#[derive(Debug, Clone)]
pub(crate) struct StoredNode {
    pub(crate) node: Node,
    pub(crate) story: StoryKey,
    /// The first node of an unbroken run: from it down to this one each node has the id after its parent's.
    pub(crate) run: NodeKey,
}

pub(crate) fn read(row: &dyn Row) -> Result<StoredNode, StoreError> {
    let node = Node {
        key: NodeKey(row.int(1)?),
        id: NodeId::from_bytes(row.fixed(3)?),
        parent: NodeKey(row.int(4)?),
        jump: NodeKey(row.int(5)?),
        depth: row.count(7)?,
        turn: row.maybe_int(8)?.map(TurnKey),
        digest: if row.maybe_bytes(9)?.is_some() { Some(TextHash::from_bytes(row.fixed(9)?)) } else { None },
        reading: ReadingDigest(row.fixed(10)?),
        state: row.maybe_int(11)?.map(StateKey),
    };
    Ok(StoredNode { node, story: StoryKey(row.int(2)?), run: NodeKey(row.int(6)?) })
}

pub(crate) fn columns(owner: OwnerKey, stored: &StoredNode) -> Vec<Param<'_>> {
    let node = &stored.node;
    params![
        owner,
        node.key,
        stored.story,
        node.id.as_bytes(),
        node.parent,
        node.jump,
        stored.run,
        node.depth,
        node.turn,
        node.digest.as_ref().map(|digest| &digest.as_bytes()[..]),
        &node.reading.0,
        node.state,
    ]
    .to_vec()
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, nodes: &[StoredNode]) -> Result<(), StoreError> {
    TABLE.insert(sql, &nodes.iter().map(|node| columns(owner, node)).collect::<Vec<_>>())
}

/// Writes the state of a stored node, once.
pub(crate) fn set_state(sql: &dyn Sql, owner: OwnerKey, key: NodeKey, state: StateKey) -> Result<(), StoreError> {
    let stored = find(sql, owner, key)?.ok_or_else(|| StoreError::missing("node", key.0))?;
    if stored.node.state.is_some() {
        return Ok(());
    }
    let node = Node { state: Some(state), ..stored.node };
    TABLE.put(sql, &columns(owner, &StoredNode { node, ..stored }))
}

/// Writes another state of a node, if it still has the one that was seen.
pub(crate) fn change_state(
    sql: &dyn Sql,
    owner: OwnerKey,
    key: NodeKey,
    seen: Option<StateKey>,
    state: StateKey,
) -> Result<(), StoreError> {
    let stored = find(sql, owner, key)?.ok_or_else(|| StoreError::missing("node", key.0))?;
    if stored.node.state != seen {
        return Err(StoreError::Conflict);
    }
    let node = Node { state: Some(state), ..stored.node };
    TABLE.put(sql, &columns(owner, &StoredNode { node, ..stored }))
}

pub(crate) fn find(sql: &dyn Sql, owner: OwnerKey, key: NodeKey) -> Result<Option<StoredNode>, StoreError> {
    TABLE.one(sql, "owner = $1 AND id = $2", params![owner, key], read)
}

impl View<'_> {
    pub(crate) fn stored_node(&self, key: NodeKey) -> Result<StoredNode, StoreError> {
        if let Some(own) = self.rows.node(key) {
            return Ok(own.clone());
        }
        if let Some(cached) = self.cached(key.0)? {
            return Ok(cached);
        }
        let found = find(self.sql()?, self.owner()?, key)?.ok_or_else(|| StoreError::missing("node", key.0))?;
        self.see_node(found)
    }

    /// Adds what the draft knows, and caches a node that will not change any more.
    fn see_node(&self, mut stored: StoredNode) -> Result<StoredNode, StoreError> {
        let key = stored.node.key;
        match stored.node.state {
            Some(_) => self.cache(key.0, stored.clone())?,
            None => stored.node.state = self.rows.node_states.get(&key).copied(),
        }
        Ok(stored)
    }

    pub(crate) fn find_stored_node(&self, id: NodeId) -> Result<Option<Node>, StoreError> {
        if let Some(key) = self.rows.node_keys.get(&id) {
            return Ok(Some(self.stored_node(*key)?.node));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let found = TABLE.one(self.sql()?, "owner = $1 AND hash = $2", params![owner, id.as_bytes()], read)?;
        Ok(found.map(|found| self.see_node(found)).transpose()?.map(|stored| stored.node))
    }

    /// Returns the ancestor at a depth: within a run its id is known, else along the jumps.
    pub(crate) fn node_above(&self, from: Node, depth: usize) -> Result<Node, StoreError> {
        let mut stored = self.stored_node(from.key)?;
        while stored.node.depth > depth {
            let (below, at) = (stored.node.depth, stored.node.key);
            let (up, key) = ((stored.node.depth - depth) as i64, stored.node.key.0);
            stored = if key - up >= stored.run.0 {
                self.stored_node(NodeKey(key - up))?
            } else {
                let jump = self.stored_node(stored.node.jump)?;
                if jump.node.depth >= depth { jump } else { self.stored_node(stored.node.parent)? }
            };
            // A damaged pointer must not lead around for ever.
            if stored.node.depth >= below {
                return Err(StoreError::damaged("node", at.0));
            }
        }
        Ok(stored.node)
    }

    /// Returns the nodes below a depth on the path to one, in reading order.
    pub(crate) fn nodes_below(&self, to: NodeKey, depth: usize) -> Result<Vec<Node>, StoreError> {
        let mut nodes = Vec::new();
        let mut stored = self.stored_node(to)?;
        while stored.node.depth > depth {
            let (key, left) = (stored.node.key.0, (stored.node.depth - depth) as i64);
            let first = (key - left + 1).max(stored.run.0).max(key - TOGETHER);
            // Above a stored node all are stored.
            let is_stored = self.rows.node(stored.node.key).is_none();
            let parent = if is_stored && first < key && self.cached_node(key - 1)?.is_none() {
                let mut above = self.run_between(first, key - 1)?;
                let parent = above.first().map_or(stored.node.parent, |first| first.parent);
                nodes.push(stored.node);
                nodes.extend(above.drain(..).rev());
                parent
            } else {
                let parent = stored.node.parent;
                nodes.push(stored.node);
                parent
            };
            let above = self.stored_node(parent)?;
            if nodes.last().is_some_and(|last: &Node| above.node.depth >= last.depth) {
                return Err(StoreError::damaged("node", parent.0));
            }
            stored = above;
        }
        nodes.reverse();
        Ok(nodes)
    }

    fn cached_node(&self, id: i64) -> Result<Option<StoredNode>, StoreError> {
        self.cached(id)
    }

    /// Reads a stretch of a run, whose ids follow each other.
    fn run_between(&self, first: i64, last: i64) -> Result<Vec<Node>, StoreError> {
        let rest = "owner = $1 AND id >= $2 AND id <= $3 ORDER BY id";
        let found = TABLE.many(self.sql()?, rest, params![self.owner()?, first, last], read)?;
        if found.len() as i64 != last - first + 1 {
            return Err(StoreError::missing("node", format!("between {first} and {last}")));
        }
        found.into_iter().map(|stored| Ok(self.see_node(stored)?.node)).collect()
    }

    /// Returns all nodes of the owner, whatever refers to them.
    pub fn node_keys(&self) -> Result<Vec<NodeKey>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let query = concat!("SELECT id FROM node WHERE ", own_rows!());
        Ok(self.sql()?.many(query, params![owner], |row| row.int(0))?.into_iter().map(NodeKey).collect())
    }

    pub fn story_of_node(&self, node: NodeKey) -> Result<StoryKey, StoreError> {
        Ok(self.stored_node(node)?.story)
    }
}

impl Draft<'_> {
    pub(crate) fn add_node(&mut self, new: &NewNode) -> Result<NodeKey, StoreError> {
        // A story's tree is never joined to another's, so a child is of its parent's story.
        let StoredNode { story, run, .. } = self.stored_node(new.parent)?;
        let NewNode { id, parent, jump, depth, turn, digest, reading } = new.clone();
        let key = NodeKey(self.new_id(IdKind::Node)?);
        let node = Node { key, id, parent, jump, depth, turn: Some(turn), digest, reading, state: None };
        let run = if parent.0 + 1 == key.0 { run } else { key };
        self.push_node(StoredNode { node, story, run });
        Ok(key)
    }

    pub(crate) fn add_root(&mut self, story: StoryKey, id: NodeId) -> Result<NodeKey, StoreError> {
        let key = NodeKey(self.new_id(IdKind::Node)?);
        let (reading, turn, digest, state) = (ReadingDigest::default(), None, None, None);
        let node = Node { key, id, parent: key, jump: key, depth: 0, turn, digest, reading, state };
        self.push_node(StoredNode { node, story, run: key });
        Ok(key)
    }

    fn push_node(&mut self, stored: StoredNode) {
        let rows = &mut self.view.rows;
        rows.node_keys.insert(stored.node.id, stored.node.key);
        rows.nodes.push(stored);
    }

    pub(crate) fn set_node_state(&mut self, node: NodeKey, state: StateKey) {
        let rows = &mut self.view.rows;
        match rows.nodes.binary_search_by_key(&node, |own| own.node.key) {
            Ok(index) => _ = rows.nodes[index].node.state.get_or_insert(state),
            Err(_) => _ = rows.node_states.entry(node).or_insert(state),
        }
    }
}
