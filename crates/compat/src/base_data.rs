//! The first state of a card of ours in a world book: the entry `__vs_base_data__`.

use storeyline_state::Value;

use crate::initial::{Books, Given, Notes, SourceKind};
use crate::initvar;

const BASE_DATA: &str = "__vs_base_data__";

/// Looks for the entry, switched on or off; the first book that has one that can be read gives the state.
pub(crate) fn find(given: &Given<'_>, books: &Books<'_>, notes: &mut Notes) -> Option<Value> {
    let mut state = None;
    for (place, entry) in books.entries(|entry| entry.title.trim() == BASE_DATA) {
        let found = initvar::read(&initvar::entry_text(&entry.content), &given.names);
        notes.remark(&place, found.diagnostics);
        if let Some(value) = found.value {
            notes.source(SourceKind::BaseData, &place);
            state = state.or(Some(value));
        }
    }
    state
}
