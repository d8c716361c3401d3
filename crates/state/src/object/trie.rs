//! A hash trie of entries whose branches are shared between versions.
//!
//! Finding, changing and adding an entry touches a few small nodes, however wide the object is.
//! Each branch caches the sum of its terms, so that a change rehashes only the path to it. The
//! order of the entries is in their ranks, not in the trie.

use triomphe::Arc;

use super::key_hash::{HashPath, WIDTH, key_hash};
use super::tree::Slot;
use crate::cached_sum::CachedSum;
use crate::digest::Sum;

#[derive(Debug, Clone, Default)]
pub(super) struct Trie {
    root: Arc<Node>,
    len: usize,
}

#[derive(Debug, Clone)]
enum Node {
    Slot(Slot),
    Branch(Branch),
}

#[derive(Debug, Clone, Default)]
struct Branch {
    children: [Option<Arc<Node>>; WIDTH],
    /// Cached sum over all entries below.
    sum: CachedSum,
}

impl Default for Node {
    fn default() -> Node {
        Node::Branch(Branch::default())
    }
}

impl Trie {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn find(&self, key: &str, hash: u64) -> Option<&Slot> {
        let mut path = HashPath::new(key, hash);
        let mut node = &self.root;
        loop {
            match &**node {
                Node::Slot(slot) => return (*slot.key == *key).then_some(slot),
                Node::Branch(branch) => node = branch.children[path.step()].as_ref()?,
            }
        }
    }

    /// Returns an entry for changing; copies only the path to it.
    pub(super) fn get_mut(&mut self, key: &str, hash: u64) -> Option<&mut Slot> {
        // Avoids copying if the key does not exist.
        self.find(key, hash)?;
        let mut path = HashPath::new(key, hash);
        let mut node = &mut self.root;
        loop {
            match Arc::make_mut(node) {
                Node::Slot(slot) => return Some(slot),
                Node::Branch(branch) => {
                    branch.sum.take();
                    node = branch.children[path.step()].as_mut()?;
                }
            }
        }
    }

    /// Adds an entry; its key must be new.
    pub(super) fn insert(&mut self, slot: Slot) {
        self.len += 1;
        let key = slot.key.clone();
        insert(&mut self.root, HashPath::new(&key, key_hash(&key)), Arc::new(Node::Slot(slot)));
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Slot> {
        let hash = key_hash(key);
        let slot = self.find(key, hash)?.clone();
        let mut path = HashPath::new(key, hash);
        self.len -= 1;
        let mut node = &mut self.root;
        loop {
            let Node::Branch(branch) = Arc::make_mut(node) else { return None };
            branch.sum.take();
            let child = &mut branch.children[path.step()];
            if let Some(Node::Slot(_)) = child.as_deref() {
                *child = None;
                return Some(slot);
            }
            node = child.as_mut()?;
        }
    }

    /// Visits the entries in unspecified order.
    pub(super) fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Slot)) {
        walk(&self.root, visit);
    }

    /// Returns the sum of all terms. Only changed branches are visited.
    pub(super) fn sum(&self) -> Sum {
        sum(&self.root)
    }
}

fn insert(node: &mut Arc<Node>, mut path: HashPath<'_>, slot: Arc<Node>) {
    if let Node::Slot(other) = &**node {
        let key = other.key.clone();
        let other = std::mem::take(node);
        insert(node, path.fork(&key), other);
    }
    let Node::Branch(branch) = Arc::make_mut(node) else { return };
    branch.sum.take();
    match &mut branch.children[path.step()] {
        Some(below) => insert(below, path, slot),
        empty => *empty = Some(slot),
    }
}

fn walk<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Slot)) {
    match node {
        Node::Slot(slot) => visit(slot),
        Node::Branch(branch) => branch.children.iter().flatten().for_each(|child| walk(child, visit)),
    }
}

fn sum(node: &Node) -> Sum {
    match node {
        Node::Slot(slot) => slot.term(),
        Node::Branch(branch) => branch.sum.get_or(|| {
            let mut total = Sum::default();
            branch.children.iter().flatten().for_each(|child| total.add(sum(child)));
            total
        }),
    }
}
