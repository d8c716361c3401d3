//! From the ids of a foreign history to ours.
//!
//! A UUID is ours already; any other id gives the UUID (version 5) of its name within the history.
//! The same id in two branches is one page, whatever its text: one branch edited it. An id that
//! stands twice in one branch cannot be one page: there the text counts too, and the text that
//! came with it first keeps it. A page without id is known by its place and its text, so that
//! branches which are copies share it.

use std::collections::{HashMap, HashSet};

use storeyline_state::{PageId, TextHash};
use uuid::Uuid;

/// Names histories.
const HISTORY_NAMESPACE: Uuid = Uuid::from_u128(0x3a0c6b52_9c1e_5f0a_8b41_6d2e7f90c4a3);

/// A page as the history names it.
pub(super) struct Found {
    pub(super) id: Option<String>,
    /// Turn and page.
    pub(super) place: (usize, usize),
    pub(super) text: TextHash,
}

/// All ids of a history.
pub(super) struct Ids {
    namespace: Uuid,
    /// Ids that stand twice in some branch, with the text that keeps them.
    twice: HashMap<String, TextHash>,
}

impl Ids {
    /// Looks at every branch.
    pub(super) fn of<'a, B: Iterator<Item = &'a Found>>(mark: &str, branches: impl Iterator<Item = B>) -> Ids {
        let mut first: HashMap<&str, TextHash> = HashMap::new();
        let mut twice = HashMap::new();
        for branch in branches {
            let mut seen: HashSet<&str> = HashSet::new();
            for found in branch {
                let Some(id) = found.id.as_deref() else { continue };
                let keeps = *first.entry(id).or_insert(found.text);
                if !seen.insert(id) {
                    twice.insert(id.to_owned(), keeps);
                }
            }
        }
        Ids { namespace: Uuid::new_v5(&HISTORY_NAMESPACE, mark.as_bytes()), twice }
    }

    /// Begins at the first turn of a branch.
    pub(super) fn path(&self) -> Path<'_> {
        Path { ids: self, used: HashMap::new() }
    }

    /// The id of a page, and whether it is the one that the history gave it.
    fn id(&self, found: &Found) -> (PageId, bool) {
        let named = |name: &str| PageId::from_name(self.namespace, name.as_bytes());
        match &found.id {
            None => (named(&format!("\n{} {} {}", found.place.0, found.place.1, found.text)), true),
            Some(id) if self.twice.get(id).is_some_and(|keeps| *keeps != found.text) => {
                (named(&format!("{id}\n{}", found.text)), false)
            }
            Some(id) => (id.parse().unwrap_or_else(|_| named(id)), true),
        }
    }
}

/// The ids of one branch, in which none stands twice.
pub(super) struct Path<'a> {
    ids: &'a Ids,
    used: HashMap<PageId, u64>,
}

impl Path<'_> {
    /// Returns the id of the next page, and whether it is the one that the history gave it.
    pub(super) fn id(&mut self, found: &Found) -> (PageId, bool) {
        let (id, own) = self.ids.id(found);
        let count = self.used.entry(id).or_default();
        *count += 1;
        if *count == 1 {
            return (id, own);
        }
        // The same id with the same text: which of them it is, is all that is left.
        (PageId::from_name(id.uuid(), &count.to_be_bytes()), false)
    }
}
