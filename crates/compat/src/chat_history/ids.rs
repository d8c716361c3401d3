//! Maps the ids of a foreign history to page ids.
//!
//! A UUID is used as it is; any other id gives a UUID (version 5) of its name within the history.
//! The same id in two branches is one page, whatever its text: one branch edited it. An id that
//! occurs twice in one branch cannot be one page: there the text counts too, and the first text
//! keeps the id. A page without id is identified by its position and its text, so that branches
//! which are copies share it.

use std::collections::{HashMap, HashSet};

use storeyline_state::{PageId, TextHash};
use uuid::Uuid;

/// Namespace of the names of histories.
const HISTORY_NAMESPACE: Uuid = Uuid::from_u128(0x3a0c6b52_9c1e_5f0a_8b41_6d2e7f90c4a3);

/// A page as the history identifies it.
pub(super) struct ForeignPage {
    pub(super) id: Option<String>,
    /// Indexes of turn and page.
    pub(super) index: (usize, usize),
    pub(super) text: TextHash,
}

/// All ids of a history.
pub(super) struct Ids {
    namespace: Uuid,
    /// Ids that occur twice in some branch, with the text that keeps them.
    twice: HashMap<String, TextHash>,
}

impl Ids {
    /// Collects the ids of every branch.
    pub(super) fn of<'a, B: Iterator<Item = &'a ForeignPage>>(mark: &str, branches: impl Iterator<Item = B>) -> Ids {
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

    /// Starts at the first turn of a branch.
    pub(super) fn path(&self) -> Path<'_> {
        Path { ids: self, used: HashMap::new() }
    }

    /// Returns the id of a page, and whether the history gave it.
    fn id(&self, found: &ForeignPage) -> (PageId, bool) {
        let named = |name: &str| PageId::from_name(self.namespace, name.as_bytes());
        match &found.id {
            None => (named(&format!("\n{} {} {}", found.index.0, found.index.1, found.text)), true),
            Some(id) if self.twice.get(id).is_some_and(|keeps| *keeps != found.text) => {
                (named(&format!("{id}\n{}", found.text)), false)
            }
            Some(id) => (id.parse().unwrap_or_else(|_| named(id)), true),
        }
    }
}

/// The ids of one branch, in which none occurs twice.
pub(super) struct Path<'a> {
    ids: &'a Ids,
    used: HashMap<PageId, u64>,
}

impl Path<'_> {
    /// Returns the id of the next page, and whether the history gave it.
    pub(super) fn id(&mut self, found: &ForeignPage) -> (PageId, bool) {
        let (id, own) = self.ids.id(found);
        let count = self.used.entry(id).or_default();
        *count += 1;
        if *count == 1 {
            return (id, own);
        }
        // The same id with the same text: the count tells the pages apart.
        (PageId::from_name(id.uuid(), &count.to_be_bytes()), false)
    }
}
