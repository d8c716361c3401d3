//! Turns a requested edit into an edit of the list of turns, and stores new versions of pages.

use std::collections::HashSet;

use storeyline_compat::host_message;
use storeyline_history::path_states::{StateTable, state_above, state_of_page};
use storeyline_history::{
    Body, Edit, EditError, HostFields, Listed, NodeTable, Override, Role, Turn, TurnPage, overrides,
};
use storeyline_state::op::{self, OpError};
use storeyline_state::path::PathError;
use storeyline_state::{PageId, StatePath, Value, text};
use storeyline_store::{Detail, Draft, PageText, Ref, Story, View, seed_of};
use storeyline_wire::operation::{BranchEdit, EditPath, NewPage, NewTurn};
use storeyline_wire::{KeepText, Path};

use crate::branch::{EditedTail, find_any_ref, floor_of, length, node_at, tail, turns_to};
use crate::clock_and_random::{now, random_bytes};
use crate::error::EngineError;
use crate::shown::role_of;

/// An edit whose pages are stored.
pub(super) struct Written {
    pub(super) edit: Edit,
    pub(super) page: Option<PageId>,
    pub(super) detail: Detail,
}

pub(super) fn write(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    change: &BranchEdit,
) -> Result<Written, EngineError> {
    let at_floor = |edit: Edit| Written { page: None, detail: Detail::Floor(edit.first_floor()), edit };
    let of_page = |edit: Edit, page: PageId| Written {
        page: Some(page),
        detail: Detail::Page { floor: edit.first_floor(), page },
        edit,
    };
    Ok(match change {
        BranchEdit::Append(turn) => {
            let floor = length(tx, branch.head)?;
            let turn = new_turn(tx, story, branch, turn)?;
            of_page(Edit::Insert { floor, turns: vec![turn.clone()] }, turn.active_page().page)
        }
        BranchEdit::Reply(turn) => {
            let floors = length(tx, branch.head)?;
            match floors.checked_sub(1).map(|last| tail(tx, story, branch, last)).transpose()? {
                Some((_, last)) if last[0].role == Role::Assistant => {
                    let page = new_page(tx, story, branch, &last[0], &turn.page)?;
                    of_page(Edit::AddPage { floor: floors - 1, page }, page.page)
                }
                _ => return write(tx, story, branch, &BranchEdit::Append(turn.clone())),
            }
        }
        BranchEdit::Insert { floor, turn } => {
            let turn = new_turn(tx, story, branch, turn)?;
            of_page(Edit::Insert { floor: *floor, turns: vec![turn.clone()] }, turn.active_page().page)
        }
        BranchEdit::AddPage { floor, page } => {
            let turn = tx.turn(node_at(tx, branch, *floor)?.turn.expect("a floor has a turn"))?;
            let page = new_page(tx, story, branch, &turn, page)?;
            of_page(Edit::AddPage { floor: *floor, page }, page.page)
        }
        BranchEdit::Select { page } | BranchEdit::Swipe { page } => {
            let (floor, _) = floor_of(tx, branch, *page)?;
            of_page(Edit::Select { floor, page: *page }, *page)
        }
        BranchEdit::Edit { page, text, keep } => {
            let (floor, turn) = floor_of(tx, branch, *page)?;
            let old = page_of(&turn, *page)?;
            match keep {
                KeepText::AsAlternative => {
                    let new = NewPage { page: None, text: text.clone(), time: None };
                    let page = new_page(tx, story, branch, &turn, &new)?;
                    of_page(Edit::AddPage { floor, page }, page.page)
                }
                KeepText::InPlace | KeepText::OnAllBranches => {
                    let inputs = tx.inputs(old.at)?.body;
                    let body = Body { stuck: tx.given_up(*page)?, kept: None, ..inputs.with_text(text::hash(text)) };
                    let new = tx.put_page(story.key, *page, PageText::New(text), &body, None)?;
                    of_page(Edit::Rewrite { floor, page: new }, *page)
                }
            }
        }
        BranchEdit::DeletePage { page } => {
            let (floor, _) = floor_of(tx, branch, *page)?;
            of_page(Edit::DeletePage { floor, page: *page }, *page)
        }
        BranchEdit::KeepOnly { page } => {
            let (floor, _) = floor_of(tx, branch, *page)?;
            of_page(Edit::KeepOnly { floor, page: *page }, *page)
        }
        BranchEdit::Delete { floor, count } => at_floor(Edit::Delete { floor: *floor, count: *count }),
        BranchEdit::Cut { floor } => at_floor(Edit::Cut { floor: *floor }),
        BranchEdit::Move { floor, to } => at_floor(Edit::Move { from: *floor, to: *to }),
        BranchEdit::Hide { floor, hidden } => at_floor(Edit::Hide { floor: *floor, hidden: *hidden }),
        BranchEdit::Validity { page, valid } => {
            let (floor, turn) = floor_of(tx, branch, *page)?;
            let old = page_of(&turn, *page)?;
            // An invalid page has a role of its own, which is not executed; that of its turn stays.
            let role = if *valid { turn.role } else { Role::Other };
            let body = Body { role, kept: None, ..tx.inputs(old.at)?.body };
            let new = tx.put_page(story.key, *page, PageText::Of(old.at), &body, None)?;
            of_page(Edit::Rewrite { floor, page: new }, *page)
        }
        BranchEdit::Graft { from, first, count, floor } => {
            let other = find_any_ref(tx, story.id, *from)?;
            let turns = grafted(tx, branch, &other, *first, *count)?;
            at_floor(Edit::Insert { floor: *floor, turns })
        }
        BranchEdit::Override { page, state } => {
            let (floor, new) = overridden(tx, story, branch, *page, Some(&state.0))?;
            of_page(Edit::Rewrite { floor, page: new }, *page)
        }
        BranchEdit::Set { page, path, value } => {
            let (floor, new) = corrected(tx, story, branch, *page, path, Some(&value.0))?;
            of_page(Edit::Rewrite { floor, page: new }, *page)
        }
        BranchEdit::Unset { page, path } => {
            let (floor, new) = corrected(tx, story, branch, *page, path, None)?;
            of_page(Edit::Rewrite { floor, page: new }, *page)
        }
        BranchEdit::ClearOverride { page } => {
            let (floor, new) = overridden(tx, story, branch, *page, None)?;
            of_page(Edit::Rewrite { floor, page: new }, *page)
        }
    })
}

