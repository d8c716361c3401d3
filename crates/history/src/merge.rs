//! Three-way merge of lists of turns: the changes of the host and of Storeyline since a base.

use std::collections::{HashMap, HashSet};

use storeyline_state::PageId;
use storeyline_state::align::longest_increasing;

use crate::turn::{Listed, Turn};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergedList {
    /// Both changes fit into one list.
    Clean(Vec<Listed>),
    /// Both changed the same page, or both appended.
    Conflict,
}

/// When two turns count as equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// If nothing differs.
    Exact,
    /// If a host would show both alike; overrides and rules are ignored.
    Shown,
}

pub fn merge(base: &[Listed], host: &[Listed], ours: &[Listed], like: Likeness) -> MergedList {
    if like == Likeness::Exact {
        return merge_turn_by_turn(base, host, ours).map_or(MergedList::Conflict, MergedList::Clean);
    }
    let to_host = align(base, host);
    let to_ours = align(base, ours);
    let mut merged = Vec::new();
    let (mut b, mut h, mut o) = (0, 0, 0);
    for index in 0..base.len() {
        let (Some(in_host), Some(in_ours)) = (to_host[index], to_ours[index]) else {
            continue;
        };
        let Some(between) = choose(&base[b..index], &host[h..in_host], &ours[o..in_ours], like) else {
            return MergedList::Conflict;
        };
        merged.extend_from_slice(between);
        let one = std::slice::from_ref::<Listed>;
        let Some(turn) = choose(one(&base[index]), one(&host[in_host]), one(&ours[in_ours]), like) else {
            return MergedList::Conflict;
        };
        merged.extend_from_slice(turn);
        (b, h, o) = (index + 1, in_host + 1, in_ours + 1);
    }
    match choose(&base[b..], &host[h..], &ours[o..], like) {
        Some(rest) => {
            merged.extend_from_slice(rest);
            MergedList::Clean(merged)
        }
        None => MergedList::Conflict,
    }
}

/// Returns a page that occurs twice in a list, because both sides inserted it at different floors.
pub fn page_twice<'a>(turns: impl IntoIterator<Item = &'a Listed>) -> Option<PageId> {
    let mut seen = HashSet::new();
    turns.into_iter().flat_map(|turn| &turn.pages).map(|page| page.page).find(|page| !seen.insert(*page))
}

/// Merges each turn of the base, and each gap between two of them, on its own: turns inserted after
/// a turn that the other side deleted stay.
fn merge_turn_by_turn(base: &[Listed], host: &[Listed], ours: &[Listed]) -> Option<Vec<Listed>> {
    let (host, ours) = (Side::of(base, host), Side::of(base, ours));
    let mut merged = Vec::new();
    for gap in 0..=base.len() {
        merged.extend_from_slice(choose(&[], &host.inserted[gap], &ours.inserted[gap], Likeness::Exact)?);
        let Some(turn) = base.get(gap) else { break };
        let one = std::slice::from_ref;
        let (theirs, own) = (host.kept[gap].as_ref(), ours.kept[gap].as_ref());
        if let Some(turn) = with_new_host_fields(turn, theirs, own) {
            merged.push(turn);
            continue;
        }
        let (theirs, own) = (theirs.map_or(&[][..], one), own.map_or(&[][..], one));
        merged.extend_from_slice(choose(one(turn), theirs, own, Likeness::Exact)?);
    }
    Some(merged)
}

/// Returns the turn of the host's side with the host fields of ours, if those are all that ours
/// changed.
///
/// The host fields change with every message that the host saves, so they are no reason for a
/// conflict. They contain lists by page, so the number of pages must be the same.
fn with_new_host_fields(base: &Listed, host: Option<&Listed>, ours: Option<&Listed>) -> Option<Listed> {
    let (host, ours) = (host?, ours?);
    let base_with_ours = Turn { host: ours.host, ..Turn::clone(base) };
    if base.host == ours.host || base_with_ours != **ours || host.pages.len() != ours.pages.len() {
        return None;
    }
    let mut merged = host.clone();
    merged.change().host = ours.host;
    Some(merged)
}

/// The changes of one side.
struct Side {
    /// The new version of each turn of the base; `None` if it was deleted.
    kept: Vec<Option<Listed>>,
    /// The turns inserted before each turn, and after the last.
    inserted: Vec<Vec<Listed>>,
}

impl Side {
    fn of(base: &[Listed], list: &[Listed]) -> Side {
        let places = align(base, list);
        let mut kept = vec![None; base.len()];
        let mut inserted = vec![Vec::new(); base.len() + 1];
        let mut base_at = vec![None; list.len()];
        for (index, place) in places.into_iter().enumerate() {
            if let Some(place) = place {
                kept[index] = Some(list[place].clone());
                base_at[place] = Some(index);
            }
        }
        let mut gap = 0;
        for (turn, at) in list.iter().zip(base_at) {
            match at {
                Some(at) => gap = at + 1,
                None => inserted[gap].push(turn.clone()),
            }
        }
        Side { kept, inserted }
    }
}

