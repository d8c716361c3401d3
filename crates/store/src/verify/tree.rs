//! Nodes: all of a node but its state follows from its parent and its turn.

use std::collections::{BTreeMap, HashMap};

use storeyline_history::digest::{self, ReadingDigest};
use storeyline_history::node::{Node, child_id, root_id};
use storeyline_history::{HostFields, NodeKey, Turn, TurnKey, ValueKey};
use storeyline_state::{NodeId, ValueHash};

use super::Checker;
use super::shape::{Blanked, with_id};
use crate::error::StoreError;
use crate::keys::StoryKey;
use crate::tables::nodes::{self, StoredNode};
use crate::tables::table::Raw;
use crate::tables::{pages, stories, turns};

/// How many nodes without a parent are compared with all others; each takes as long as there are nodes.
const MAX_SEARCHES: usize = 256;

/// The children of nodes, and the nodes that are right or were corrected.
#[derive(Default)]
struct Walk {
    children: HashMap<i64, Vec<i64>>,
    sound: BTreeMap<i64, StoredNode>,
}

impl Checker<'_> {
    pub(super) fn load_nodes(&mut self) -> Result<(), StoreError> {
        let (mut unread, mut found) = (Vec::new(), BTreeMap::new());
        self.rows(&nodes::TABLE, &mut |raw| {
            let read = nodes::read(&raw).map(|node| (node, raw.is_intact() && raw.values[0] == Raw::Int(self.owner.0)));
            // All columns but `turn` can be computed.
            let read = read.or_else(|_| nodes::read(&Blanked::of(&nodes::TABLE, &raw).row).map(|node| (node, false)));
            match read {
                Ok((node, is_intact)) => _ = found.insert(node.node.key.0, (node, is_intact)),
                Err(_) => unread.push(raw),
            }
            Ok(())
        })?;
        unread.iter().for_each(|row| self.report(&nodes::TABLE, row, "the row cannot be read"));
        self.nodes = found;
        Ok(())
    }

    /// Walks down from the roots. Nodes that are not reached that way are in a ring, or lost their parent.
    pub(super) fn tree(&mut self) -> Result<(), StoreError> {
        let mut walk = Walk::default();
        for (id, (stored, _)) in &self.nodes {
            if stored.node.parent.0 != *id {
                walk.children.entry(stored.node.parent.0).or_default().push(*id);
            }
        }
        let mut open = self.roots(&mut walk)?;
        self.walk_down(&mut walk, &mut open)?;
        let lost: Vec<i64> = self.nodes.keys().filter(|id| !walk.sound.contains_key(id)).copied().collect();
        // First those whose hash tells where they belong, so that none is kept in the place of another.
        for id in lost.iter().take(MAX_SEARCHES) {
            if !walk.sound.contains_key(id) {
                self.find_parent(&mut walk, *id, &mut open)?;
                self.walk_down(&mut walk, &mut open)?;
            }
        }
        for id in &lost {
            if !walk.sound.contains_key(id) {
                self.keep_under_parent(&mut walk, *id, &mut open)?;
                self.walk_down(&mut walk, &mut open)?;
            }
        }
        for id in lost {
            if !walk.sound.contains_key(&id)
                && let Some(raw) = self.raw(&nodes::TABLE, id)?
            {
                self.report(&nodes::TABLE, &raw, "no way leads from it to the root of its story");
            }
        }
        self.turn_checksums(&walk)?;
        self.nodes = std::mem::take(&mut walk.sound).into_iter().map(|(id, node)| (id, (node, true))).collect();
        Ok(())
    }

    /// Finds the roots: by the id of the story, else by the pointer of the story.
    fn roots(&mut self, walk: &mut Walk) -> Result<Vec<i64>, StoreError> {
        let by_hash: HashMap<NodeId, i64> = self.nodes.iter().map(|(id, (stored, _))| (stored.node.id, *id)).collect();
        let mut found = Vec::new();
        self.rows(&stories::TABLE, &mut |raw| {
            found.extend(stories::read(&with_id(&stories::TABLE, &raw).0).ok());
            Ok(())
        })?;
        let mut open = Vec::new();
        for story in found {
            let hash = root_id(story.id);
            let root = by_hash.get(&hash).copied().unwrap_or(story.root.0);
            let Some((stored, _)) = self.nodes.get(&root) else { continue };
            let is_root = stored.node.id == hash || stored.node.parent.0 == root;
            if is_root && !walk.sound.contains_key(&root) {
                let key = NodeKey(root);
                let (reading, turn, digest, state) = (ReadingDigest::default(), None, None, None);
                let node = Node { key, id: hash, parent: key, jump: key, depth: 0, turn, digest, reading, state };
                self.compare(walk, StoredNode { node, story: story.key, run: key })?;
                open.push(root);
            }
        }
        // The story of another root cannot be read; what is below it is checked all the same.
        for (id, (stored, _)) in &self.nodes {
            if stored.node.parent.0 == *id && stored.node.depth == 0 && !walk.sound.contains_key(id) {
                walk.sound.insert(*id, stored.clone());
                open.push(*id);
            }
        }
        Ok(open)
    }

    fn walk_down(&mut self, walk: &mut Walk, open: &mut Vec<i64>) -> Result<(), StoreError> {
        while let Some(parent) = open.pop() {
            for child in walk.children.get(&parent).cloned().unwrap_or_default() {
                if !walk.sound.contains_key(&child) && self.child(walk, parent, child)? {
                    open.push(child);
                }
            }
        }
        Ok(())
    }

    /// Checks a node under the parent that it names. Returns false if that is not its parent.
    fn child(&mut self, walk: &mut Walk, parent: i64, id: i64) -> Result<bool, StoreError> {
        let stored = self.nodes[&id].0.clone();
        let above = walk.sound[&parent].clone();
        let Some(key) = stored.node.turn else { return self.other_turn(walk, &above, stored) };
        let Some(turn) = self.turns.get(&key.0).cloned() else { return self.unread_turn(walk, &above, stored) };
        let right = expected(walk, &above, &stored, key, &turn);
        if right.node.id == stored.node.id {
            self.compare(walk, right)?;
            self.stories_of_pages(&turn, above.story)?;
            return Ok(true);
        }
        if let Some(turn) = self.repaired_turn(&above, &stored, key.0, &turn)? {
            self.compare(walk, expected(walk, &above, &stored, key, &turn))?;
            return Ok(true);
        }
        // The digest covers less than the hash, so the turn was compared first.
        if right.node.digest == stored.node.digest {
            self.compare(walk, right)?;
            return Ok(true);
        }
        // Either the parent or the turn is another one.
        self.other_turn(walk, &above, stored)
    }

    /// A turn that is missing or cannot be read is reported by itself; the rest of the node is checked.
    fn unread_turn(&mut self, walk: &mut Walk, above: &StoredNode, stored: StoredNode) -> Result<bool, StoreError> {
        let id = stored.node.key.0;
        let key = stored.node.turn.map_or(0, |turn| turn.0);
        if self.raw(&turns::TABLE, key)?.is_none() {
            return self.other_turn(walk, above, stored);
        }
        let (depth, jump, run) = place(walk, above, &stored);
        let node = Node { depth, jump, ..stored.node };
        let right = StoredNode { node, story: above.story, run };
        if self.nodes[&id].1 {
            self.compare(walk, right)?
        } else {
            self.keep(walk, right)?
        }
        Ok(true)
    }

    /// Looks for the turn that a node has by its hash.
    fn other_turn(&mut self, walk: &mut Walk, above: &StoredNode, stored: StoredNode) -> Result<bool, StoreError> {
        let fits = |turn: &Turn| child_id(above.node.id, turn.hash()) == stored.node.id;
        let found = self.turns.iter().find(|(_, turn)| fits(turn)).map(|(id, turn)| (*id, turn.clone()));
        let Some((id, turn)) = found else { return Ok(false) };
        self.compare(walk, expected(walk, above, &stored, TurnKey(id), &turn))?;
        Ok(true)
    }

    /// Accepts a node under the parent that it names, if nothing tells of another one.
    fn keep_under_parent(&mut self, walk: &mut Walk, id: i64, open: &mut Vec<i64>) -> Result<(), StoreError> {
        let stored = self.nodes[&id].0.clone();
        let Some(above) = walk.sound.get(&stored.node.parent.0).cloned() else { return Ok(()) };
        let (depth, jump, run) = place(walk, &above, &stored);
        let node = Node { depth, jump, ..stored.node };
        self.keep(walk, StoredNode { node, story: above.story, run })?;
        open.push(id);
        Ok(())
    }

    /// Accepts a node that is wrong and cannot be computed, so that those below it are checked.
    fn keep(&mut self, walk: &mut Walk, kept: StoredNode) -> Result<(), StoreError> {
        if let Some(raw) = self.raw(&nodes::TABLE, kept.node.key.0)? {
            self.report(&nodes::TABLE, &raw, "it fits neither its parent nor its turn");
        }
        walk.sound.insert(kept.node.key.0, kept);
        Ok(())
    }

    /// Compares a node with what it should be.
    fn compare(&mut self, walk: &mut Walk, mut right: StoredNode) -> Result<(), StoreError> {
        let id = right.node.key.0;
        let (stored, is_intact) = self.nodes[&id].clone();
        right.node.state = stored.node.state.filter(|state| right.node.depth > 0 && self.states.contains_key(&state.0));
        let wrong = differences(&stored, &right);
        if (!wrong.is_empty() || !is_intact)
            && let Some(raw) = self.raw(&nodes::TABLE, id)?
        {
            let what = if wrong.is_empty() { "the checksum".to_owned() } else { wrong.join(", ") };
            self.report(&nodes::TABLE, &raw, format!("wrong: {what}"));
            let new = nodes::columns(self.owner, &right).into_iter().map(Raw::from).collect();
            self.fix(&nodes::TABLE, raw, new);
        }
        walk.sound.insert(id, right);
        Ok(())
    }

    fn stories_of_pages(&mut self, turn: &Turn, story: StoryKey) -> Result<(), StoreError> {
        turn.pages.iter().try_for_each(|page| self.page_story(page.at, story.0))
    }

    /// A node whose parent pointer is wrong: its parent is the one with which its hash fits.
    fn find_parent(&mut self, walk: &mut Walk, id: i64, open: &mut Vec<i64>) -> Result<(), StoreError> {
        let stored = self.nodes[&id].0.clone();
        let Some(key) = stored.node.turn else { return Ok(()) };
        let Some(turn) = self.turns.get(&key.0).cloned() else { return Ok(()) };
        if let Some(parent) = self.parent_by_hash(walk, &stored, &turn) {
            let above = walk.sound[&parent].clone();
            self.compare(walk, expected(walk, &above, &stored, key, &turn))?;
            open.push(id);
        }
        Ok(())
    }

    fn parent_by_hash(&self, walk: &Walk, stored: &StoredNode, turn: &Turn) -> Option<i64> {
        let hash = turn.hash();
        let fits = |above: &StoredNode| child_id(above.node.id, hash) == stored.node.id;
        walk.sound.iter().find(|(id, above)| **id != stored.node.key.0 && fits(above)).map(|(id, _)| *id)
    }

    /// Tries the turn with other host fields, or with the hashes that its pages really have.
    fn repaired_turn(
        &mut self,
        above: &StoredNode,
        stored: &StoredNode,
        id: i64,
        turn: &Turn,
    ) -> Result<Option<Turn>, StoreError> {
        let fits = |turn: &Turn| child_id(above.node.id, turn.hash()) == stored.node.id;
        let mut tried = turn.clone();
        for page in &mut tried.pages {
            page.body = self.pages.get(&page.at.0).and_then(|page| page.other_body).unwrap_or(page.body);
        }
        if fits(&tried) {
            for page in &tried.pages {
                self.fix_body(page.at.0, page.body)?;
            }
            return Ok(Some(tried));
        }
        let host = |at: i64, hash: ValueHash| HostFields { hash, at: ValueKey(at) };
        let hosts = self.values.iter().map(|(at, hash)| Some(host(*at, *hash))).chain([None]);
        let mut tried = turn.clone();
        for fields in hosts {
            tried.host = fields;
            if fits(&tried) {
                let Some(raw) = self.raw(&turns::TABLE, id)? else { return Ok(None) };
                let mut new = raw.values.clone();
                new[0] = Raw::Int(self.owner.0);
                new[2] = fields.map_or(Raw::Null, |fields| Raw::Int(fields.at.0));
                self.report(&turns::TABLE, &raw, "the host fields are another turn's");
                self.fix(&turns::TABLE, raw, new);
                self.turn_rows.remove(&id);
                return Ok(Some(tried));
            }
        }
        Ok(None)
    }

    fn fix_body(&mut self, page: i64, body: ValueHash) -> Result<(), StoreError> {
        let Some(raw) = self.raw(&pages::TABLE, page)? else { return Ok(()) };
        let mut new = raw.values.clone();
        new[4] = Raw::Bytes(body.as_bytes().to_vec());
        if new != raw.values {
            self.fix(&pages::TABLE, raw, new);
        }
        Ok(())
    }

    /// A turn with a wrong checksum is right if a node has it by its hash.
    fn turn_checksums(&mut self, walk: &Walk) -> Result<(), StoreError> {
        let wrong = self.turn_rows.iter().filter(|(_, (_, is_intact))| !is_intact);
        let wrong: HashMap<i64, ()> = wrong.map(|(id, _)| (*id, ())).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let mut proven = Vec::new();
        for stored in walk.sound.values() {
            let Some(turn) = stored.node.turn.filter(|turn| wrong.contains_key(&turn.0)) else { continue };
            let Some(above) = walk.sound.get(&stored.node.parent.0) else { continue };
            if self.turns.get(&turn.0).is_some_and(|turn| child_id(above.node.id, turn.hash()) == stored.node.id) {
                proven.push(turn.0);
            }
        }
        proven.sort_unstable();
        proven.dedup();
        for id in proven {
            if let Some(raw) = self.raw(&turns::TABLE, id)? {
                let mut new = Blanked::of(&turns::TABLE, &raw).row.values;
                new[0] = Raw::Int(self.owner.0);
                self.fix(&turns::TABLE, raw, new);
            }
        }
        Ok(())
    }
}

