//! The edit policy: after a change of an early floor the later ones are evaluated at once, or keep
//! their states until they are re-processed.

use std::collections::HashMap;

use storeyline_history::path_states::StateTable;
use storeyline_history::{Body, Listed, NodeTable, StateKey};
use storeyline_state::{PageId, StoryId, Value};
use storeyline_store::{Change, Detail, Draft, OperationKind, Owner, PageText, Ref, Story, View};
use storeyline_wire::EditPolicy;

use crate::branch::{EditedTail, Note, find_story, record_change};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::object::object;

/// The settings of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What a change of an early floor does to later floors.
    pub edit_policy: EditPolicy,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { edit_policy: EditPolicy::Auto }
    }
}

impl Settings {
    fn to_value(self) -> Value {
        object([("edit_policy", self.edit_policy.as_str().into())])
    }

    pub(crate) fn from_value(value: &Value) -> Settings {
        let manual = value.get("edit_policy").and_then(Value::as_text) == Some("manual");
        Settings { edit_policy: if manual { EditPolicy::Manual } else { EditPolicy::Auto } }
    }
}

pub(crate) fn settings(tx: &View<'_>, story: &Story) -> Result<Settings> {
    let stored = story.settings.map(|settings| tx.value(settings)).transpose()?;
    Ok(stored.as_ref().map_or_else(Settings::default, Settings::from_value))
}

impl ReadEngine {
    pub fn settings(&self, owner: &Owner, story: StoryId) -> Result<Settings> {
        self.read(owner, |tx| settings(tx, &find_story(tx, story)?))
    }
}

impl Engine {
    /// Changes the settings of a story; the change is logged on the current branch. Returns `None` if
    /// nothing changed.
    pub fn change_settings(
        &self,
        owner: &Owner,
        story: StoryId,
        chosen: Settings,
        client: &str,
    ) -> Result<Option<i64>> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let before = settings(tx, &story)?;
            if before == chosen {
                return Ok(None);
            }
            let (key, _) = tx.put_value(&chosen.to_value())?;
            tx.save_story(&Story { settings: Some(key), ..story.clone() });
            let changed = Detail::Settings(Change::new(story.settings, Some(key)));
            record_on_current(tx, &story, Note::new(OperationKind::Settings, client).with(changed)).map(Some)
        })
    }
}

/// Logs a change of a story on its current branch.
pub(crate) fn record_on_current(tx: &mut Draft<'_>, story: &Story, note: Note<'_>) -> Result<i64> {
    let current = story.current.map(|current| tx.ref_by_key(current)).transpose()?.flatten();
    let mut branch = current.ok_or(EngineError::EmptyPath)?;
    record_change(tx, &mut branch, note)
}

/// Tells whether floors keep their states when the host shows other floors.
pub(crate) fn keeps_states_of_host(tx: &View<'_>, story: &Story) -> Result<bool> {
    Ok(settings(tx, story)?.edit_policy == EditPolicy::Manual)
}

/// Tells whether later floors keep their states after an operation of this kind.
pub(super) fn keeps_states(tx: &View<'_>, story: &Story, kind: OperationKind) -> Result<bool> {
    let moves_others = matches!(
        kind,
        OperationKind::Edit
            | OperationKind::Delete
            | OperationKind::DeletePage
            | OperationKind::KeepOnly
            | OperationKind::Move
            | OperationKind::Insert
            | OperationKind::Graft
            | OperationKind::Select
            | OperationKind::Validity
    );
    Ok(moves_others && settings(tx, story)?.edit_policy == EditPolicy::Manual)
}

/// Makes every page that was on the branch before keep the state that it had there.
pub(crate) fn keep_states(tx: &mut Draft<'_>, story: &Story, branch: &Ref, tail: &mut EditedTail) -> Result<()> {
    let Some(head) = branch.head else { return Ok(()) };
    let mut states: HashMap<PageId, StateKey> = HashMap::new();
    for (node, turn) in tx.path_below(head, tail.first)?.iter().zip(&tail.before) {
        states.extend(node.state.map(|state| (turn.active_page().page, state)));
    }
    let unchanged = tail.before.iter().zip(&tail.after).take_while(|(before, after)| before == after).count();
    for turn in &mut tail.after[unchanged..] {
        if let Some(state) = states.get(&turn.active_page().page) {
            keep(tx, story, turn, *state)?;
        }
    }
    Ok(())
}

fn keep(tx: &mut Draft<'_>, story: &Story, turn: &mut Listed, state: StateKey) -> Result<()> {
    let page = *turn.active_page();
    let inputs = tx.inputs(page.at)?;
    let body = Body { kept: Some(tx.state_hash(state)?), ..inputs.body };
    let kept = tx.put_page(story.key, page.page, PageText::Of(page.at), &body, Some(state))?;
    let active = turn.active;
    turn.change().pages[active] = kept;
    Ok(())
}
