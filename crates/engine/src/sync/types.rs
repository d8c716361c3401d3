//! Parts of sync requests and answers that the engine works with.

use storeyline_compat::{Row, initvar};
use storeyline_history::Body;
use storeyline_state::{PageId, text};
use storeyline_store::{ChangeSeq, Ref, seed_of};
use storeyline_wire::sync::{Names, SyncAnswer, SyncRow};

use crate::shown::{cursor, role_of};

/// Returns the names for reading cards, where an empty name is `None`.
pub(crate) fn known_names(names: &Names) -> initvar::Names {
    let known = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
    initvar::Names { user: known(&names.user), character: known(&names.character) }
}

/// Returns the inputs of a new page. The seed is derived from its id.
pub(crate) fn new_body(names: &Names, page: PageId, time: Option<i64>) -> Body {
    Body {
        user: names.user.clone(),
        character: names.character.clone(),
        time,
        seed: seed_of(page),
        ..Body::lone_reply(text::hash(""))
    }
}

/// Returns the floors that a host declared.
pub(super) fn rows(declared: &[SyncRow]) -> Vec<Row> {
    let row = |row: &SyncRow| Row {
        role: role_of(row.role),
        name: row.name.clone(),
        hidden: row.hidden,
        active: row.active,
        pages: row.swipes.iter().map(|page| (page.id, page.h)).collect(),
    };
    declared.iter().map(row).collect()
}

/// The answer to a client that has to repeat the request, with messages or later.
pub(super) fn needing(branch: &Ref, seen: ChangeSeq, need: Vec<PageId>) -> SyncAnswer {
    SyncAnswer {
        story: branch.story,
        branch: branch.id,
        node: None,
        head: None,
        seen: cursor(seen),
        need,
        adopt: Vec::new(),
        apply: Vec::new(),
        state: None,
        parent: None,
        diagnostics: Vec::new(),
        notices: Vec::new(),
        pending: false,
        evaluated: 0,
    }
}
