//! Groups files into stories: files that state it, and files that show the same pages.

use std::collections::HashMap;
use std::hash::Hash;

use storeyline_history::Role;
use storeyline_state::{ChatId, PageId, TextHash};

use super::family::Family;
use super::seen::Seen;

/// Returns the groups; in each, files in the order of the family.
pub(super) fn groups(family: &Family, seen: &[Seen<'_>]) -> Vec<Vec<usize>> {
    let mut ties = Ties { leader: (0..seen.len()).collect() };
    ties.by_metadata(family);
    ties.by_pages(&family.order, seen);
    ties.by_first_words(&family.order, seen);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for &file in &family.order {
        let group = *group_of.entry(ties.leader(file)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(file);
    }
    groups
}

/// Disjoint sets of files (union-find).
struct Ties {
    leader: Vec<usize>,
}

/// A page as it can be recognised in another file.
type Shown<'a> = (Role, &'a str, TextHash);

impl Ties {
    fn leader(&mut self, file: usize) -> usize {
        let mut at = file;
        while self.leader[at] != at {
            self.leader[at] = self.leader[self.leader[at]];
            at = self.leader[at];
        }
        at
    }

    fn tie(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.leader[a.max(b)] = a.min(b);
    }

    /// Joins a file with the first one that has the same key.
    fn join_by_key<K: Hash + Eq>(&mut self, first: &mut HashMap<K, usize>, key: K, file: usize) {
        let other = *first.entry(key).or_insert(file);
        self.tie(file, other);
    }

    fn by_metadata(&mut self, family: &Family) {
        let mut chats: HashMap<ChatId, usize> = HashMap::new();
        let mut stories: HashMap<&str, usize> = HashMap::new();
        // Branches of a deleted file are one story nevertheless.
        let mut gone: HashMap<&str, usize> = HashMap::new();
        for &file in &family.order {
            let identity = &family.identities[file];
            self.join_by_key(&mut chats, family.chats[file], file);
            if let Some(parent) = identity.parent {
                self.join_by_key(&mut chats, parent, file);
            }
            if let Some(story) = &identity.story {
                self.join_by_key(&mut stories, story, file);
            }
            match (family.parents[file], &identity.main_chat) {
                (Some((parent, _)), _) => self.tie(file, parent),
                (None, Some(name)) => self.join_by_key(&mut gone, name, file),
                (None, None) => {}
            }
        }
    }

    /// Joins files that share an id, or the same text at the same time; then even a greeting is
    /// evidence.
    fn by_pages(&mut self, order: &[usize], seen: &[Seen<'_>]) {
        let mut ids: HashMap<PageId, usize> = HashMap::new();
        let mut moments: HashMap<(Shown<'_>, i64), usize> = HashMap::new();
        for &file in order {
            for slot in seen[file].slots() {
                if let Some(id) = seen[file].id_in_file(slot) {
                    self.join_by_key(&mut ids, id, file);
                }
                if let Some(time) = seen[file].moment(slot) {
                    self.join_by_key(&mut moments, (shown(&seen[file], slot), time), file);
                }
            }
        }
    }

    /// Joins files with the same greeting and the same answer to it, unless the dates of the
    /// answers differ.
    fn by_first_words(&mut self, order: &[usize], seen: &[Seen<'_>]) {
        let begun: Vec<_> = order.iter().filter_map(|file| Some((*file, begin(&seen[*file])?))).collect();
        let mut first = HashMap::new();
        for &(file, begin) in &begun {
            self.join_by_key(&mut first, begin, file);
        }
        // Files without a date are joined with one that has a date, whichever comes first.
        for (file, (words, time)) in begun {
            if time.is_some()
                && let Some(undated) = first.remove(&(words, None))
            {
                self.tie(file, undated);
            }
        }
    }
}

/// Returns the greeting, the answer to it, and the time of the answer.
fn begin<'a>(seen: &Seen<'a>) -> Option<((Shown<'a>, Shown<'a>), Option<i64>)> {
    let read = |floor: usize| Some((floor, seen.messages.get(floor)?.active));
    let (greeting, answer) = (read(0)?, read(1)?);
    Some(((shown(seen, greeting), shown(seen, answer)), seen.time(answer)))
}

fn shown<'a>(seen: &Seen<'a>, slot: (usize, usize)) -> Shown<'a> {
    let message = &seen.messages[slot.0];
    (message.role, message.name.as_str(), seen.page(slot).hash)
}
