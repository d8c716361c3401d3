//! Gives one id to a page that occurs in several files of a story.
//!
//! An id in a file stays. A page without one is identified by its date, wherever it is (it may have
//! been edited or moved), else by its text after a page that both files share. A page that is not
//! found keeps the id that it has when the file is read alone.

use std::collections::{HashMap, HashSet};

use storeyline_history::Role;
use storeyline_state::{PageId, TextHash};

use super::seen::Seen;

/// Gives shared pages one id, within each group.
pub(super) fn share(seen: &mut [Seen<'_>], groups: &[Vec<usize>]) {
    for group in groups.iter().filter(|group| group.len() > 1) {
        let mut known = PageIndex::default();
        for &file in group {
            known.learn_kept(&seen[file]);
        }
        for &file in group {
            resolve(&mut known, &mut seen[file]);
        }
    }
}

/// The pages of a story, by the keys under which they can be found.
#[derive(Default)]
struct PageIndex<'a> {
    by_moment: HashMap<(Role, &'a str, i64), PageId>,
    by_words: HashMap<(PageText<'a>, Option<i64>), PageId>,
    /// The same without dates; the first page.
    by_words_alone: HashMap<PageText<'a>, PageId>,
}

/// The active page before it (none before the greeting), speaker, text hash, and the index among
/// the pages of the floor with the same text.
type PageText<'a> = (Option<PageId>, Role, &'a str, TextHash, usize);

impl<'a> PageIndex<'a> {
    fn learn(&mut self, seen: &Seen<'a>, slot: (usize, usize), words: Option<PageText<'a>>, id: PageId) {
        let message = &seen.messages[slot.0];
        if let Some(moment) = seen.own_moment(slot) {
            self.by_moment.entry((message.role, &message.name, moment)).or_insert(id);
        }
        if let Some(words) = words {
            self.by_words.entry((words, seen.time(slot))).or_insert(id);
            self.by_words_alone.entry(words).or_insert(id);
        }
    }

    /// Adds pages that carry ids; their texts only if the page before them has an id too.
    fn learn_kept(&mut self, seen: &Seen<'a>) {
        for slot in seen.slots() {
            let Some(id) = seen.id_in_file(slot) else { continue };
            let words = match slot.0.checked_sub(1) {
                None => Some(words(seen, slot, None)),
                Some(floor) => {
                    let before = seen.id_in_file((floor, seen.rows[floor].active));
                    before.map(|before| words(seen, slot, Some(before)))
                }
            };
            self.learn(seen, slot, words, id);
        }
    }

    fn find(&self, seen: &Seen<'a>, slot: (usize, usize), words: PageText<'a>) -> Option<PageId> {
        let moment = seen.own_moment(slot).and_then(|moment| self.by_moment.get(&(words.1, words.2, moment)));
        let said = |time| self.by_words.get(&(words, time));
        let alone = || self.by_words_alone.get(&words);
        // The same text at another time is another page; but a greeting is the same in a whole
        // story.
        let found = match seen.time(slot) {
            Some(time) if slot.0 > 0 => moment.or_else(|| said(Some(time))).or_else(|| said(None)),
            _ => moment.or_else(alone),
        };
        found.copied()
    }
}

fn resolve<'a>(known: &mut PageIndex<'a>, seen: &mut Seen<'a>) {
    let mut used: HashSet<PageId> = seen.slots().into_iter().filter_map(|slot| seen.id_in_file(slot)).collect();
    for slot in seen.slots() {
        let before = slot.0.checked_sub(1).map(|floor| {
            let row = &seen.rows[floor];
            row.pages[row.active].0
        });
        let words = words(seen, slot, before);
        let own = seen.rows[slot.0].pages[slot.1].0;
        let id = match seen.id_in_file(slot) {
            Some(id) => id,
            None => known.find(seen, slot, words).filter(|id| !used.contains(id)).unwrap_or(own),
        };
        used.insert(id);
        seen.rows[slot.0].pages[slot.1].0 = id;
        known.learn(seen, slot, Some(words), id);
    }
}

fn words<'a>(seen: &Seen<'a>, slot: (usize, usize), before: Option<PageId>) -> PageText<'a> {
    let message = &seen.messages[slot.0];
    (before, message.role, &message.name, seen.page(slot).hash, seen.nth(slot))
}
