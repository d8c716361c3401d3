//! Two lists → the stretches of the first that became stretches of the second.
//!
//! Items are told apart by their values. Equal ends are trimmed, then Myers' algorithm finds the
//! shortest edit as long as that is short; where it is long, items that occur once in both lists
//! split them, and the parts are tried again. What is still too different counts as replaced. So
//! the work grows with the length of the lists, whatever they hold.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::id::StateHash;
use crate::value::Value;

/// A stretch of the old list that became a stretch of the new one; either may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// In the old list.
    pub old: Range<usize>,
    /// In the new list.
    pub new: Range<usize>,
}

/// Returns what changed from one list to another, in order. Items outside all hunks are equal.
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

/// The gaps between pairs of equal items.
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

/// Gives equal values equal numbers.
#[derive(Default)]
struct Numbers<'a> {
    known: HashMap<StateHash, Vec<(&'a Value, u32)>>,
    next: u32,
}

/// The hash is not collision resistant: so many values with one hash are told apart, the others
/// count as unequal to everything.
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

/// Adds the pairs of equal items of two stretches that begin at `start`.
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
    for (x, y) in longest_rise(&unique_in_both(a, b)) {
        align(&a[from.0..x], &b[from.1..y], (start.0 + from.0, start.1 + from.1), false, pairs);
        pairs.push((start.0 + x, start.1 + y));
        from = (x + 1, y + 1);
    }
    align(&a[from.0..], &b[from.1..], (start.0 + from.0, start.1 + from.1), false, pairs);
}

/// Returns where the items stand that occur once in each list, in the order of the first.
fn unique_in_both(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let (ours, theirs) = (single_places(a), single_places(b));
    let both = a.iter().enumerate().filter(|(_, item)| ours[item].is_some());
    both.filter_map(|(x, item)| Some((x, (*theirs.get(item)?)?))).collect()
}

fn single_places<T: Hash + Eq + Copy>(items: &[T]) -> HashMap<T, Option<usize>> {
    let mut places = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        places.entry(*item).and_modify(|single| *single = None).or_insert(Some(place));
    }
    places
}

/// Returns the longest subsequence in which the second places rise.
fn longest_rise(places: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]`: the index of the lowest end of a rise of n + 1 places.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(places.len());
    for (index, (_, y)) in places.iter().enumerate() {
        let length = ends.partition_point(|end| places[*end].1 < *y);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut rise: Vec<_> =
        std::iter::successors(ends.last().copied(), |index| before[*index]).map(|index| places[index]).collect();
    rise.reverse();
    rise
}

/// The longest edit that is looked for, in items put in and taken out.
const MAX_EDIT: isize = 256;

/// Myers' greedy algorithm: returns the equal items of a shortest edit, or nothing if that is too long.
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

/// How far each diagonal of the table of both lists was reached.
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

    /// From which diagonal an edit reaches this one, and where it arrives.
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

    /// Carries the hunks out; every item outside them must be equal.
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

    /// The length of the longest common subsequence, by the textbook table.
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
