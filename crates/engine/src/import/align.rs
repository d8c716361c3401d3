//! Finds which page of a file is which known page, where the file does not carry our ids.
//!
//! In: the turns that the file showed last (or those of the chat it was branched from) and its floors
//! now. Out: for each floor or page of the file its known counterpart. Pages are matched by text and
//! date wherever they are; then by text; then by date, because a text may have been edited; then by
//! their neighbours. Dates that both sides have and that differ mean different pages, unless the text
//! was only continued, or the two sides have no date in common: then all dates were made anew.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use storeyline_history::Role;
use storeyline_state::TextHash;

/// What identifies a floor, or one page of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) role: Role,
    /// Text and date of each page.
    pub(super) pages: Vec<(TextHash, Option<i64>)>,
    pub(super) active: usize,
}

/// How two lists are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// Two versions of one chat: texts may have been edited.
    Versions,
    /// A chat and one that was branched from it: what has no counterpart was written there.
    Branches,
    /// The pages of one floor.
    Pages,
}

/// Pairs two lists: returns for each item of `new` its index in `old`.
///
/// `fixed` contains the pairs that are known already; `Some(None)` is an item without a counterpart.
/// `continues(new, old)` tells whether the text of a new item continues that of an old one.
pub(super) fn align(
    old: &[Item],
    new: &[Item],
    fixed: &[Option<Option<usize>>],
    relation: Relation,
    mut continues: impl FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut pairs = Pairs::new(old, new, fixed);
    pairs.by_key(|item| {
        let pages = item.pages.iter().filter(|(_, time)| time.is_some() || relation != Relation::Branches);
        pages.map(|(text, time)| (item.role, *text, *time)).collect()
    });
    match relation {
        Relation::Versions | Relation::Pages => pairs.undated(),
        Relation::Branches => pairs.by_beginning(),
    }
    pairs.by_lone_date();
    if relation != Relation::Branches {
        pairs.redated = !pairs.share_dates();
        pairs.by_neighbours(&mut continues);
    }
    // Greetings share one date; if all dates are new, only the texts remain.
    if relation == Relation::Pages && pairs.redated {
        pairs.by_key(|item| item.pages.iter().map(|(text, _)| (item.role, *text, None)).collect());
    }
    pairs.of_new
}

/// Role, text and date.
type Key = (Role, TextHash, Option<i64>);

/// How many items that are paired elsewhere are skipped when neighbours are compared.
const MAX_SKIPPED: usize = 1_000;

struct Pairs<'a> {
    old: &'a [Item],
    new: &'a [Item],
    /// The index in `old` of each new item.
    of_new: Vec<Option<usize>>,
    /// New items that are paired or must not be paired.
    closed: Vec<bool>,
    /// Old items that are paired.
    taken: Vec<bool>,
    /// The two sides have no date in common.
    redated: bool,
}

