//! Aligns two lists: finds the ranges of the old list that became ranges of the new list.
//!
//! Items are compared by value. Equal ends are trimmed, then Myers' algorithm finds the shortest
//! edit script of at most `MAX_EDIT` items. If the script would be longer, the lists are split at
//! items that occur once in both, and each part is aligned on its own. What still differs too much
//! counts as replaced, so the cost stays linear in the length of the lists.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::id::StateHash;
use crate::value::Value;

/// A range of the old list that was replaced by a range of the new one; either may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// Returns the changed ranges in order. Items outside all hunks are equal.
pub fn hunks(old: &[Value], new: &[Value]) -> Vec<Hunk> {
    let front = equal_front(old, new);
    let back = equal_back(&old[front..], &new[front..]);
    let (old_middle, new_middle) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let mut numbers = Numbers::default();
    let [a, b] = [old_middle, new_middle].map(|items| items.iter().map(|item| numbers.of(item)).collect::<Vec<_>>());
    let mut pairs = Vec::new();
    align(&a, &b, (front, front), true, &mut pairs);
    pairs.push((old.len() - back, new.len() - back));
    between_pairs(&pairs, front)
}

/// Returns the gaps between pairs of equal items.
fn between_pairs(pairs: &[(usize, usize)], start: usize) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut next = (start, start);
    for &(a, b) in pairs {
        if (a, b) != next {
            hunks.push(Hunk { old: next.0..a, new: next.1..b });
        }
        next = (a + 1, b + 1);
    }
    hunks
}

fn equal_front<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn equal_back<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Assigns equal numbers to equal values.
#[derive(Default)]
struct Numbers<'a> {
    known: HashMap<StateHash, Vec<(&'a Value, u32)>>,
    next: u32,
}

/// Number of values with one hash that are compared. The hash is not collision resistant; further
/// values with the same hash count as unequal to everything, which bounds the cost.
const MAX_COLLISIONS: usize = 8;

impl<'a> Numbers<'a> {
    fn of(&mut self, value: &'a Value) -> u32 {
        let alike = self.known.entry(value.hash()).or_default();
        if let Some((_, number)) = alike.iter().find(|(other, _)| *other == value) {
            return *number;
        }
        self.next += 1;
        if alike.len() < MAX_COLLISIONS {
            alike.push((value, self.next));
        }
        self.next
    }
}

/// Adds the pairs of equal items of two ranges that begin at `start`.
fn align(a: &[u32], b: &[u32], start: (usize, usize), split: bool, pairs: &mut Vec<(usize, usize)>) {
    let front = equal_front(a, b);
    let back = equal_back(&a[front..], &b[front..]);
    let at = |(x, y): (usize, usize)| (start.0 + x, start.1 + y);
    pairs.extend((0..front).map(|index| at((index, index))));
    let (middle, other) = (&a[front..a.len() - back], &b[front..b.len() - back]);
    let inner = at((front, front));
    match shortest_edit(middle, other) {
        Some(found) => pairs.extend(found.into_iter().map(|(x, y)| (inner.0 + x, inner.1 + y))),
        None if split => align_between_unique(middle, other, inner, pairs),
        None => {}
    }
    pairs.extend((0..back).rev().map(|index| at((a.len() - 1 - index, b.len() - 1 - index))));
}

