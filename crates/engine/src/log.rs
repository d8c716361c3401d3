//! The log of a branch or tag: iterates over its operations from the newest to the oldest, and tells
//! which were undone.

use std::collections::HashSet;

use storeyline_store::{Operation, Ref, View};

use crate::error::Result;

/// Iterates over the operations on a ref, newest first, each with whether it was undone.
pub(crate) fn logged<'a>(tx: &'a View<'_>, branch: &Ref) -> impl Iterator<Item = Result<(Operation, bool)>> + 'a {
    let (of, mut undone) = (branch.key, HashSet::new());
    (1..=branch.operation).rev().filter_map(move |number| {
        // Collected operations are skipped. An earlier one may still exist because a later undo refers to it.
        let operation = tx.operation(of, number).transpose()?;
        Some(operation.map_err(Into::into).map(|operation| {
            let is_undone = undone.contains(&number);
            undone.extend(operation.undoes.filter(|_| !is_undone));
            (operation, is_undone)
        }))
    })
}

/// Returns the newest operation for which `is_meant(operation, undone)` holds.
pub(crate) fn find_logged(
    tx: &View<'_>,
    branch: &Ref,
    is_meant: impl Fn(&Operation, bool) -> bool,
) -> Result<Option<Operation>> {
    let is_end = |entry: &Result<(Operation, bool)>| {
        entry.as_ref().map_or(true, |(operation, undone)| is_meant(operation, *undone))
    };
    let found = logged(tx, branch).find(is_end).transpose()?;
    Ok(found.map(|(operation, _)| operation))
}
