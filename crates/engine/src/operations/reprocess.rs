//! Evaluates floors again under the current rules of the story, or under other rules as a preview.

use storeyline_history::node::ancestor;
use storeyline_history::path_states::StateTable;
use storeyline_history::{Body, Listed, NodeKey, Rules};
use storeyline_state::diff::diff;
use storeyline_state::{RefId, StoryId, ValueHash};
use storeyline_store::{Detail, Draft, Durability, OperationKind, Owner, PageText, Ref, Story};
use storeyline_wire::common::changes;
use storeyline_wire::compare::{FloorChange, Reprocessed};

use super::commit;
use crate::branch::{Note, find_branch, find_story, length, tail};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::rules::up_to_date;

/// Options of a re-process.
#[derive(Debug, Clone, Default)]
pub struct Reprocess {
    /// The first floor.
    pub from: usize,
    /// The floor after the last one; `None` for the end.
    pub to: Option<usize>,
    /// Other rules than those of the story; then nothing is written.
    pub what_if: Option<Rules>,
    /// Only report what would change.
    pub dry_run: bool,
}

impl ReadEngine {
    /// Reports what a re-process would change.
    pub fn preview_reprocess(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        request: &Reprocess,
    ) -> Result<Reprocessed> {
        let done = self.try_out(owner, |tx| reprocess(tx, story, branch, request, ""))?;
        Ok(Reprocessed { operation: None, ..done })
    }
}

impl Engine {
    /// Evaluates floors again under the current rules.
    pub fn reprocess(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        request: &Reprocess,
        client: &str,
    ) -> Result<Reprocessed> {
        if request.dry_run || request.what_if.is_some() {
            return self.preview_reprocess(owner, story, branch, request);
        }
        let (request, client) = (request.clone(), client.to_owned());
        self.change_or_pending(owner, Durability::Full, move |tx| reprocess(tx, story, branch, &request, &client))
    }
}

fn reprocess(
    tx: &mut Draft<'_>,
    story: StoryId,
    branch: RefId,
    request: &Reprocess,
    client: &str,
) -> Result<Reprocessed> {
    let (mut branch, start, turns) = renewed(tx, story, branch, request)?;
    let before = branch.head.ok_or(EngineError::EmptyPath)?;
    let floors = length(tx, branch.head)?;
    let to = request.to.unwrap_or(floors).min(floors);
    let note = Note::new(OperationKind::Reprocess, client).with(Detail::Floors { from: request.from, to });
    let edited = commit(tx, &mut branch, start, &turns, note)?;
    let after = branch.head.ok_or(EngineError::EmptyPath)?;
    let mut changed = Vec::new();
    for floor in request.from..floors {
        let state = |head| {
            let node = ancestor(tx, head, floor + 1)?;
            node.and_then(|node| node.state).ok_or(EngineError::NoFloor { floor, floors })
        };
        let (old, new) = (state(before)?, state(after)?);
        if tx.state_hash(old)? != tx.state_hash(new)? {
            changed.push(FloorChange { floor, state: changes(&diff(&tx.state(old)?, &tx.state(new)?)) });
        }
    }
    Ok(Reprocessed { operation: edited.operation, floors: floors - request.from, changed })
}

/// Returns a branch, the node above the first floor of the request, and the turns from there on under their new
/// rules.
pub(super) fn renewed(
    tx: &mut Draft<'_>,
    story: StoryId,
    branch: RefId,
    request: &Reprocess,
) -> Result<(Ref, NodeKey, Vec<Listed>)> {
    let branch = find_branch(tx, story, branch)?;
    let story = find_story(tx, story)?;
    let story = &up_to_date(tx, story)?;
    let floors = length(tx, branch.head)?;
    let to = request.to.unwrap_or(floors).min(floors);
    if request.from >= floors {
        return Err(EngineError::NoFloor { floor: request.from, floors });
    }
    let rules = match &request.what_if {
        Some(rules) => tx.put_rules(rules)?,
        None => story.rules,
    };
    let rules = tx.value_hash(rules)?;
    let (start, mut turns) = tail(tx, story, &branch, request.from)?;
    for turn in turns.iter_mut().take(to.saturating_sub(request.from)) {
        renew(tx, story, turn, rules)?;
    }
    Ok((branch, start, turns))
}

/// Puts all pages of a turn under other rules; kept states are dropped.
fn renew(tx: &mut Draft<'_>, story: &Story, turn: &mut Listed, rules: ValueHash) -> Result<()> {
    let mut pages = turn.pages.clone();
    for page in &mut pages {
        let body = tx.inputs(page.at)?.body;
        if body.rules == rules && body.kept.is_none() {
            continue;
        }
        let body = Body { rules, kept: None, stuck: tx.given_up(page.page)?, ..body };
        *page = tx.put_page(story.key, page.page, PageText::Of(page.at), &body, None)?;
    }
    if pages != turn.pages {
        turn.change().pages = pages;
    }
    Ok(())
}
