//! Three-way edit of a list: what the host changed and what Storeyline changed, both since a base.

use std::collections::HashMap;

use storeyline_state::PageId;

use crate::turn::Listed;

/// What became of two edits of one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// Both fit into one list.
    Clean(Vec<Listed>),
    /// Both changed the same page, or both appended.
    Conflict,
}

/// When two turns are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// When nothing differs.
    Exact,
    /// When a host would show both alike: it says nothing about overrides and rules.
    Shown,
}

/// Merges two edited lists.
pub fn merge(base: &[Listed], host: &[Listed], ours: &[Listed], like: Likeness) -> Merged {
    let to_host = align(base, host);
    let to_ours = align(base, ours);
    let mut merged = Vec::new();
    let (mut b, mut h, mut o) = (0, 0, 0);
    for index in 0..base.len() {
        let (Some(in_host), Some(in_ours)) = (to_host[index], to_ours[index]) else {
            continue;
        };
        let Some(between) = choose(&base[b..index], &host[h..in_host], &ours[o..in_ours], like) else {
            return Merged::Conflict;
        };
        merged.extend_from_slice(between);
        let one = std::slice::from_ref::<Listed>;
        let Some(turn) = choose(one(&base[index]), one(&host[in_host]), one(&ours[in_ours]), like) else {
            return Merged::Conflict;
        };
        merged.extend_from_slice(turn);
        (b, h, o) = (index + 1, in_host + 1, in_ours + 1);
    }
    match choose(&base[b..], &host[h..], &ours[o..], like) {
        Some(rest) => {
            merged.extend_from_slice(rest);
            Merged::Clean(merged)
        }
        None => Merged::Conflict,
    }
}

/// The side that changed; nothing if both did, differently.
fn choose<'a>(base: &[Listed], host: &'a [Listed], ours: &'a [Listed], like: Likeness) -> Option<&'a [Listed]> {
    if base == ours || host == ours {
        Some(host)
    } else if base == host {
        Some(ours)
    } else if like == Likeness::Exact {
        None
    } else if same(base, ours) || same(host, ours) {
        Some(host)
    } else if same(base, host) {
        Some(ours)
    } else {
        None
    }
}

fn same(a: &[Listed], b: &[Listed]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_row(b))
}

/// For each turn of `base`, where it stands in `other`. A turn is the same if it shares a page;
/// of turns that changed places the longest ordered run counts.
fn align(base: &[Listed], other: &[Listed]) -> Vec<Option<usize>> {
    let mut floor_of: HashMap<PageId, usize> = HashMap::new();
    for (floor, turn) in other.iter().enumerate() {
        for page in &turn.pages {
            floor_of.entry(page.page).or_insert(floor);
        }
    }
    let places: Vec<Option<usize>> =
        base.iter().map(|turn| turn.pages.iter().find_map(|page| floor_of.get(&page.page).copied())).collect();
    longest_rising(&places)
}

/// Keeps the longest strictly rising run of places.
fn longest_rising(places: &[Option<usize>]) -> Vec<Option<usize>> {
    // `tails[k]`: index of the smallest end of a rising run of length k + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (index, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let length = tails.partition_point(|&tail| places[tail].is_some_and(|end| end < *place));
        before[index] = length.checked_sub(1).map(|k| tails[k]);
        if length == tails.len() { tails.push(index) } else { tails[length] = index }
    }
    let mut kept = vec![None; places.len()];
    let mut next = tails.last().copied();
    while let Some(index) = next {
        kept[index] = places[index];
        next = before[index];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model_tests::turn;

    /// `"a b c"` is a list of turns; `a'` is page a with another text.
    fn list(text: &str) -> Vec<Listed> {
        text.split_whitespace().map(|name| turn(name).into()).collect()
    }

    fn merged(base: &str, host: &str, ours: &str) -> Option<Vec<Listed>> {
        match merge(&list(base), &list(host), &list(ours), Likeness::Shown) {
            Merged::Clean(turns) => Some(turns),
            Merged::Conflict => None,
        }
    }

    #[test]
    fn changes_at_different_places_go_together() {
        let cases = [
            ("a b c", "a b c", "a b' c", "a b' c"),
            ("a b c", "a b c d", "a b' c", "a b' c d"),
            ("a b c", "a' b c", "a b c'", "a' b c'"),
            ("a b c d", "a c d", "a b c d'", "a c d'"),
            ("a b c", "a b", "a b", "a b"),
            ("a b c d e", "a d b c e", "a b c d e'", "a d b c e'"),
            ("a", "a b", "a b", "a b"),
            ("", "a", "", "a"),
        ];
        for (base, host, ours, wanted) in cases {
            assert_eq!(merged(base, host, ours), Some(list(wanted)), "{base} | {host} | {ours}");
        }
    }

    #[test]
    fn changes_of_the_same_place_are_a_conflict() {
        for (base, host, ours) in [("a b", "a b'", "a b''"), ("a", "a b", "a c"), ("a b c", "a c", "a b' c")] {
            assert_eq!(merged(base, host, ours), None, "{base} | {host} | {ours}");
        }
    }
}
