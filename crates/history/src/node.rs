//! Nodes: one turn after another, never changed, equal beginnings shared.
//!
//! A node is named by its parent and its turn, so writing the same list twice writes nothing. A
//! second pointer far up (`jump`) makes finding any floor above cost the logarithm of the length.

use storeyline_state::{NodeId, StoryId, ValueHash};

use crate::digest::{self, PathDigest};
use crate::keys::{NodeKey, PageKey, StateKey, TurnKey};
use crate::turn::{Listed, Turn};

/// One turn under one ancestry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it lies.
    pub key: NodeKey,
    /// Its name: the hash of parent and turn.
    pub id: NodeId,
    /// The node before it; the root is its own parent.
    pub parent: NodeKey,
    /// A node further up, for quick climbing.
    pub jump: NodeKey,
    /// How many turns lie on the path to it, itself included; 0 for the root.
    pub depth: usize,
    /// Its turn; nothing for the root.
    pub turn: Option<TurnKey>,
    /// The chain digest of the path to it.
    pub digest: PathDigest,
    /// Its state, once it is known; the root has none.
    pub state: Option<StateKey>,
}

/// A node that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// Its name.
    pub id: NodeId,
    /// The node before it.
    pub parent: NodeKey,
    /// A node further up.
    pub jump: NodeKey,
    /// How many turns lie on the path to it.
    pub depth: usize,
    /// Its turn.
    pub turn: TurnKey,
    /// The chain digest of the path to it.
    pub digest: PathDigest,
}

/// Where nodes are kept.
pub trait NodeTable {
    /// What can go wrong with keeping.
    type Error;

    /// Returns a node that must exist.
    fn node(&self, key: NodeKey) -> Result<Node, Self::Error>;

    /// Returns a node by its name.
    fn find_node(&self, id: NodeId) -> Result<Option<Node>, Self::Error>;

    /// Tells whether a page was made just now and stands in no turn yet: then no node can have it.
    fn stands_nowhere(&self, page: PageKey) -> bool {
        let _ = page;
        false
    }

    /// Keeps a new node.
    fn insert_node(&mut self, node: &NewNode) -> Result<NodeKey, Self::Error>;

    /// Climbs; a table that can do it in one go says so.
    fn climb(&self, from: Node, hops: &[Hop]) -> Result<Node, Self::Error> {
        hops.iter().try_fold(from, |node, hop| match hop {
            Hop::Parent => self.node(node.parent),
            Hop::Jump => self.node(node.jump),
        })
    }

    /// Returns the node above one that has a depth, which is not greater; a table that knows a shorter way
    /// than [`climb`](Self::climb) takes it.
    fn above(&self, from: Node, depth: usize) -> Result<Node, Self::Error> {
        let hops = hops(from.depth, depth);
        self.climb(from, &hops)
    }

    /// Returns a turn.
    fn turn(&self, key: TurnKey) -> Result<Turn, Self::Error>;

    /// Keeps a turn.
    fn put_turn(&mut self, turn: &Turn) -> Result<TurnKey, Self::Error>;
}

/// Returns the name of the root of a story's tree.
pub fn root_id(story: StoryId) -> NodeId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline root").update(story.uuid().as_bytes());
    NodeId::from_bytes(*hasher.finalize().as_bytes())
}

fn child_id(parent: NodeId, turn: ValueHash) -> NodeId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline node").update(parent.as_bytes()).update(turn.as_bytes());
    NodeId::from_bytes(*hasher.finalize().as_bytes())
}

/// Walks down from a node and finds or inserts one child per turn. The one way to write history.
pub fn put_path<'a, T: NodeTable>(
    table: &mut T,
    start: NodeKey,
    turns: impl IntoIterator<Item = &'a Listed>,
) -> Result<NodeKey, T::Error> {
    let mut here = table.node(start)?;
    // Nothing lies below a node that was not there.
    let mut new = false;
    for turn in turns {
        let id = child_id(here.id, turn.hash());
        new = new || table.stands_nowhere(turn.active_page().at);
        let known = if new { None } else { table.find_node(id)? };
        new = known.is_none();
        here = match known {
            Some(node) => node,
            None => insert_child(table, &here, id, turn)?,
        };
    }
    Ok(here.key)
}

