//! The entries of a wide object: a hash tree whose branches are shared between versions.
//!
//! Finding, changing and adding an entry touches a few short nodes, however wide the object is.
//! Each branch remembers the sum of its terms, so that a change hashes nothing beside it either.
//! The order of the entries is in their ranks, not in the tree.

use triomphe::Arc;

use super::key_hash::{WIDTH, Way, key_hash};
use super::tree::Slot;
use crate::digest::Sum;
use crate::remembered::Remembered;

/// A tree of entries.
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
    /// The sum over all entries below, once it was asked for.
    sum: Remembered,
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

    /// Returns the entry of a key with this hash.
    pub(super) fn find(&self, key: &str, hash: u64) -> Option<&Slot> {
        let mut way = Way::new(key, hash);
        let mut node = &self.root;
        loop {
            match &**node {
                Node::Slot(slot) => return (*slot.key == *key).then_some(slot),
                Node::Branch(branch) => node = branch.children[way.step()].as_ref()?,
            }
        }
    }

    /// Returns an entry to be changed; only the way to it is copied.
    pub(super) fn get_mut(&mut self, key: &str, hash: u64) -> Option<&mut Slot> {
        // What is not there must not be copied.
        self.find(key, hash)?;
        let mut way = Way::new(key, hash);
        let mut node = &mut self.root;
        loop {
            match Arc::make_mut(node) {
                Node::Slot(slot) => return Some(slot),
                Node::Branch(branch) => {
                    branch.sum.take();
                    node = branch.children[way.step()].as_mut()?;
                }
            }
        }
    }

    /// Adds an entry whose key is new.
    pub(super) fn insert(&mut self, slot: Slot) {
        self.len += 1;
        let key = slot.key.clone();
        insert(&mut self.root, Way::new(&key, key_hash(&key)), Arc::new(Node::Slot(slot)));
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Slot> {
        let hash = key_hash(key);
        let slot = self.find(key, hash)?.clone();
        let mut way = Way::new(key, hash);
        self.len -= 1;
        let mut node = &mut self.root;
        loop {
            let Node::Branch(branch) = Arc::make_mut(node) else { return None };
            branch.sum.take();
            let child = &mut branch.children[way.step()];
            if let Some(Node::Slot(_)) = child.as_deref() {
                *child = None;
                return Some(slot);
            }
            node = child.as_mut()?;
        }
    }

    /// Goes through the entries in no order.
    pub(super) fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Slot)) {
        walk(&self.root, visit);
    }

    /// Returns the sum of all terms. Only branches that changed are gone through.
    pub(super) fn sum(&self) -> Sum {
        sum(&self.root)
    }
}

fn insert(node: &mut Arc<Node>, mut way: Way<'_>, slot: Arc<Node>) {
    if let Node::Slot(other) = &**node {
        let key = other.key.clone();
        let other = std::mem::take(node);
        insert(node, way.beside(&key), other);
    }
    let Node::Branch(branch) = Arc::make_mut(node) else { return };
    branch.sum.take();
    match &mut branch.children[way.step()] {
        Some(below) => insert(below, way, slot),
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
