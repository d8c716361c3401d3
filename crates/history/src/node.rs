//! Nodes: one turn after another, never changed, equal beginnings shared.
//!
//! A node is named by its parent and its turn, so writing the same list twice writes nothing. A
//! second pointer far up (`jump`) makes finding any floor above cost the logarithm of the length.

use storeyline_state::{NodeId, StoryId, ValueHash};

use crate::digest::{self, PathDigest, ReadingDigest};
use crate::keys::{NodeKey, StateKey, TurnKey};
use crate::turn::{Listed, Turn};

/// One turn under one ancestry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub key: NodeKey,
    /// The hash of parent and turn.
    pub id: NodeId,
    /// The root is its own parent.
    pub parent: NodeKey,
    /// A node further up, for quick climbing.
    pub jump: NodeKey,
    /// The number of turns on the path to the node, including its own; 0 for the root.
    pub depth: usize,
    /// `None` for the root.
    pub turn: Option<TurnKey>,
    /// The chain digest of the path.
    pub digest: PathDigest,
    pub reading: ReadingDigest,
    /// `None` until it is evaluated; the root has none.
    pub state: Option<StateKey>,
}

/// A node to insert; the fields are those of [`Node`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    pub id: NodeId,
    pub parent: NodeKey,
    pub jump: NodeKey,
    pub depth: usize,
    pub turn: TurnKey,
    pub digest: PathDigest,
    pub reading: ReadingDigest,
}

/// Looks up nodes and turns.
pub trait NodeTable {
    type Error;

    /// Returns a node that must exist.
    fn node(&self, key: NodeKey) -> Result<Node, Self::Error>;

    fn find_node(&self, id: NodeId) -> Result<Option<Node>, Self::Error>;

    /// Returns the ancestor at a depth, which is not greater than that of `from`.
    fn ancestor_at(&self, from: Node, depth: usize) -> Result<Node, Self::Error> {
        hops(from.depth, depth).into_iter().try_fold(from, |node, hop| match hop {
            Hop::Parent => self.node(node.parent),
            Hop::Jump => self.node(node.jump),
        })
    }

    /// Returns the nodes below depth `from` on the path to `to`, in reading order.
    fn path_below(&self, to: NodeKey, from: usize) -> Result<Vec<Node>, Self::Error> {
        let mut nodes = Vec::new();
        let mut node = self.node(to)?;
        while node.depth > from {
            let parent = node.parent;
            nodes.push(node);
            node = self.node(parent)?;
        }
        nodes.reverse();
        Ok(nodes)
    }

    fn turn(&self, key: TurnKey) -> Result<Turn, Self::Error>;

    /// Returns several turns in the order of their keys in `keys`.
    fn turns(&self, keys: &[TurnKey]) -> Result<Vec<Turn>, Self::Error> {
        keys.iter().map(|key| self.turn(*key)).collect()
    }
}

/// Adds nodes and turns.
pub trait NodeWriter: NodeTable {
    fn insert_node(&mut self, node: &NewNode) -> Result<NodeKey, Self::Error>;

    fn put_turn(&mut self, turn: &Turn) -> Result<TurnKey, Self::Error>;
}

/// Returns the id of the root of a story's tree.
pub fn root_id(story: StoryId) -> NodeId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline root").update(story.uuid().as_bytes());
    NodeId::from_bytes(*hasher.finalize().as_bytes())
}

/// Returns the id of a node from its parent's and its turn.
pub fn child_id(parent: NodeId, turn: ValueHash) -> NodeId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline node").update(parent.as_bytes()).update(turn.as_bytes());
    NodeId::from_bytes(*hasher.finalize().as_bytes())
}

/// Walks down from a node and finds or inserts one child per turn. The one way to write history.
pub fn put_path<'a, T: NodeWriter>(
    table: &mut T,
    start: NodeKey,
    turns: impl IntoIterator<Item = &'a Listed>,
) -> Result<NodeKey, T::Error> {
    let mut here = table.node(start)?;
    // A new node has no children yet.
    let mut new = false;
    for turn in turns {
        let id = child_id(here.id, turn.hash());
        let known = if new { None } else { table.find_node(id)? };
        new = known.is_none();
        here = match known {
            Some(node) => node,
            None => insert_child(table, &here, id, turn)?,
        };
    }
    Ok(here.key)
}

fn insert_child<T: NodeWriter>(table: &mut T, parent: &Node, id: NodeId, turn: &Listed) -> Result<Node, T::Error> {
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
        reading: parent.reading.extend(turn.role, &turn.name, turn.active_page().text),
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
        reading: node.reading,
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
    Ok(Some(table.ancestor_at(node, depth)?))
}

/// One step of a climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hop {
    Parent,
    Jump,
}

/// Returns the hops from one depth up to another. Where a jump ends follows from the depth alone,
/// so that no node is read without need.
fn hops(mut from: usize, to: usize) -> Vec<Hop> {
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
        // Asked for by their depths: a table refuses pointers that do not lead up.
        let (end, above) = (jump_depth(one.depth), one.depth - 1);
        let (up, other_up) = (table.ancestor_at(one.clone(), end)?, table.ancestor_at(other.clone(), end)?);
        (one, other) = match up.key == other_up.key {
            true => (table.ancestor_at(one, above)?, table.ancestor_at(other, above)?),
            false => (up, other_up),
        };
    }
    Ok(Some(one))
}

/// Returns the turns from depth `from` (exclusive) down to `to`, in reading order.
pub fn turns_below<T: NodeTable>(table: &T, to: NodeKey, from: usize) -> Result<Vec<Listed>, T::Error> {
    let keys: Vec<TurnKey> = table.path_below(to, from)?.into_iter().filter_map(|node| node.turn).collect();
    let turns = table.turns(&keys)?;
    Ok(keys.into_iter().zip(turns).map(|(key, turn)| Listed::stored(key, turn)).collect())
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
