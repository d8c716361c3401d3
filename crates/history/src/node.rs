//! Nodes: one turn after another, never changed, equal beginnings shared.
//!
//! A node is named by its parent and its turn, so writing the same list twice writes nothing. A
//! second pointer far up (`jump`) makes finding any floor above cost the logarithm of the length.

use storeyline_state::{NodeId, StateHash, StoryId, ValueHash};

use crate::digest::{self, PathDigest};
use crate::turn::Turn;

/// One turn under one ancestry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name: the hash of parent and turn.
    pub id: NodeId,
    /// The node before it; the root is its own parent.
    pub parent: NodeId,
    /// A node further up, for quick climbing.
    pub jump: NodeId,
    /// How many turns lie on the path to it, itself included; 0 for the root.
    pub depth: usize,
    /// Its turn, by hash; nothing for the root.
    pub turn: Option<ValueHash>,
    /// The chain digest of the path to it.
    pub digest: PathDigest,
}

/// Where nodes are kept.
pub trait NodeTable {
    /// What can go wrong with keeping.
    type Error;

    /// Returns a node that must exist.
    fn node(&self, id: NodeId) -> Result<Node, Self::Error>;

    /// Returns whether a node exists.
    fn has_node(&self, id: NodeId) -> Result<bool, Self::Error>;

    /// Keeps a new node.
    fn insert_node(&mut self, node: &Node) -> Result<(), Self::Error>;
}

/// Returns the root of a story's tree.
pub fn root(story: StoryId, initial: StateHash) -> Node {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline root").update(story.uuid().as_bytes()).update(initial.as_bytes());
    let id = NodeId::from_bytes(*hasher.finalize().as_bytes());
    Node { id, parent: id, jump: id, depth: 0, turn: None, digest: None }
}

fn child_id(parent: NodeId, turn: ValueHash) -> NodeId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"storeyline node").update(parent.as_bytes()).update(turn.as_bytes());
    NodeId::from_bytes(*hasher.finalize().as_bytes())
}

/// Walks down from a node and finds or inserts one child per turn. The one way to write history.
pub fn put_path<'a, T: NodeTable>(
    table: &mut T,
    start: NodeId,
    turns: impl IntoIterator<Item = (ValueHash, &'a Turn)>,
) -> Result<NodeId, T::Error> {
    let mut here = start;
    let mut known: Option<Node> = None;
    for (hash, turn) in turns {
        let id = child_id(here, hash);
        if table.has_node(id)? {
            known = None;
        } else {
            let parent = match known.take() {
                Some(node) => node,
                None => table.node(here)?,
            };
            let node = Node {
                id,
                parent: parent.id,
                jump: jump_of_child(table, &parent)?,
                depth: parent.depth + 1,
                turn: Some(hash),
                digest: digest::extend(parent.digest, &turn.row()),
            };
            table.insert_node(&node)?;
            known = Some(node);
        }
        here = id;
    }
    Ok(here)
}

/// Skew-binary jumps: if the last two jumps are of equal length, one jump covers both.
fn jump_of_child<T: NodeTable>(table: &T, parent: &Node) -> Result<NodeId, T::Error> {
    let first = table.node(parent.jump)?;
    let second = table.node(first.jump)?;
    let equal = parent.depth - first.depth == first.depth - second.depth;
    Ok(if equal && parent.depth > 0 { second.id } else { parent.id })
}

/// Returns the node on the way to `from` that has this depth, or nothing if `from` is shorter.
pub fn ancestor<T: NodeTable>(table: &T, from: NodeId, depth: usize) -> Result<Option<Node>, T::Error> {
    let mut node = table.node(from)?;
    if node.depth < depth {
        return Ok(None);
    }
    while node.depth > depth {
        let jump = table.node(node.jump)?;
        node = if jump.depth >= depth { jump } else { table.node(node.parent)? };
    }
    Ok(Some(node))
}

/// Returns the nodes from depth `from` (exclusive) down to `to`, in reading order.
pub fn path_below<T: NodeTable>(table: &T, to: NodeId, from: usize) -> Result<Vec<Node>, T::Error> {
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
