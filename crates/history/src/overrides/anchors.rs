//! Finds the position of a hand edit in a recomputed list.
//!
//! The item itself is searched first, then a row that shares a text which no other row has, then
//! the only item between the same neighbours. Of several candidates, the one with more equal
//! neighbours is taken, then the nearest. An item is matched once.

use std::collections::{HashMap, HashSet};

use storeyline_state::{Object, StateHash, Text, Value};

use super::Override;
use super::items::Anchor;
use super::pairs::similarity;

/// Number of equal items on either side of the stored index that are considered.
const MAX_CANDIDATES: usize = 16;

pub(super) struct Anchors<'a> {
    list: &'a [Value],
    hashes: Vec<StateHash>,
    places: HashMap<StateHash, Vec<usize>>,
    /// The only row that has this key and text, or `None` if several have it. Built on first use.
    rows: Option<HashMap<(Text, Text), Option<usize>>>,
    found: HashSet<usize>,
}

impl<'a> Anchors<'a> {
    pub(super) fn new(list: &'a [Value]) -> Anchors<'a> {
        let hashes: Vec<StateHash> = list.iter().map(Value::hash).collect();
        let mut places: HashMap<StateHash, Vec<usize>> = HashMap::new();
        for (at, hash) in hashes.iter().enumerate() {
            places.entry(*hash).or_default().push(at);
        }
        Anchors { list, hashes, places, rows: None, found: HashSet::new() }
    }

    /// Returns the index before which items are inserted.
    pub(super) fn gap(&self, anchor: &Anchor) -> Option<usize> {
        let after_one = anchor.before.map(|hash| self.nearest(hash, anchor.at.saturating_sub(1)));
        let before_one = anchor.after.map(|hash| self.nearest(hash, anchor.at));
        let gaps = after_one.iter().flatten().map(|place| place + 1).chain(before_one.iter().flatten().copied());
        let ends = [(anchor.before.is_none(), 0), (anchor.after.is_none(), self.list.len())];
        let ends = ends.into_iter().filter(|(is, _)| *is).map(|(_, gap)| gap);
        gaps.chain(ends).max_by_key(|gap| (self.fit_of_gap(*gap, anchor), std::cmp::Reverse(gap.abs_diff(anchor.at))))
    }

    /// Rates a gap. An equal neighbour counts more than an end of the list; items added to an empty
    /// list come last.
    fn fit_of_gap(&self, gap: usize, anchor: &Anchor) -> u8 {
        let before = gap.checked_sub(1).map(|at| self.hashes[at]);
        let after = self.hashes.get(gap).copied();
        match (before == anchor.before, after == anchor.after) {
            (true, true) => 4,
            (true, false) if before.is_some() => 3,
            (false, true) if after.is_some() => 3,
            (false, true) => 2,
            _ => 1,
        }
    }

    /// Finds an item that was removed.
    pub(super) fn item_to_take(&mut self, anchor: &Anchor, old: &Value) -> Option<usize> {
        let at = self.equal_item(anchor, old).or_else(|| self.row_with_own_text(old))?;
        self.found.insert(at).then_some(at)
    }

    /// Finds an item that was changed.
    pub(super) fn item_to_change(&mut self, anchor: &Anchor, old: &Value, overrides: &[Override]) -> Option<usize> {
        let found = self.equal_item(anchor, old).or_else(|| self.row_with_own_text(old));
        let at = found.or_else(|| {
            self.between_neighbours(anchor).filter(|at| may_be_version_of(old, &self.list[*at], overrides))
        })?;
        self.found.insert(at).then_some(at)
    }

    /// Tells whether the neighbours of an item are now adjacent.
    pub(super) fn is_closed(&self, anchor: &Anchor) -> bool {
        self.gap(anchor).is_some_and(|gap| self.fit_of_gap(gap, anchor) == 4)
    }

    fn equal_item(&self, anchor: &Anchor, old: &Value) -> Option<usize> {
        let fits = |at: &usize| self.list[*at] == *old && !self.found.contains(at);
        let places = self.nearest(old.hash(), anchor.at).into_iter().filter(fits);
        places.max_by_key(|at| (self.equal_neighbours(*at, anchor), std::cmp::Reverse(at.abs_diff(anchor.at))))
    }

    fn equal_neighbours(&self, at: usize, anchor: &Anchor) -> u8 {
        let before = at.checked_sub(1).map(|before| self.hashes[before]);
        let after = self.hashes.get(at + 1).copied();
        u8::from(before == anchor.before) + u8::from(after == anchor.after)
    }

    fn between_neighbours(&self, anchor: &Anchor) -> Option<usize> {
        let starts = match anchor.before {
            Some(before) => self.nearest(before, anchor.at.saturating_sub(1)).into_iter().map(|at| at + 1).collect(),
            None => vec![0],
        };
        let is_alone = |at: &usize| *at < self.list.len() && self.equal_neighbours(*at, anchor) == 2;
        starts.into_iter().find(|at| is_alone(at) && !self.found.contains(at))
    }

    fn row_with_own_text(&mut self, old: &Value) -> Option<usize> {
        let row = old.as_object()?;
        let rows = self.rows.get_or_insert_with(|| rows_by_text(self.list));
        let mut votes: HashMap<usize, usize> = HashMap::new();
        for entry in texts(row) {
            if let Some(Some(at)) = rows.get(&entry) {
                *votes.entry(*at).or_default() += 1;
            }
        }
        let most = votes.values().copied().max()?;
        let mut best = votes.into_iter().filter(|(at, count)| *count == most && !self.found.contains(at));
        // Two rows match equally well: the edit is ambiguous.
        best.next().filter(|_| best.next().is_none()).map(|(at, _)| at)
    }

    /// Returns the indexes of a hash that are nearest to `at`.
    fn nearest(&self, hash: StateHash, at: usize) -> Vec<usize> {
        let Some(places) = self.places.get(&hash) else { return Vec::new() };
        let middle = places.partition_point(|place| *place < at);
        let end = places.len().min(middle + MAX_CANDIDATES);
        places[middle.saturating_sub(MAX_CANDIDATES)..end].to_vec()
    }
}

fn rows_by_text(list: &[Value]) -> HashMap<(Text, Text), Option<usize>> {
    let mut rows = HashMap::new();
    for (at, row) in list.iter().enumerate() {
        for entry in row.as_object().into_iter().flat_map(texts) {
            rows.entry(entry).and_modify(|only| *only = None).or_insert(Some(at));
        }
    }
    rows
}

fn texts(row: &Object) -> impl Iterator<Item = (Text, Text)> + '_ {
    row.iter().filter_map(|(key, value)| match value {
        Value::Text(text) => Some((key.clone(), text.clone())),
        _ => None,
    })
}

/// Tells whether an item may be a new version of the one that was changed by hand.
fn may_be_version_of(old: &Value, new: &Value, overrides: &[Override]) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(row)) => {
            let by_hand = |key: &str| overrides.iter().any(|one| one.begins_with(key));
            let equal = old.iter().any(|(key, value)| row.get(key) == Some(value));
            equal || old.iter().all(|(key, _)| by_hand(key) && row.get(key).is_some())
        }
        _ => similarity(old, new) > 0,
    }
}
