//! What users have beside stories: where reading went on, assets, snapshots of other tools, clients.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::judge::{Ids, POINTERS, Wanted};
use super::{Checker, Fix};
use crate::error::StoreError;
use crate::sql::Row as _;
use crate::tables::table::{Raw, RawRow};
use crate::tables::{assets, clients, cursors, foreign_snapshots};

impl Checker<'_> {
    pub(super) fn beside(&mut self, ids: &Ids) -> Result<(), StoreError> {
        self.cursors(ids)?;
        self.assets(ids)?;
        for table in [&foreign_snapshots::TABLE, &clients::CLIENTS, &clients::SEQS, &cursors::GIVEN_UP] {
            for row in self.all(table)? {
                let is_negative = table.has_column("seq") && !row.int(table.column("seq")).is_ok_and(|seq| seq >= 0);
                let what = if is_negative { "the number is wrong" } else { "" };
                // Two clients cannot have the same name.
                let is_nameless = table.name() == "client" && !matches!(row.values[2], Raw::Bytes(_));
                let name = || ("name", Raw::Bytes(format!("?{}", row.int(1).unwrap_or(0)).into_bytes()));
                let wanted = is_nameless.then(name).into_iter().collect();
                self.judge(table, row, ids, wanted, what)?;
            }
        }
        Ok(())
    }

    /// A cursor only says where reading went on: a wrong one is taken away.
    fn cursors(&mut self, ids: &Ids) -> Result<(), StoreError> {
        let stories = self.stories_of_refs()?;
        let pages = self.nodes_of_pages();
        for row in self.all(&cursors::CURSORS)? {
            let story = row.int(1).ok().and_then(|of| stories.get(&of)).copied();
            let node = row.int(3).ok().and_then(|node| self.nodes.get(&node));
            let page: Option<[u8; 16]> = row.bytes(2).ok().and_then(|page| page.try_into().ok());
            let is_unknown = !self.unread_turns.is_empty() && page.is_some_and(|page| !pages.contains_key(&page));
            let is_right = story.is_some()
                && node.is_some_and(|(stored, _)| Some(stored.story.0) == story)
                && (is_unknown
                    || page
                        .and_then(|page| pages.get(&page))
                        .is_some_and(|nodes| self.is_below(nodes, row.int(3).unwrap_or(0))));
            if is_right && row.is_intact() {
                continue;
            }
            let pointers = POINTERS[3].1;
            let is_searched = self.repair && !row.is_intact();
            let fitting = if is_searched { self.search(&row, pointers, &cursors::CURSORS, ids) } else { None };
            let by_page = || {
                let with =
                    |page: &[u8; 16]| [&row.values[..2], &[Raw::Bytes(page.to_vec())], &row.values[3..]].concat();
                pages.keys().map(with).find(|new| row.fits(new))
            };
            let fitting = fitting.or_else(|| by_page().filter(|_| is_searched));
            self.report(&cursors::CURSORS, &row, "it leads to a floor that is not below its page");
            self.fixes.push(Fix { table: &cursors::CURSORS, seen: row, new: fitting });
        }
        Ok(())
    }

    /// Returns the nodes that have a page, by page, with their depths.
    fn nodes_of_pages(&self) -> HashMap<[u8; 16], BTreeMap<usize, HashSet<i64>>> {
        let mut nodes: HashMap<[u8; 16], BTreeMap<usize, HashSet<i64>>> = HashMap::new();
        for (id, (stored, _)) in &self.nodes {
            let turn = stored.node.turn.and_then(|turn| self.turns.get(&turn.0));
            for page in turn.into_iter().flat_map(|turn| &turn.pages) {
                nodes.entry(*page.page.as_bytes()).or_default().entry(stored.node.depth).or_default().insert(*id);
            }
        }
        nodes
    }

    /// Tells whether one of some nodes is on the path to another.
    fn is_below(&self, nodes: &BTreeMap<usize, HashSet<i64>>, leaf: i64) -> bool {
        nodes.iter().any(|(depth, nodes)| self.above(leaf, *depth).is_some_and(|above| nodes.contains(&above)))
    }

    /// Returns the node above another at a depth. The tree was checked, and every step leads up.
    fn above(&self, from: i64, depth: usize) -> Option<i64> {
        let mut node = &self.nodes.get(&from)?.0.node;
        while node.depth > depth {
            let jump = &self.nodes.get(&node.jump.0)?.0.node;
            let next = if jump.depth >= depth { jump } else { &self.nodes.get(&node.parent.0)?.0.node };
            if next.depth >= node.depth {
                return None;
            }
            node = next;
        }
        Some(node.key.0).filter(|_| node.depth == depth)
    }

    /// The versions of an asset are numbered from 1.
    fn assets(&mut self, ids: &Ids) -> Result<(), StoreError> {
        let mut versions: HashMap<Vec<Raw>, HashSet<i64>> = HashMap::new();
        let rows = self.all(&assets::TABLE)?;
        for row in &rows {
            versions.entry(row.values[1..3].to_vec()).or_default().extend(row.int(3).ok());
        }
        // A version whose predecessor is missing moves up, but only if no other row may turn out to be that one.
        let are_intact = rows.iter().all(RawRow::is_intact);
        for row in rows {
            let version = row.int(3).unwrap_or(0);
            let known = &versions[&row.values[1..3]];
            let is_kind = row.int(1).is_ok_and(|kind| assets::AssetKind::from_number(kind).is_some());
            let is_next = version == 1 || known.contains(&version.saturating_sub(1));
            let what = if is_kind && is_next { "" } else { "kind or version is wrong" };
            let mut wanted = Wanted::new();
            if !row.is_intact() && self.repair {
                let with = |(key, column): &(&Vec<Raw>, usize)| {
                    let mut new = row.values.clone();
                    new[*column] = key[*column - 1].clone();
                    row.fits(&new)
                };
                let found = versions.keys().flat_map(|key| [(key, 1), (key, 2)]).find(with);
                wanted.extend(found.map(|(key, column)| (["kind", "name"][column - 1], key[column - 1].clone())));
            }
            if !is_next && are_intact {
                let free = (1..).find(|version| !known.contains(version)).unwrap_or(1);
                wanted.push(("version", Raw::Int(free)));
            }
            self.judge(&assets::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }
}