fn page_of(turn: &Turn, page: PageId) -> Result<TurnPage, EngineError> {
    let index = turn.position(page).ok_or(EditError::NoPage(page))?;
    Ok(turn.pages[index])
}

/// The inputs of a new page; the names are those of the last page.
fn new_body(tx: &View<'_>, story: &Story, branch: &Ref, page: PageId, new: &NewPage) -> Result<Body, EngineError> {
    let last = match branch.head {
        Some(head) => {
            let turn = tx.turn(tx.node(head)?.turn.expect("a head has a turn"))?;
            tx.inputs(turn.active_page().at)?.body
        }
        None => Body::lone_reply(text::hash("")),
    };
    Ok(Body {
        user: last.user,
        character: last.character,
        rules: tx.value_hash(story.rules)?,
        time: Some(new.time.unwrap_or_else(now)),
        seed: seed_of(page),
        ..Body::lone_reply(text::hash(&new.text))
    })
}

/// Stores a page with the role and name of its turn.
fn new_page(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    turn: &Turn,
    new: &NewPage,
) -> Result<TurnPage, EngineError> {
    put_new(tx, story, branch, turn.role, &turn.name, new)
}

fn put_new(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    role: Role,
    name: &str,
    new: &NewPage,
) -> Result<TurnPage, EngineError> {
    let page = new.page.unwrap_or_else(|| PageId::from_random(random_bytes()));
    if tx.newest_page(story.key, page)?.is_some() && floor_of(tx, branch, page).is_ok() {
        return Err(EditError::PageTwice(page).into());
    }
    let stuck = tx.given_up(page)?;
    let body = Body { role, speaker: name.to_owned(), stuck, ..new_body(tx, story, branch, page, new)? };
    Ok(tx.put_page(story.key, page, PageText::New(&new.text), &body, None)?)
}

pub(super) fn new_turn(tx: &mut Draft<'_>, story: &Story, branch: &Ref, new: &NewTurn) -> Result<Listed, EngineError> {
    let role = role_of(new.role);
    let page = put_new(tx, story, branch, role, &new.name, &new.page)?;
    let turn = Turn { role, name: new.name.clone(), hidden: false, active: 0, pages: vec![page], host: None };
    Ok(turn.into())
}

/// Turns of another branch; an error if one of their pages is on this branch already.
fn grafted(tx: &View<'_>, branch: &Ref, other: &Ref, first: usize, count: usize) -> Result<Vec<Listed>, EngineError> {
    let theirs = turns_to(tx, other.head)?;
    let last = first.checked_add(count).filter(|last| *last <= theirs.len() && count > 0);
    let last =
        last.ok_or(EngineError::NoFloor { floor: first.saturating_add(count.max(1) - 1), floors: theirs.len() })?;
    let own: HashSet<PageId> =
        turns_to(tx, branch.head)?.iter().flat_map(|turn| turn.pages.iter().map(|page| page.page)).collect();
    let twice = theirs[first..last].iter().flat_map(|turn| &turn.pages).find(|page| own.contains(&page.page));
    match twice {
        Some(page) => Err(EditError::PageTwice(page.page).into()),
        None => Ok(theirs[first..last].to_vec()),
    }
}