fn align_between_unique(a: &[u32], b: &[u32], start: (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let mut from = (0, 0);
    for (x, y) in longest_increasing(&unique_in_both(a, b)) {
        align(&a[from.0..x], &b[from.1..y], (start.0 + from.0, start.1 + from.1), false, pairs);
        pairs.push((start.0 + x, start.1 + y));
        from = (x + 1, y + 1);
    }
    align(&a[from.0..], &b[from.1..], (start.0 + from.0, start.1 + from.1), false, pairs);
}

/// Returns the positions of the items that occur once in each list, in the order of the first list.
fn unique_in_both(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let (ours, theirs) = (unique_positions(a), unique_positions(b));
    let both = a.iter().enumerate().filter(|(_, item)| ours[item].is_some());
    both.filter_map(|(x, item)| Some((x, (*theirs.get(item)?)?))).collect()
}

fn unique_positions<T: Hash + Eq + Copy>(items: &[T]) -> HashMap<T, Option<usize>> {
    let mut positions = HashMap::new();
    for (position, item) in items.iter().enumerate() {
        positions.entry(*item).and_modify(|single| *single = None).or_insert(Some(position));
    }
    positions
}

/// Returns the longest subsequence in which the second position increases.
pub fn longest_increasing(positions: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the index of the smallest end of an increasing subsequence of n + 1 positions.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(positions.len());
    for (index, (_, y)) in positions.iter().enumerate() {
        let length = ends.partition_point(|end| positions[*end].1 < *y);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut longest: Vec<_> =
        std::iter::successors(ends.last().copied(), |index| before[*index]).map(|index| positions[index]).collect();
    longest.reverse();
    longest
}

/// Longest edit script that is searched for, in inserted plus removed items.
const MAX_EDIT: isize = 256;

/// Returns the equal items of a shortest edit script (Myers' greedy algorithm), or `None` if the
/// script is longer than [`MAX_EDIT`].
fn shortest_edit(a: &[u32], b: &[u32]) -> Option<Vec<(usize, usize)>> {
    let (n, m) = (a.len() as isize, b.len() as isize);
    let limit = (n + m).min(MAX_EDIT);
    let mut ahead = Diagonals { furthest: vec![0; 2 * limit as usize + 3], middle: limit + 1 };
    let mut rounds: Vec<Diagonals> = Vec::new();
    for edits in 0..=limit {
        rounds.push(ahead.part(edits + 1));
        for diagonal in (-edits..=edits).step_by(2) {
            let mut x = ahead.step(diagonal, edits).1;
            let mut y = x - diagonal;
            while x < n && y < m && a[x as usize] == b[y as usize] {
                (x, y) = (x + 1, y + 1);
            }
            ahead.set(diagonal, x);
            if x >= n && y >= m {
                return Some(trace_back(&rounds, (n, m)));
            }
        }
    }
    None
}

/// The furthest point reached on each diagonal of the edit graph.
struct Diagonals {
    furthest: Vec<isize>,
    middle: isize,
}

impl Diagonals {
    fn get(&self, diagonal: isize) -> isize {
        self.furthest[(self.middle + diagonal) as usize]
    }

    fn set(&mut self, diagonal: isize, x: isize) {
        self.furthest[(self.middle + diagonal) as usize] = x;
    }

    /// Returns the diagonal from which an edit reaches this one, and the point it reaches.
    fn step(&self, diagonal: isize, edits: isize) -> (isize, isize) {
        let down = diagonal == -edits || (diagonal != edits && self.get(diagonal - 1) < self.get(diagonal + 1));
        match down {
            true => (diagonal + 1, self.get(diagonal + 1)),
            false => (diagonal - 1, self.get(diagonal - 1) + 1),
        }
    }

    fn part(&self, width: isize) -> Diagonals {
        let range = (self.middle - width) as usize..=(self.middle + width) as usize;
        Diagonals { furthest: self.furthest[range].to_vec(), middle: width }
    }
}

fn trace_back(rounds: &[Diagonals], end: (isize, isize)) -> Vec<(usize, usize)> {
    let (mut x, mut y) = end;
    let mut pairs = Vec::new();
    for (edits, round) in rounds.iter().enumerate().rev() {
        let (from, arrived) = round.step(x - y, edits as isize);
        let start = if edits == 0 { 0 } else { arrived };
        while x > start {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        if edits > 0 {
            x = round.get(from);
            y = x - from;
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(numbers: &[i64]) -> Vec<Value> {
        numbers.iter().map(|number| Value::from(*number)).collect()
    }

    /// Applies the hunks; every item outside them must be equal.
    fn rebuilt(old: &[Value], new: &[Value], hunks: &[Hunk]) -> Vec<Value> {
        let (mut items, mut done) = (Vec::new(), 0);
        for hunk in hunks {
            items.extend_from_slice(&old[done..hunk.old.start]);
            items.extend_from_slice(&new[hunk.new.clone()]);
            done = hunk.old.end;
        }
        items.extend_from_slice(&old[done..]);
        items
    }

    /// Returns the length of the longest common subsequence, by the textbook table.
    fn common(a: &[i64], b: &[i64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (index, y) in b.iter().enumerate() {
                let best = if x == y { diagonal + 1 } else { row[index].max(row[index + 1]) };
                diagonal = std::mem::replace(&mut row[index + 1], best);
            }
        }
        row[b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn a_short_edit_is_the_shortest(a in prop::collection::vec(0i64..5, 0..20), b in prop::collection::vec(0i64..5, 0..20)) {
            let (old, new) = (values(&a), values(&b));
            let hunks = hunks(&old, &new);
            prop_assert_eq!(rebuilt(&old, &new, &hunks), &new[..]);
            let replaced: usize = hunks.iter().map(|hunk| hunk.old.len()).sum();
            prop_assert_eq!(a.len() - replaced, common(&a, &b));
        }
    }

    #[test]
    fn edits_far_apart_are_hunks_of_their_own() {
        let old: Vec<i64> = (0..1_000).collect();
        let mut new = old.clone();
        new[990] = -1;
        new.insert(500, -2);
        new.remove(3);
        let found = hunks(&values(&old), &values(&new));
        let wanted = [(3..4, 3..3), (500..500, 499..500), (990..991, 990..991)];
        assert_eq!(found, wanted.map(|(old, new)| Hunk { old, new }));
    }

    #[test]
    fn many_edits_are_found_between_unique_items() {
        let old: Vec<i64> = (0..10_000).collect();
        let new: Vec<i64> = old.iter().map(|item| if item % 10 == 5 { -item } else { *item }).collect();
        assert_eq!(hunks(&values(&old), &values(&new)).len(), 1_000);
    }

    #[test]
    fn lists_without_a_short_edit_take_bounded_work() {
        let repeated = |period: i64| (0..100_000).map(|index| index * index % period).collect::<Vec<_>>();
        let (old, new) = (values(&repeated(7)), values(&repeated(11)));
        let found = hunks(&old, &new);
        assert_eq!(rebuilt(&old, &new, &found), new);
        let turned: Vec<Value> = values(&(0..100_000).collect::<Vec<_>>());
        let back: Vec<Value> = turned.iter().rev().cloned().collect();
        assert_eq!(rebuilt(&turned, &back, &hunks(&turned, &back)), back);
    }
}