/// Returns the side that changed, or `None` if both did, differently.
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
    } else if base.is_empty() {
        longer(host, ours)
    } else {
        None
    }
}

/// Returns the longer side if it begins with all of the other: two windows inserted the same turns,
/// and one of them continued.
fn longer<'a>(host: &'a [Listed], ours: &'a [Listed]) -> Option<&'a [Listed]> {
    let (shorter, longer) = if host.len() < ours.len() { (host, ours) } else { (ours, host) };
    same(shorter, &longer[..shorter.len()]).then_some(longer)
}

fn same(a: &[Listed], b: &[Listed]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_row(b))
}

/// Returns the index in `other` of each turn of `base`. Turns that share a page are the same; of
/// reordered turns the longest ordered subsequence counts.
fn align(base: &[Listed], other: &[Listed]) -> Vec<Option<usize>> {
    let mut floor_of: HashMap<PageId, usize> = HashMap::new();
    for (floor, turn) in other.iter().enumerate() {
        for page in &turn.pages {
            floor_of.entry(page.page).or_insert(floor);
        }
    }
    let place = |turn: &Listed| turn.pages.iter().find_map(|page| floor_of.get(&page.page).copied());
    let places: Vec<(usize, usize)> =
        base.iter().enumerate().filter_map(|(index, turn)| Some((index, place(turn)?))).collect();
    let mut kept = vec![None; base.len()];
    for (index, place) in longest_increasing(&places) {
        kept[index] = Some(place);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::ValueKey;
    use crate::model_tests::turn;
    use crate::turn::HostFields;
    use storeyline_state::ValueHash;

    /// Parses `"a b c"` to a list of turns; `a'` is page a with another text.
    fn list(text: &str) -> Vec<Listed> {
        text.split_whitespace().map(|name| turn(name).into()).collect()
    }

    fn merged(base: &str, host: &str, ours: &str) -> Option<Vec<Listed>> {
        match merge(&list(base), &list(host), &list(ours), Likeness::Shown) {
            MergedList::Clean(turns) => Some(turns),
            MergedList::Conflict => None,
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
            ("a", "a b", "a b c", "a b c"),
            ("a", "a b c", "a b", "a b c"),
            ("a d", "a b d", "a b c d'", "a b c d'"),
        ];
        for (base, host, ours, wanted) in cases {
            assert_eq!(merged(base, host, ours), Some(list(wanted)), "{base} | {host} | {ours}");
        }
    }

    #[test]
    fn one_change_among_others_is_taken_out_turn_by_turn() {
        let taken_out = |base: &str, wanted: &str, ours: &str| match merge(
            &list(base),
            &list(wanted),
            &list(ours),
            Likeness::Exact,
        ) {
            MergedList::Clean(turns) => Some(turns),
            MergedList::Conflict => None,
        };
        let cases = [
            ("a b", "a", "a b c", "a c"),
            ("a b", "a", "a b c d", "a c d"),
            ("a", "a b", "a c", "a b c"),
            ("a b' c", "a b c", "a b' c'", "a b c'"),
            ("a c", "a b c", "a c d", "a b c d"),
            ("a c b d", "a b c d", "a c b d e", "a b c d e"),
        ];
        for (base, wanted, ours, result) in cases {
            let found = taken_out(base, wanted, ours);
            let both = (base, wanted, ours) == ("a", "a b", "a c");
            assert_eq!(found, (!both).then(|| list(result)), "{base} | {wanted} | {ours}");
        }
        assert_eq!(taken_out("a b'", "a b", "a b''"), None);
    }

    #[test]
    fn new_host_fields_do_not_prevent_taking_a_change_out() {
        let fields = |at| Some(HostFields { hash: ValueHash::from_bytes([at; 32]), at: ValueKey(at.into()) });
        let with_fields = |name: &str, at| vec![Listed::from(Turn { host: fields(at), ..turn(name) })];
        let taken_out = |wanted: &str, ours: &str| {
            merge(&with_fields("b'", 1), &with_fields(wanted, 1), &with_fields(ours, 2), Likeness::Exact)
        };
        assert_eq!(taken_out("b", "b'"), MergedList::Clean(with_fields("b", 2)));
        assert_eq!(taken_out("b", "b''"), MergedList::Conflict);
    }

    #[test]
    fn changes_of_the_same_place_are_a_conflict() {
        let cases = [
            ("a b", "a b'", "a b''"),
            ("a", "a b", "a c"),
            ("a b c", "a c", "a b' c"),
            ("a", "a b", "a b' c"),
            ("a", "a c", "a b c"),
        ];
        for (base, host, ours) in cases {
            assert_eq!(merged(base, host, ours), None, "{base} | {host} | {ours}");
        }
    }
}
