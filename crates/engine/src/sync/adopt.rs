//! Gives pages their ids back that were lost in the host file.

use std::collections::HashSet;

use storeyline_compat::Row;
use storeyline_history::Listed;
use storeyline_state::PageId;
use storeyline_store::{Ref, Story, View};

use crate::branch::turns_to;
use crate::declared::Messages;
use crate::error::Result;

/// Rows with their former ids.
pub(super) struct Adopted {
    pub(super) rows: Vec<Row>,
    /// Floor and id of each page that got its id back.
    pub(super) pages: Vec<(usize, PageId)>,
}

/// Gives pages their former ids that were not saved in the file (a tab was closed too early): same
/// floor, role and text, and the former id is not used elsewhere.
pub(super) fn adopt_lost_ids(
    tx: &View<'_>,
    story: &Story,
    branch: &Ref,
    kept: usize,
    tail: &[Row],
    messages: &mut Messages,
) -> Result<Adopted> {
    let mut rows = tail.to_vec();
    let mut adopted = Vec::new();
    let mut used: HashSet<PageId> = rows.iter().flat_map(|row| row.pages.iter().map(|(id, _)| *id)).collect();
    let mut turns: Option<Vec<Listed>> = None;
    for (floor, row) in (kept..).zip(&mut rows) {
        let Some((id, hash)) = row.pages.get_mut(row.active) else { continue };
        if tx.newest_page(story.key, *id)?.is_some() {
            continue;
        }
        if turns.is_none() {
            turns = Some(turns_to(tx, branch.head)?);
        }
        let Some(turn) = turns.as_ref().and_then(|turns| turns.get(floor)) else { continue };
        let old = turn.active_page();
        if old.text == *hash && turn.role == row.role && used.insert(old.page) {
            messages.adopt(*id, old.page);
            *id = old.page;
            adopted.push((floor, old.page));
        }
    }
    Ok(Adopted { rows, pages: adopted })
}
