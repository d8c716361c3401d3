//! The first state in a world book of a card for Storeyline: the entry `__vs_base_data__`.

use storeyline_state::Value;

use crate::initial::{Books, Findings, Given, SourceKind};
use crate::initvar;

const BASE_DATA: &str = "__vs_base_data__";

/// Searches the entry, enabled or not. The first book with a readable one gives the state.
pub(crate) fn find(given: &Given<'_>, books: &Books<'_>, findings: &mut Findings) -> Option<Value> {
    let mut state = None;
    for (location, entry) in books.entries(|entry| entry.title.trim() == BASE_DATA) {
        let found = initvar::read(&initvar::entry_text(&entry.content), &given.names);
        findings.remark(&location, found.diagnostics);
        if let Some(value) = found.value {
            findings.source(SourceKind::BaseData, &location);
            state = state.or(Some(value));
        }
    }
    state
}
