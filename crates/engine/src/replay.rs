//! Evaluates the active pages of a chat file floor by floor, without a story or a store.

use storeyline_compat::{ChatFile, Identity, Initial, bind};
use storeyline_history::{
    Body, Choices, Evaluation, Page, PagePosition, Role, Rules, Scripts, UserDefaults, compose, evaluate,
};
use storeyline_state::{PageId, Value};
use storeyline_store::StoreError;

use crate::error::{EngineError, Result};
use crate::import::{ImportRequest, beginning};

/// One floor of a replayed chat.
#[derive(Debug)]
pub struct ReplayedFloor<'a> {
    /// The floor, from 0.
    pub floor: usize,
    /// The active page.
    pub page: PageId,
    pub role: Role,
    pub name: &'a str,
    pub text: &'a str,
    pub evaluation: &'a Evaluation,
}

/// The start and the end of a replay.
#[derive(Debug)]
pub struct Replayed {
    pub initial: Initial,
    /// How many floors were evaluated.
    pub floors: usize,
    /// The state after the last floor.
    pub state: Value,
}

/// Evaluates a chat file up to the floor `last`; `visit` is called for every floor.
pub fn replay(
    request: &ImportRequest,
    change: impl FnOnce(&mut Rules),
    last: Option<usize>,
    scripts: &mut dyn Scripts,
    mut visit: impl FnMut(&ReplayedFloor<'_>),
) -> Result<Replayed> {
    let file = ChatFile::read(&request.text)?;
    let (names, initial) = beginning(request, &file);
    let mut rules = compose(&initial.rules(), &Choices::default(), &UserDefaults::default());
    change(&mut rules);
    let rows = bind(Identity::of(&file).chat, &file.read);
    if let Some(floor) = last.filter(|floor| *floor >= rows.len()) {
        return Err(EngineError::NoFloor { floor, floors: rows.len() });
    }
    let mut state = rules.first_state.clone();
    let mut floors = 0;
    for (floor, (row, message)) in
        rows.iter().zip(&file.read).enumerate().take(last.map_or(usize::MAX, |last| last + 1))
    {
        let (page, _) = row.pages[row.active];
        let shown = &message.pages[message.active];
        let role = if shown.counts_as(page) { row.role } else { Role::Other };
        let body = Body { role, speaker: row.name.clone(), ..names.body(page, shown.time) };
        let position = PagePosition { round: floor as i64, page: Some(page) };
        let evaluation = evaluate(&state, &Page { body: &body, text: &shown.text, rules: &rules, position }, scripts)
            .map_err(StoreError::from)?;
        visit(&ReplayedFloor {
            floor,
            page,
            role: row.role,
            name: &row.name,
            text: &shown.text,
            evaluation: &evaluation,
        });
        state = evaluation.state;
        floors += 1;
    }
    Ok(Replayed { initial, floors, state })
}
