//! The entries of a wide object: a hash tree whose branches are shared between versions.
//!
//! Finding, changing and adding an entry touches a few short nodes, however wide the object is.
//! The order of the entries is in their ranks, not in the tree.

use std::sync::Arc;

use super::key_hash::key_hash;
use super::tree::Slot;

/// A leaf with more entries is divided.
const LEAF: usize = 8;

/// How many bits of the hash one branch looks at.
const BITS: u32 = 4;

/// A tree of entries.
#[derive(Debug, Clone)]
pub(super) struct Trie {
    root: Arc<Node>,
    len: usize,
}

#[derive(Debug, Clone)]
enum Node {
    Leaf(Vec<Slot>),
    Branch([Option<Arc<Node>>; 1 << BITS]),
}

impl Trie {
    pub(super) fn new() -> Trie {
        Trie { root: Arc::new(Node::Leaf(Vec::new())), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, key: &str) -> Option<&Slot> {
        self.find(key, key_hash(key))
    }

    fn find(&self, key: &str, mut hash: u64) -> Option<&Slot> {
        let mut node = &self.root;
        loop {
            match &**node {
                Node::Leaf(slots) => return slots.iter().find(|slot| *slot.key == *key),
                Node::Branch(children) => node = children[index(hash)].as_ref()?,
            }
            hash >>= BITS;
        }
    }

    /// Returns an entry to be changed; only the way to it is copied.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Slot> {
        let mut hash = key_hash(key);
        // What is not there must not be copied.
        self.find(key, hash)?;
        let mut node = &mut self.root;
        loop {
            match Arc::make_mut(node) {
                Node::Leaf(slots) => return slots.iter_mut().find(|slot| *slot.key == *key),
                Node::Branch(children) => node = children[index(hash)].as_mut()?,
            }
            hash >>= BITS;
        }
    }

    /// Adds an entry whose key is new.
    pub(super) fn insert(&mut self, slot: Slot) {
        self.len += 1;
        let hash = key_hash(&slot.key);
        insert(&mut self.root, hash, 0, slot);
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Slot> {
        let mut hash = key_hash(key);
        self.find(key, hash)?;
        self.len -= 1;
        let mut node = &mut self.root;
        loop {
            match Arc::make_mut(node) {
                Node::Leaf(slots) => {
                    let at = slots.iter().position(|slot| *slot.key == *key)?;
                    return Some(slots.remove(at));
                }
                Node::Branch(children) => node = children[index(hash)].as_mut()?,
            }
            hash >>= BITS;
        }
    }

    /// Goes through the entries in no order.
    pub(super) fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Slot)) {
        walk(&self.root, visit);
    }

    /// Goes through the entries in no order, to change them.
    pub(super) fn for_each_mut(&mut self, visit: &mut impl FnMut(&mut Slot)) {
        walk_mut(&mut self.root, visit);
    }
}

fn index(hash: u64) -> usize {
    (hash & ((1 << BITS) - 1)) as usize
}

fn insert(node: &mut Arc<Node>, hash_left: u64, depth: u32, slot: Slot) {
    let node = Arc::make_mut(node);
    match node {
        // At the end of the hash everything left is equal, and a long leaf is all there is.
        Node::Leaf(slots) if slots.len() < LEAF || depth >= 64 / BITS => slots.push(slot),
        Node::Leaf(slots) => {
            let mut children: [Option<Arc<Node>>; 1 << BITS] = Default::default();
            for slot in std::mem::take(slots).into_iter().chain([slot]) {
                let left = key_hash(&slot.key) >> (depth * BITS);
                insert_below(&mut children, left, depth, slot);
            }
            *node = Node::Branch(children);
        }
        Node::Branch(children) => insert_below(children, hash_left, depth, slot),
    }
}

fn insert_below(children: &mut [Option<Arc<Node>>; 1 << BITS], hash_left: u64, depth: u32, slot: Slot) {
    let child = children[index(hash_left)].get_or_insert_with(|| Arc::new(Node::Leaf(Vec::new())));
    insert(child, hash_left >> BITS, depth + 1, slot);
}

fn walk<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Slot)) {
    match node {
        Node::Leaf(slots) => slots.iter().for_each(visit),
        Node::Branch(children) => children.iter().flatten().for_each(|child| walk(child, visit)),
    }
}

fn walk_mut(node: &mut Arc<Node>, visit: &mut impl FnMut(&mut Slot)) {
    match Arc::make_mut(node) {
        Node::Leaf(slots) => slots.iter_mut().for_each(visit),
        Node::Branch(children) => children.iter_mut().flatten().for_each(|child| walk_mut(child, visit)),
    }
}