/// Returns the floor of a page and a version whose state is `saved`, or the computed one.
fn overridden(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    page: PageId,
    saved: Option<&Value>,
) -> Result<(usize, TurnPage), EngineError> {
    let (floor, turn) = floor_of(tx, branch, page)?;
    let old = page_of(&turn, page)?;
    let plain = Body { overrides: Vec::new(), kept: None, ..tx.inputs(old.at)?.body };
    let computed = tx.put_page(story.key, page, PageText::Of(old.at), &plain, None)?;
    let Some(saved) = saved else { return Ok((floor, computed)) };
    let parent = tx.node(node_at(tx, branch, floor)?.parent)?;
    let above = state_above(tx, &parent, &computed)?;
    let (state, _) = state_of_page(tx, above, &computed, floor)?;
    let overrides = overrides::between(&tx.state(state)?, saved);
    let body = Body { overrides, ..plain };
    Ok((floor, tx.put_page(story.key, page, PageText::Of(old.at), &body, None)?))
}

/// Returns the floor of a page and a version in whose state one path has another value, or none.
fn corrected(
    tx: &mut Draft<'_>,
    story: &Story,
    branch: &Ref,
    page: PageId,
    path: &EditPath,
    value: Option<&Value>,
) -> Result<(usize, TurnPage), EngineError> {
    let (floor, turn) = floor_of(tx, branch, page)?;
    let parent = tx.node(node_at(tx, branch, floor)?.parent)?;
    let old = page_of(&turn, page)?;
    let above = state_above(tx, &parent, &old)?;
    let (key, _) = state_of_page(tx, above, &old, floor)?;
    let mut state = tx.state(key)?;
    match path {
        EditPath::Text(path) => set_by_text(&mut state, path, value)?,
        EditPath::Steps(path) => set_by_steps(&mut state, path, value)?,
    }
    overridden(tx, story, branch, page, Some(&state))
}

fn set_by_text(state: &mut Value, path: &str, value: Option<&Value>) -> Result<(), EngineError> {
    let bad = |problem: String| EngineError::BadPath { path: path.to_owned(), problem };
    let failed = |error: OpError| bad(error.to_string());
    let place: StatePath = path.parse().map_err(|error: PathError| bad(error.to_string()))?;
    match value {
        Some(value) => drop(op::set(state, &place, value.clone()).map_err(failed)?),
        None => drop(op::unset(state, &place).map_err(failed)?.ok_or_else(|| failed(OpError::NoSuchPath))?),
    }
    Ok(())
}

fn set_by_steps(state: &mut Value, path: &Path, value: Option<&Value>) -> Result<(), EngineError> {
    let bad = |error: OpError| {
        let steps = path.0.iter().map(|step| step.to_key().to_string()).collect::<Vec<_>>();
        EngineError::BadPath { path: steps.join("."), problem: error.to_string() }
    };
    let parent = path.0.split_last().map(|(_, parent)| state.at(parent));
    let is_inside = parent.is_none_or(|parent| matches!(parent, Some(Value::Object(_) | Value::List(_))));
    if !is_inside || (value.is_none() && state.at(&path.0).is_none()) {
        return Err(bad(OpError::NoSuchPath));
    }
    let wanted = match value {
        Some(value) => Override::Set { path: path.0.clone(), value: value.clone(), at: usize::MAX },
        None => Override::Remove { path: path.0.clone() },
    };
    wanted.apply(state).map(drop).map_err(bad)
}

/// Removes the host fields of deleted pages, which the host stores by position.
pub(super) fn fit_host_fields(tx: &mut Draft<'_>, tail: &mut EditedTail) -> Result<(), EngineError> {
    let (Some(before), Some(after)) = (tail.before.first(), tail.after.first_mut()) else { return Ok(()) };
    let Some(host) = after.host.filter(|_| after.pages.len() < before.pages.len()) else { return Ok(()) };
    let kept: Vec<usize> = after.pages.iter().filter_map(|page| before.position(page.page)).collect();
    if kept.len() == after.pages.len() {
        let (at, hash) = tx.put_value(&host_message::with_pages(&tx.value(host.at)?, &kept))?;
        after.change().host = Some(HostFields { hash, at });
    }
    Ok(())
}
