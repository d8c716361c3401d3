//! One id for a page that stands in several files of a story.
//!
//! An id in a file stays. A page without one is known by its date, wherever it stands (it may have
//! been edited or moved), else by its words below a page that both files share. What is found
//! nowhere keeps the id that it has when the file is read alone.

use std::collections::{HashMap, HashSet};

use storeyline_history::Role;
use storeyline_state::{PageId, TextHash};

use super::seen::{Seen, is_moment};

/// Gives shared pages one id, within each group.
pub(super) fn share(seen: &mut [Seen<'_>], groups: &[Vec<usize>]) {
    for group in groups.iter().filter(|group| group.len() > 1) {
        let mut known = Known::default();
        for &file in group {
            known.learn_kept(&seen[file]);
        }
        for &file in group {
            resolve(&mut known, &mut seen[file]);
        }
    }
}

/// The pages of a story, by what they can be found by.
#[derive(Default)]
struct Known<'a> {
    by_moment: HashMap<(Role, &'a str, i64), PageId>,
    by_words: HashMap<(Words<'a>, Option<i64>), PageId>,
    /// The same without dates; the first one.
    by_words_alone: HashMap<Words<'a>, PageId>,
}

/// The page read before (none before the greeting), who speaks, what is said, and which of the
/// pages of the floor that say it.
type Words<'a> = (Option<PageId>, Role, &'a str, TextHash, usize);

impl<'a> Known<'a> {
    fn learn(&mut self, words: Words<'a>, time: Option<i64>, id: PageId) {
        self.learn_moment(words.1, words.2, time, id);
        self.by_words.entry((words, time)).or_insert(id);
        self.by_words_alone.entry(words).or_insert(id);
    }

    fn learn_moment(&mut self, role: Role, name: &'a str, time: Option<i64>, id: PageId) {
        if let Some(time) = time.filter(|time| is_moment(*time)) {
            self.by_moment.entry((role, name, time)).or_insert(id);
        }
    }

    /// Pages that carry ids, as far as what stands before them is known by id too.
    fn learn_kept(&mut self, seen: &Seen<'a>) {
        for slot in seen.slots() {
            let Some(id) = seen.kept(slot) else { continue };
            let before = slot.0.checked_sub(1).map(|floor| seen.kept((floor, seen.rows[floor].active)));
            let message = &seen.messages[slot.0];
            match before {
                Some(None) => self.learn_moment(message.role, &message.name, seen.time(slot), id),
                before => self.learn(words(seen, slot, before.flatten()), seen.time(slot), id),
            }
        }
    }

    fn find(&self, words: Words<'a>, time: Option<i64>) -> Option<PageId> {
        let moment = time.and_then(|time| self.by_moment.get(&(words.1, words.2, time)));
        let said = |time| self.by_words.get(&(words, time));
        let alone = || self.by_words_alone.get(&words);
        // The same words at another moment are another page; but a greeting is the same in a whole story.
        let found = match time {
            Some(_) if words.0.is_some() => moment.or_else(|| said(time)).or_else(|| said(None)),
            _ => moment.or_else(alone),
        };
        found.copied()
    }
}

fn resolve<'a>(known: &mut Known<'a>, seen: &mut Seen<'a>) {
    let mut used: HashSet<PageId> = seen.slots().into_iter().filter_map(|slot| seen.kept(slot)).collect();
    for slot in seen.slots() {
        let before = slot.0.checked_sub(1).map(|floor| {
            let row = &seen.rows[floor];
            row.pages[row.active].0
        });
        let (words, time) = (words(seen, slot, before), seen.time(slot));
        let own = seen.rows[slot.0].pages[slot.1].0;
        let id = match seen.kept(slot) {
            Some(id) => id,
            None => known.find(words, time).filter(|id| !used.contains(id)).unwrap_or(own),
        };
        used.insert(id);
        seen.rows[slot.0].pages[slot.1].0 = id;
        known.learn(words, time, id);
    }
}

fn words<'a>(seen: &Seen<'a>, slot: (usize, usize), before: Option<PageId>) -> Words<'a> {
    let message = &seen.messages[slot.0];
    (before, message.role, &message.name, seen.page(slot).hash, seen.nth(slot))
}
