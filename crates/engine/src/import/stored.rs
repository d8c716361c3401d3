//! Compares computed states with those that other tools stored with the pages.
//!
//! A trusted stored state becomes an override of its page where it differs; any other is only compared.
//! The order of keys is not compared, because one of the tools sorts them.

use storeyline_compat::stored_states;
use storeyline_compat::varsystem_store::snapshot_ids;
use storeyline_history::path_states::{StateTable, first_state, state_of_page};
use storeyline_history::{Body, Listed, StateKey, TurnPage, overrides};
use storeyline_state::Value;
use storeyline_store::{Draft, PageText, Story};
use storeyline_wire::import::Stored as StoredReport;

use super::varsystem::VarSystemStates;
use crate::declared::Messages;
use crate::error::Result;
use crate::object::in_order_of;

/// Which stored states are used.
#[derive(Clone, Copy, Default)]
pub struct Stored<'a> {
    /// Whether the states of MVU and SAM in the chat are trusted.
    pub trust: bool,
    /// The states of ST-VarSystem; they are always trusted.
    pub snapshots: Option<&'a VarSystemStates>,
}

/// Compares the states of turns with the stored ones, and overrides them with those that are trusted. Returns
/// the floors that were evaluated too.
pub(super) fn take_stored(
    tx: &mut Draft<'_>,
    story: &Story,
    turns: &mut [Listed],
    messages: &Messages,
    stored: &Stored<'_>,
) -> Result<(StoredReport, Vec<usize>)> {
    let (mut report, mut evaluated) = (StoredReport::default(), Vec::new());
    let all = turns.iter().map(|turn| stored_on(turn, messages, stored)).collect::<Result<Vec<_>>>()?;
    if all.iter().flatten().all(Option::is_none) {
        return Ok((report, evaluated));
    }
    let mut above = None;
    for (floor, (turn, found)) in turns.iter_mut().zip(all).enumerate() {
        report.found += usize::from(found[turn.active].is_some());
        let mut overridden = false;
        for (index, stored) in found.iter().enumerate() {
            let Some(StoredPage { state, trusted: true }) = stored else { continue };
            let before = state_before(tx, above, &turn.pages[index])?;
            let (page, differs) = overriding(tx, story, turn.pages[index], state, (before, floor))?;
            overridden |= differs;
            if turn.pages[index] != page {
                turn.change().pages[index] = page;
            }
        }
        let before = state_before(tx, above, turn.active_page())?;
        let (state, fresh) = state_of_page(tx, before, turn.active_page(), floor)?;
        if fresh {
            evaluated.push(floor);
        }
        if overridden {
            report.overridden.push(floor);
        }
        if let Some(StoredPage { state: other, trusted: false }) = &found[turn.active] {
            let computed = tx.state(state)?;
            if in_order_of(other, &computed) != computed {
                report.differing.push(floor);
            }
        }
        above = Some(state);
    }
    Ok((report, evaluated))
}

/// The state before a page.
fn state_before(tx: &mut Draft<'_>, above: Option<StateKey>, page: &TurnPage) -> Result<StateKey> {
    Ok(above.map_or_else(|| first_state(tx, page), Ok)?)
}

/// The state that another tool stored with a page.
struct StoredPage {
    state: Value,
    trusted: bool,
}

/// The stored state of each page of a turn.
fn stored_on(turn: &Listed, messages: &Messages, stored: &Stored<'_>) -> Result<Vec<Option<StoredPage>>> {
    let Some(message) = messages.get(turn.active_page().page) else {
        return Ok(turn.pages.iter().map(|_| None).collect());
    };
    let found = stored_states(message).into_iter().zip(snapshot_ids(message)).map(|(in_chat, name)| {
        let snapshot = match (stored.snapshots, name) {
            (Some(snapshots), Some(name)) => snapshots.state(&name)?,
            _ => None,
        };
        let in_chat = in_chat.map(|stored_state| StoredPage { state: stored_state.state, trusted: stored.trust });
        Ok(snapshot.map(|state| StoredPage { state, trusted: true }).or(in_chat))
    });
    found.collect()
}

/// Returns a version of a page whose state is the stored one, and whether that differs from the
/// computed state.
fn overriding(
    tx: &mut Draft<'_>,
    story: &Story,
    page: TurnPage,
    stored: &Value,
    (above, floor): (StateKey, usize),
) -> Result<(TurnPage, bool)> {
    let plain = Body { overrides: Vec::new(), kept: None, ..tx.inputs(page.at)?.body };
    let computed = tx.put_page(story.key, page.page, PageText::Of(page.at), &plain, None)?;
    let (state, _) = state_of_page(tx, above, &computed, floor)?;
    let state = tx.state(state)?;
    let stored = in_order_of(stored, &state);
    if stored == state {
        return Ok((computed, false));
    }
    let body = Body { overrides: overrides::between(&state, &stored), ..plain };
    Ok((tx.put_page(story.key, page.page, PageText::Of(page.at), &body, None)?, true))
}