/// Returns the node that belongs under a parent with a turn; the state is left as it is.
fn expected(walk: &Walk, above: &StoredNode, stored: &StoredNode, key: TurnKey, turn: &Turn) -> StoredNode {
    let (depth, jump, run) = place(walk, above, stored);
    let node = Node {
        key: stored.node.key,
        id: child_id(above.node.id, turn.hash()),
        parent: above.node.key,
        jump,
        depth,
        turn: Some(key),
        digest: digest::extend(above.node.digest, &turn.row()),
        reading: above.node.reading.extend(turn.role, &turn.name, turn.active_page().text),
        state: stored.node.state,
    };
    StoredNode { node, story: above.story, run }
}

/// Returns depth, jump and run of a node from its parent, which was checked before.
fn place(walk: &Walk, above: &StoredNode, stored: &StoredNode) -> (usize, NodeKey, NodeKey) {
    let parent = &above.node;
    let first = walk.sound.get(&parent.jump.0).map_or(parent, |stored| &stored.node);
    let second = walk.sound.get(&first.jump.0).map_or(first, |stored| &stored.node);
    let equal = parent.depth - first.depth == first.depth - second.depth;
    let jump = if equal && parent.depth > 0 { second.key } else { parent.key };
    let run = if parent.key.0 + 1 == stored.node.key.0 { above.run } else { stored.node.key };
    (parent.depth + 1, jump, run)
}

/// Names the columns in which two nodes differ.
fn differences(one: &StoredNode, other: &StoredNode) -> Vec<&'static str> {
    let (a, b) = (&one.node, &other.node);
    let columns = [
        ("story", one.story == other.story),
        ("hash", a.id == b.id),
        ("parent", a.parent == b.parent),
        ("jump", a.jump == b.jump),
        ("run", one.run == other.run),
        ("depth", a.depth == b.depth),
        ("turn", a.turn == b.turn),
        ("digest", a.digest == b.digest),
        ("reading", a.reading == b.reading),
        ("state", a.state == b.state),
    ];
    columns.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name).collect()
}