impl<'a> Pairs<'a> {
    fn new(old: &'a [Item], new: &'a [Item], fixed: &[Option<Option<usize>>]) -> Pairs<'a> {
        let mut pairs = Pairs {
            old,
            new,
            of_new: vec![None; new.len()],
            closed: vec![false; new.len()],
            taken: vec![false; old.len()],
            redated: false,
        };
        for (index, fixed) in fixed.iter().enumerate() {
            let Some(place) = fixed else { continue };
            pairs.closed[index] = true;
            if let Some(place) = place.filter(|place| !pairs.taken[*place]) {
                pairs.pair(index, place);
            }
        }
        pairs
    }

    fn pair(&mut self, new: usize, old: usize) {
        (self.of_new[new], self.closed[new], self.taken[old]) = (Some(old), true, true);
    }

    /// Pairs items that share a key. Of several candidates, the one after the previous item's
    /// counterpart is preferred.
    fn by_key(&mut self, keys: impl Fn(&Item) -> Vec<Key>) {
        let mut places: HashMap<Key, (Vec<usize>, usize)> = HashMap::new();
        for (place, item) in self.old.iter().enumerate().filter(|(place, _)| !self.taken[*place]) {
            for key in keys(item) {
                let known = &mut places.entry(key).or_default().0;
                if known.last() != Some(&place) {
                    known.push(place);
                }
            }
        }
        for index in 0..self.new.len() {
            if self.closed[index] {
                continue;
            }
            let follows = index.checked_sub(1).and_then(|before| self.of_new[before]).map(|before| before + 1);
            let found = keys(&self.new[index]).into_iter().find_map(|key| {
                let (known, first) = places.get_mut(&key)?;
                let next = follows.filter(|next| !self.taken.get(*next).is_none_or(|taken| *taken));
                if let Some(next) = next.filter(|next| known.binary_search(next).is_ok()) {
                    return Some(next);
                }
                while known.get(*first).is_some_and(|place| self.taken[*place]) {
                    *first += 1;
                }
                known.get(*first).copied()
            });
            if let Some(place) = found {
                self.pair(index, place);
            }
        }
    }

    /// Pairs equal texts of which one side has no date.
    fn undated(&mut self) {
        let dated = |items: &[Item]| items.iter().any(|item| item.pages.iter().any(|(_, time)| time.is_some()));
        // If both sides have dates somewhere, only items without a date are paired.
        let both = dated(self.old) && dated(self.new);
        self.by_key(|item| {
            let texts = item.pages.iter().filter(|(_, time)| !both || time.is_none());
            texts.map(|(text, _)| (item.role, *text, None)).collect()
        });
    }

    /// Pairs equal texts without dates as long as both lists are equal: below that, an equal text is
    /// another message.
    fn by_beginning(&mut self) {
        for index in 0..self.new.len().min(self.old.len()) {
            let (own, other) = (&self.new[index], &self.old[index]);
            let known = |text: TextHash, time: Option<i64>| {
                let same = |page: &(TextHash, Option<i64>)| page.0 == text && (page.1.is_none() || time.is_none());
                other.pages.iter().any(same)
            };
            let same = own.role == other.role && own.pages.iter().any(|(text, time)| known(*text, *time));
            match self.closed[index] || self.taken[index] {
                false if same => self.pair(index, index),
                true if self.of_new[index] == Some(index) => {}
                _ => return,
            }
        }
    }

    /// Pairs items by dates that are unique on both sides.
    fn by_lone_date(&mut self) {
        let (old, new) = (self.lone_dates(self.old, &self.taken), self.lone_dates(self.new, &self.closed));
        for index in 0..self.new.len() {
            let item = &self.new[index];
            let lone = |time: &Option<i64>| {
                let key = (item.role, (*time)?);
                new.get(&key).copied().flatten().and(old.get(&key).copied().flatten())
            };
            let found = item.pages.iter().find_map(|(_, time)| lone(time).filter(|place| !self.taken[*place]));
            if let Some(place) = found.filter(|_| !self.closed[index]) {
                self.pair(index, place);
            }
        }
    }

    fn share_dates(&self) -> bool {
        let dates: HashSet<i64> =
            self.old.iter().flat_map(|item| item.pages.iter().filter_map(|page| page.1)).collect();
        self.new.iter().any(|item| item.pages.iter().any(|page| page.1.is_some_and(|time| dates.contains(&time))))
    }

    /// The item of each date that is unique among all items; `None` if it is not unique or the item is
    /// done.
    fn lone_dates(&self, items: &[Item], done: &[bool]) -> HashMap<(Role, i64), Option<usize>> {
        let mut dates: HashMap<(Role, i64), Option<usize>> = HashMap::new();
        for (place, item) in items.iter().enumerate() {
            for time in item.pages.iter().filter_map(|(_, time)| *time) {
                let entry = dates.entry((item.role, time));
                let entry = entry.and_modify(|known| *known = known.filter(|known| *known == place));
                entry.or_insert(Some(place).filter(|_| !done[place]));
            }
        }
        dates
    }

    /// Pairs the items between paired neighbours if both sides have equally many; at the end of the
    /// lists, from the front.
    fn by_neighbours(&mut self, continues: &mut impl FnMut(usize, usize) -> bool) {
        let (mut from, mut place) = (0, 0);
        while from < self.new.len() {
            if let Some(own) = self.of_new[from] {
                (from, place) = (from + 1, own + 1);
                continue;
            }
            let until = (from..self.new.len()).find(|index| self.of_new[*index].is_some()).unwrap_or(self.new.len());
            let end = self.of_new.get(until).copied().flatten();
            let stop = end.unwrap_or(self.old.len());
            let near = (place..stop.max(place)).take(until - from + MAX_SKIPPED);
            let between: Vec<usize> = near.filter(|place| !self.taken[*place]).collect();
            if stop >= place && (end.is_none() || between.len() == until - from) {
                self.in_order(from..until, &between, continues);
            }
            from = until;
        }
    }

    fn in_order(&mut self, new: Range<usize>, old: &[usize], continues: &mut impl FnMut(usize, usize) -> bool) {
        for (index, place) in new.zip(old.iter().copied()) {
            let (own, other) = (&self.new[index], &self.old[place]);
            let (text, time) = own.pages[own.active];
            let (other_text, other_time) = other.pages[other.active];
            let same_moment = time.is_none() || other_time.is_none() || time == other_time;
            let anew = self.redated || (index, place) == (0, 0);
            let same_text = text == other_text && anew;
            let same = own.role == other.role && (same_text || same_moment || continues(index, place));
            if same && !self.closed[index] {
                self.pair(index, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::text;

    use super::*;

    /// `"a@1 B@2/c@3"`: floors of pages with dates; capitals are the player's.
    fn items(list: &str) -> Vec<Item> {
        let page = |page: &str| match page.split_once('@') {
            Some((words, time)) => (text::hash(words), time.parse().ok()),
            None => (text::hash(page), None),
        };
        let item = |floor: &str| Item {
            role: if floor.starts_with(char::is_uppercase) { Role::User } else { Role::Assistant },
            pages: floor.split('/').map(page).collect(),
            active: 0,
        };
        list.split_whitespace().map(item).collect()
    }

    fn aligned(old: &str, new: &str, relation: Relation) -> String {
        let (old, new) = (items(old), items(new));
        let places = align(&old, &new, &vec![None; new.len()], relation, |_, _| false);
        let show = |place: &Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
        places.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn two_versions_of_a_chat_are_aligned() {
        for (old, new, wanted, why) in [
            ("a@1 B@2 c@3", "a@1 B@2 c@3 D@4", "0 1 2 -", "appended"),
            ("a@1 B@2 c@3", "a@1 X@2 c@3", "0 1 2", "edited"),
            ("a@1 B@2 c@3 D@4", "a@1 c@3 D@4", "0 2 3", "deleted"),
            ("a@1 B@2 c@3 D@4", "a@1 D@4 B@2 c@3", "0 3 1 2", "moved"),
            ("a@1 B@2 c@3 D@4", "a@1 X@4 B@2 c@3", "0 3 1 2", "moved and edited"),
            ("a@1 B@2 c@3", "a@1 B@2 x@9", "0 1 -", "deleted and generated again"),
            ("a@1 B@2 B@3 c@4", "a@1 B@3 c@4", "0 2 3", "the first of two equal texts is gone"),
            ("a B c", "a X c", "0 1 2", "edited, no dates"),
            ("a B c D", "a X", "0 1", "cut and edited, no dates"),
            ("a B c", "a B x D e", "0 1 2 - -", "the last one edited, then it went on"),
            ("a B c D e", "a x e", "0 - 4", "two for one: cannot be told"),
            ("a B c", "a B c B c", "0 1 2 - -", "the same words again"),
            ("a@1/b@1 C@2", "b@1/a@1/x@5 C@2", "0 1", "swiped"),
            ("a@1 B@2", "a B", "0 1", "the dates are lost"),
            ("a@5 B@2", "a@7 B@2", "0 1", "the greeting was dated anew"),
            ("a@1 B@1 c@1", "a@1 X@1 y@1", "0 1 2", "all dates are equal"),
            ("a@1 B@2 c@3", "a@7 B@8 c@9", "0 1 2", "all dates are new"),
            ("", "a", "-", "nothing is known"),
        ] {
            assert_eq!(aligned(old, new, Relation::Versions), wanted, "{why}");
        }
    }

    #[test]
    fn a_branch_shares_what_it_was_cut_from_and_nothing_else() {
        assert_eq!(aligned("a@1 B@2 c@3 D@4", "a@1 X@2 c@3 D@9 e@10", Relation::Branches), "0 1 2 - -");
        assert_eq!(aligned("a B c D", "a B x D", Relation::Branches), "0 1 - -", "the same words on another way");
        assert_eq!(aligned("a@1 B c@3", "a@1 B c@3 D", Relation::Branches), "0 1 2 -");
    }

    #[test]
    fn the_pages_of_a_floor_are_aligned() {
        assert_eq!(aligned("a@1 b@2 c@3", "b@2 x@3 a@1 y@4", Relation::Pages), "1 2 0 -");
        assert_eq!(aligned("a@1", "a@5 x@1", Relation::Pages), "- 0", "edited, and the old words said again");
        assert_eq!(aligned("a@1 b@1", "x@1 b@1 a@1", Relation::Pages), "- 1 0");
        assert_eq!(aligned("a@1 b@1", "b@7 a@7 x@7", Relation::Pages), "1 0 -", "all dates are new");
    }

    #[test]
    fn what_is_told_is_kept_and_a_text_may_go_on() {
        let (old, new) = (items("a@1 b@2"), items("a@1 c@9"));
        let all = |fixed: &[Option<Option<usize>>], continues: bool| {
            align(&old, &new, fixed, Relation::Versions, |_, _| continues)
        };
        assert_eq!(all(&[None, None], true), [Some(0), Some(1)]);
        assert_eq!(all(&[Some(None), Some(Some(0))], false), [None, Some(0)]);
    }

    #[test]
    fn a_long_chat_of_one_word_is_aligned_quickly() {
        let list = "k ".repeat(50_000);
        let start = std::time::Instant::now();
        let places = aligned(&list, &list, Relation::Versions);
        assert!(places.ends_with(" 49999") && start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }
}