fn insert_child<T: NodeTable>(table: &mut T, parent: &Node, id: NodeId, turn: &Listed) -> Result<Node, T::Error> {
    let key = match turn.key() {
        Some(key) => key,
        None => table.put_turn(turn)?,
    };
    let node = NewNode {
        id,
        parent: parent.key,
        jump: jump_of_child(table, parent)?,
        depth: parent.depth + 1,
        turn: key,
        digest: digest::extend(parent.digest, &turn.row()),
    };
    let at = table.insert_node(&node)?;
    Ok(Node {
        key: at,
        id,
        parent: node.parent,
        jump: node.jump,
        depth: node.depth,
        turn: Some(key),
        digest: node.digest,
        state: None,
    })
}

/// Skew-binary jumps: if the last two jumps are of equal length, one jump covers both.
fn jump_of_child<T: NodeTable>(table: &T, parent: &Node) -> Result<NodeKey, T::Error> {
    let first = table.node(parent.jump)?;
    let second = table.node(first.jump)?;
    let equal = parent.depth - first.depth == first.depth - second.depth;
    Ok(if equal && parent.depth > 0 { second.key } else { parent.key })
}

/// Returns the node on the way to `from` that has this depth, or nothing if `from` is shorter.
pub fn ancestor<T: NodeTable>(table: &T, from: NodeKey, depth: usize) -> Result<Option<Node>, T::Error> {
    let node = table.node(from)?;
    if node.depth < depth {
        return Ok(None);
    }
    Ok(Some(table.above(node, depth)?))
}

/// One step of a climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hop {
    /// To the node before.
    Parent,
    /// Along the jump.
    Jump,
}

/// Returns the way from one depth up to another. Where a jump ends follows from the depth alone, so no node is
/// looked at in vain.
pub fn hops(mut from: usize, to: usize) -> Vec<Hop> {
    let mut hops = Vec::new();
    while from > to {
        let end = jump_depth(from);
        let (hop, next) = if end >= to { (Hop::Jump, end) } else { (Hop::Parent, from - 1) };
        hops.push(hop);
        from = next;
    }
    hops
}

/// The depth at which the jump of a node ends: a depth is a sum of numbers 2^k − 1, the largest first,
/// and a jump takes the last of them away.
fn jump_depth(depth: usize) -> usize {
    let (mut rest, mut last) = (depth, 0);
    while rest > 0 {
        last = (1 << (rest + 1).ilog2()) - 1;
        rest -= last;
    }
    depth - last
}

/// Returns the last node that two paths share.
pub fn common_ancestor<T: NodeTable>(table: &T, one: NodeKey, other: NodeKey) -> Result<Option<Node>, T::Error> {
    let (one, other) = (table.node(one)?, table.node(other)?);
    let depth = one.depth.min(other.depth);
    let (Some(mut one), Some(mut other)) = (ancestor(table, one.key, depth)?, ancestor(table, other.key, depth)?)
    else {
        return Ok(None);
    };
    // Nodes of one depth have jumps of one depth, so both climb in step.
    while one.key != other.key {
        if one.depth == 0 {
            return Ok(None);
        }
        let (up, other_up) = (table.node(one.jump)?, table.node(other.jump)?);
        (one, other) = match up.key == other_up.key {
            true => (table.node(one.parent)?, table.node(other.parent)?),
            false => (up, other_up),
        };
    }
    Ok(Some(one))
}

/// Returns the nodes from depth `from` (exclusive) down to `to`, in reading order.
pub fn path_below<T: NodeTable>(table: &T, to: NodeKey, from: usize) -> Result<Vec<Node>, T::Error> {
    let mut nodes = Vec::new();
    let mut node = table.node(to)?;
    while node.depth > from {
        let parent = node.parent;
        nodes.push(node);
        node = table.node(parent)?;
    }
    nodes.reverse();
    Ok(nodes)
}

/// Returns the turns from depth `from` (exclusive) down to `to`, in reading order.
pub fn turns_below<T: NodeTable>(table: &T, to: NodeKey, from: usize) -> Result<Vec<Listed>, T::Error> {
    let turns = path_below(table, to, from)?.into_iter().filter_map(|node| node.turn);
    turns.map(|key| Ok(Listed::stored(key, table.turn(key)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_jump_ends_follows_from_the_depth() {
        let mut jumps = vec![0];
        for depth in 1..5_000usize {
            let (parent, first) = (depth - 1, jumps[depth - 1]);
            let second: usize = jumps[first];
            let equal = parent > 0 && parent - first == first - second;
            jumps.push(if equal { second } else { parent });
            assert_eq!(jump_depth(depth), jumps[depth], "depth {depth}");
        }
    }

    #[test]
    fn a_climb_is_as_short_as_the_logarithm() {
        for to in 0..10_000 {
            assert!(hops(10_000, to).len() <= 3 * 14);
        }
    }
}
