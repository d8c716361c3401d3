//! The log of a branch or tag: iterates over its operations from the newest to the oldest, and tells
//! which were undone.

use std::collections::HashSet;

use storeyline_store::{Operation, Ref, RefKey, View};

use crate::error::Result;

/// Iterates over the operations on a ref, newest first, each with whether it was undone.
pub(crate) struct Log<'a, 'b> {
    view: &'a View<'b>,
    of: RefKey,
    next: i64,
    undone: HashSet<i64>,
}

impl<'a, 'b> Log<'a, 'b> {
    pub(crate) fn new(view: &'a View<'b>, branch: &Ref) -> Self {
        Log { view, of: branch.key, next: branch.operation, undone: HashSet::new() }
    }
}

impl Iterator for Log<'_, '_> {
    type Item = Result<(Operation, bool)>;

    fn next(&mut self) -> Option<Self::Item> {
        let operation = loop {
            if self.next == 0 {
                return None;
            }
            let found = self.view.operation(self.of, self.next);
            self.next -= 1;
            match found {
                Ok(Some(operation)) => break operation,
                // It was collected. An earlier one may still exist because a later undo refers to it.
                Ok(None) => {}
                Err(error) => return Some(Err(error.into())),
            }
        };
        let undone = self.undone.contains(&operation.number);
        if let Some(taken_back) = operation.undoes.filter(|_| !undone) {
            self.undone.insert(taken_back);
        }
        Some(Ok((operation, undone)))
    }
}

/// Returns the newest operation for which `is_meant(operation, undone)` holds.
pub(crate) fn find_logged(
    tx: &View<'_>,
    branch: &Ref,
    is_meant: impl Fn(&Operation, bool) -> bool,
) -> Result<Option<Operation>> {
    for entry in Log::new(tx, branch) {
        let (operation, undone) = entry?;
        if is_meant(&operation, undone) {
            return Ok(Some(operation));
        }
    }
    Ok(None)
}
