//! Evaluates the active pages of a chat file floor by floor, without a story or a store.

use storeyline_compat::{ChatFile, Identity, bind, stored_states};
use storeyline_history::{
    Body, Choices, Evaluation, Page, PagePosition, Role, Rules, Scripts, UserDefaults, compose, evaluate,
};
use storeyline_state::{PageId, Value};
use storeyline_store::StoreError;
use storeyline_wire::import::{Initial, ReplayedFloor};

use crate::error::{EngineError, Result};
use crate::import::{ImportRequest, beginning};
use crate::object::in_order_of;
use crate::shown;
use crate::sync::new_body;

/// One floor of a replayed chat.
#[derive(Debug)]
pub struct EvaluatedFloor<'a> {
    pub floor: usize,
    /// The active page.
    pub page: PageId,
    pub role: Role,
    pub name: &'a str,
    pub text: &'a str,
    pub evaluation: &'a Evaluation,
    /// Whether the state that MVU or SAM stored with the page differs; `None`: there is none.
    pub differs: Option<bool>,
}

impl EvaluatedFloor<'_> {
    /// Returns the floor as clients see it; the state only if it is asked for.
    pub fn shown(&self, with_state: bool) -> ReplayedFloor {
        let Evaluation { state, trace, .. } = self.evaluation;
        ReplayedFloor {
            floor: self.floor,
            page: self.page,
            role: shown::role(self.role),
            name: self.name.to_owned(),
            hash: state.hash(),
            state: with_state.then(|| state.clone().into()),
            calls: shown::calls(trace, self.text),
            diagnostics: shown::diagnostics(&trace.diagnostics, self.text),
        }
    }
}

/// Evaluates a chat file up to the floor `last`; `visit` is called for every floor. Returns how it began
/// and the last state.
pub fn replay(
    request: &ImportRequest,
    change: impl FnOnce(&mut Rules),
    last: Option<usize>,
    scripts: &mut dyn Scripts,
    mut visit: impl FnMut(&EvaluatedFloor<'_>),
) -> Result<(Initial, Value)> {
    let file = ChatFile::read(&request.text)?;
    let (names, initial) = beginning(request, &file);
    let mut rules = compose(&initial.rules(), &Choices::default(), &UserDefaults::default());
    change(&mut rules);
    let rows = bind(Identity::of(&file).chat, &file.read);
    if let Some(floor) = last.filter(|floor| *floor >= rows.len()) {
        return Err(EngineError::NoFloor { floor, floors: rows.len() });
    }
    let mut state = rules.first_state.clone();
    for (floor, (row, message)) in
        rows.iter().zip(&file.read).enumerate().take(last.map_or(usize::MAX, |last| last + 1))
    {
        let (page, _) = row.pages[row.active];
        let shown = &message.pages[message.active];
        let role = if shown.counts_as(page) { row.role } else { Role::Other };
        let body = Body { role, speaker: row.name.clone(), ..new_body(&names, page, shown.time) };
        let position = PagePosition { round: floor as i64, page: Some(page) };
        let evaluation = evaluate(&state, &Page { body: &body, text: &shown.text, rules: &rules, position }, scripts)
            .map_err(StoreError::from)?;
        let stored = stored_states(message).into_iter().nth(message.active).flatten();
        let differs = stored.map(|stored| in_order_of(&stored.state, &evaluation.state) != evaluation.state);
        visit(&EvaluatedFloor {
            differs,
            floor,
            page,
            role: row.role,
            name: &row.name,
            text: &shown.text,
            evaluation: &evaluation,
        });
        state = evaluation.state;
    }
    Ok((shown::initial(&initial), state))
}
