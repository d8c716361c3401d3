//! Read-only views for clients: lists of stories, branches and floors, and one floor with its state and
//! trace.

use std::cmp::Reverse;

use storeyline_history::node::{ancestor, common_ancestor};
use storeyline_history::path_states::{StateTable, state_above, state_of_page, stored_state_above};
use storeyline_history::{Node, NodeKey, NodeTable, Role, StateKey, Trace, Turn, TurnPage};
use storeyline_state::{Change, PageId, RefId, StoryId, Value};
use storeyline_store::{self as store, Owner, StoreError, View};
use storeyline_wire::story::{Floors, Message, PageText, Path as Texts, StoryDetail, Turn as TurnTexts};
use storeyline_wire::view::{Changes, Floor, FloorLine, PageLine, Ref, Story};

use crate::branch::{self, find_any_ref, find_branch, find_story, length, node_at, turns_to};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};
use crate::operations::{current_ref, settings};
use crate::shown;
use crate::stories::is_trashed;
use crate::sync::node_name;

impl ReadEngine {
    /// Returns all stories that are not in the trash.
    pub fn stories(&self, owner: &Owner) -> Result<Vec<Story>> {
        self.story_lines(owner, false)
    }

    /// Returns the stories in the trash.
    pub fn trashed_stories(&self, owner: &Owner) -> Result<Vec<Story>> {
        self.story_lines(owner, true)
    }

    fn story_lines(&self, owner: &Owner, trashed: bool) -> Result<Vec<Story>> {
        self.read(owner, |tx| {
            let mut lines = Vec::new();
            for story in tx.stories()? {
                if is_trashed(tx, &story)? == trashed {
                    lines.push(story_line(tx, &story)?);
                }
            }
            lines.sort_by_key(|line| Reverse(line.refs.first().map_or(line.created, |first| first.updated)));
            Ok(lines)
        })
    }

    /// Returns a story with its branches and settings, in the trash or not.
    pub fn story(&self, owner: &Owner, story: StoryId) -> Result<StoryDetail> {
        self.read(owner, |tx| {
            let found = find_story(tx, story)?;
            Ok(StoryDetail {
                story: story_line(tx, &found)?,
                edit_policy: settings(tx, &found)?.edit_policy,
                current: current_ref(tx, &found)?,
                trashed: is_trashed(tx, &found)?,
            })
        })
    }

    /// Returns all branches and tags of a story, with those in the trash.
    pub fn ref_lines(&self, owner: &Owner, story: StoryId) -> Result<Vec<Ref>> {
        self.read(owner, |tx| {
            let story = find_story(tx, story)?;
            let current = current_ref(tx, &story)?;
            tx.refs(story.key)?.into_iter().map(|found| ref_line(tx, found, current)).collect()
        })
    }

    /// Returns the number of floors that two refs have in common.
    pub fn shared_floors(&self, owner: &Owner, story: StoryId, one: RefId, other: RefId) -> Result<usize> {
        self.read(owner, |tx| {
            let (one, other) = (find_any_ref(tx, story, one)?, find_any_ref(tx, story, other)?);
            shared_floors(tx, one.head, other.head)
        })
    }

    /// Returns the messages of a branch for a prompt, without hidden turns and turns that are not for
    /// models.
    pub fn messages_for_prompt(&self, owner: &Owner, story: StoryId, branch: RefId) -> Result<Vec<Message>> {
        self.read(owner, |tx| {
            let mut messages = Vec::new();
            for (floor, turn) in turns_to(tx, find_branch(tx, story, branch)?.head)?.iter().enumerate() {
                let page = turn.active_page();
                // A single page may be excluded although its turn is not.
                let role = tx.inputs(page.at)?.body.role;
                if !turn.hidden && role != Role::Other {
                    let text = tx.page_text(page.at)?;
                    let (page, role, name) = (page.page, shown::role(role), turn.name.clone());
                    messages.push(Message { floor, page, role, name, text });
                }
            }
            Ok(messages)
        })
    }

    /// Returns some floors of a branch, in order.
    pub fn floors(&self, owner: &Owner, story: StoryId, branch: RefId, from: usize, limit: usize) -> Result<Floors> {
        self.read(owner, |tx| {
            let branch = find_branch(tx, story, branch)?;
            let total = length(tx, branch.head)?;
            let Some(head) = branch.head.filter(|_| from < total) else {
                return Ok(Floors { total, floors: Vec::new() });
            };
            let last =
                ancestor(tx, head, total.min(from.saturating_add(limit)))?.expect("it is not deeper than the head");
            let floors = tx.path_below(last.key, from)?;
            let floors = floors.iter().map(|node| floor_line(tx, node)).collect::<Result<_>>()?;
            Ok(Floors { total, floors })
        })
    }

    /// Returns some turns of a ref, in the trash or not, with the texts of all their pages.
    pub fn turns(&self, owner: &Owner, story: StoryId, id: RefId, from: usize, limit: usize) -> Result<Texts> {
        self.read(owner, |tx| {
            let turns = turns_to(tx, find_any_ref(tx, story, id)?.head)?;
            let wanted = turns.iter().enumerate().skip(from).take(limit);
            let wanted = wanted.map(|(floor, turn)| turn_texts(tx, floor, turn)).collect::<Result<_>>()?;
            Ok(Texts { total: turns.len(), turns: wanted })
        })
    }

    /// Returns the pages of a branch whose ids begin with a text, with their floors; the last floor first. At most
    /// two, because more are as ambiguous.
    pub fn pages_beginning(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        text: &str,
    ) -> Result<Vec<(usize, PageId)>> {
        self.read(owner, |tx| {
            let turns = turns_to(tx, find_branch(tx, story, branch)?.head)?;
            let pages = turns.iter().enumerate().rev();
            let pages = pages.flat_map(|(floor, turn)| turn.pages.iter().map(move |page| (floor, page.page)));
            Ok(pages.filter(|(_, page)| page.to_string().starts_with(text)).take(2).collect())
        })
    }

    /// Returns the texts of the active pages.
    pub fn texts(&self, owner: &Owner, story: StoryId, branch: RefId) -> Result<Vec<String>> {
        self.read(owner, |tx| {
            let turns = turns_to(tx, find_branch(tx, story, branch)?.head)?;
            turns.iter().map(|turn| Ok(tx.page_text(turn.active_page().at)?)).collect()
        })
    }

    pub fn state_at(&self, owner: &Owner, story: StoryId, branch: RefId, floor: usize) -> Result<Value> {
        self.read(owner, |tx| Ok(tx.state(filled(&node_at(tx, &find_branch(tx, story, branch)?, floor)?)?)?))
    }

    /// Returns one floor with its active page, or with `page`, whose state is computed if needed.
    pub fn floor(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        floor: usize,
        page: Option<PageId>,
    ) -> Result<Floor> {
        self.try_out(owner, |tx| {
            let node = node_at(tx, &find_branch(tx, story, branch)?, floor)?;
            let turn = turn_of(tx, &node)?;
            let index = match page {
                Some(page) => turn.position(page).ok_or(EngineError::NoPage(page))?,
                None => turn.active,
            };
            if index == turn.active {
                return floor_view(tx, &node, index, filled(&node)?);
            }
            let above = state_above(tx, &tx.node(node.parent)?, &turn.pages[index])?;
            let (state, _) = state_of_page(tx, above, &turn.pages[index], floor)?;
            floor_view(tx, &node, index, state)
        })
    }
}

fn story_line(tx: &View<'_>, story: &store::Story) -> Result<Story> {
    let current = current_ref(tx, story)?;
    let refs = tx.refs(story.key)?.into_iter().filter(|found| found.trashed.is_none());
    let refs = refs.map(|found| ref_line(tx, found, current)).collect::<Result<_>>()?;
    Ok(Story {
        story: story.id,
        title: story.title.clone(),
        profile: tx.rules(story.rules)?.profile.as_str().to_owned(),
        card: story.card.clone(),
        created: story.created,
        refs,
    })
}

fn shared_floors(tx: &View<'_>, one: Option<NodeKey>, other: Option<NodeKey>) -> Result<usize> {
    let (Some(one), Some(other)) = (one, other) else { return Ok(0) };
    Ok(common_ancestor(tx, one, other)?.map_or(0, |shared| shared.depth))
}

fn ref_line(tx: &View<'_>, found: store::Ref, current: Option<RefId>) -> Result<Ref> {
    let origin = found.origin.map(|origin| tx.ref_by_key(origin)).transpose()?.flatten();
    let shared = origin.as_ref().map(|origin| shared_floors(tx, found.head, origin.head)).transpose()?;
    Ok(Ref {
        from: origin.map(|origin| origin.id),
        shared,
        id: found.id,
        kind: shown::ref_kind(found.kind),
        note: found.note,
        colour: found.colour,
        current: current == Some(found.id),
        floors: length(tx, found.head)?,
        head: node_name(tx, found.head)?,
        chat: found.host.as_ref().map(|host| host.chat),
        file: found.host.map(|host| host.file),
        operation: found.operation,
        updated: found.updated,
        trashed: found.trashed,
        name: found.name,
    })
}

fn turn_texts(tx: &View<'_>, floor: usize, turn: &Turn) -> Result<TurnTexts> {
    let text = |page: &TurnPage| Ok(PageText { page: page.page, text: tx.page_text(page.at)? });
    Ok(TurnTexts {
        floor,
        role: shown::role(turn.role),
        name: turn.name.clone(),
        hidden: turn.hidden,
        active: turn.active,
        pages: turn.pages.iter().map(text).collect::<Result<_>>()?,
    })
}

pub(crate) fn turn_of(tx: &View<'_>, node: &Node) -> Result<Turn> {
    Ok(tx.turn(node.turn.ok_or_else(|| StoreError::missing("turn of node", node.key.0))?)?)
}

/// The state of a node on a branch; it is filled whenever the branch moves.
pub(crate) fn filled(node: &Node) -> Result<StateKey> {
    Ok(node.state.ok_or_else(|| StoreError::missing("state of node", node.key.0))?)
}

/// The trace of the active page of a node.
pub(crate) fn trace_of(tx: &View<'_>, node: &Node) -> Result<Trace> {
    trace_between(tx, Some(branch::state_above(tx, node)?), node.state)
}

/// The trace of a state; empty if the page shares the state above it.
fn trace_between(tx: &View<'_>, parent: Option<StateKey>, own: Option<StateKey>) -> Result<Trace> {
    match own.filter(|own| Some(*own) != parent) {
        Some(own) => Ok(tx.trace(own)?),
        None => Ok(Trace::default()),
    }
}

pub(crate) fn floor_line(tx: &View<'_>, node: &Node) -> Result<FloorLine> {
    let turn = turn_of(tx, node)?;
    let page = turn.active_page();
    let body = tx.inputs(page.at)?.body;
    Ok(FloorLine {
        floor: node.depth - 1,
        page: page.page,
        role: shown::role(turn.role),
        time: body.time,
        hidden: turn.hidden,
        valid: is_valid(turn.role, body.role),
        preview: preview(&tx.page_text(page.at)?),
        pages: turn.pages.len(),
        active: turn.active,
        changes: changes(&trace_of(tx, node)?),
        overridden: !body.overrides.is_empty(),
        stale: body.kept.is_some(),
        name: turn.name,
    })
}

fn floor_view(tx: &View<'_>, node: &Node, index: usize, state: StateKey) -> Result<Floor> {
    let turn = turn_of(tx, node)?;
    let shown_page = turn.pages[index];
    let above = stored_state_above(tx, &tx.node(node.parent)?, &shown_page)?;
    let trace = trace_between(tx, above, Some(state))?;
    let line = |page: &TurnPage| Ok(PageLine { page: page.page, preview: preview(&tx.page_text(page.at)?) });
    let body = tx.inputs(shown_page.at)?.body;
    let text = tx.page_text(shown_page.at)?;
    Ok(Floor {
        floor: node.depth - 1,
        page: shown_page.page,
        role: shown::role(turn.role),
        time: body.time,
        hidden: turn.hidden,
        pages: turn.pages.iter().map(line).collect::<Result<_>>()?,
        active: turn.active,
        from: evaluated_above(tx, node)?,
        state: tx.state(state)?.into(),
        hash: tx.state_hash(state)?,
        calls: shown::calls(&trace, &text),
        diagnostics: shown::diagnostics(&trace.diagnostics, &text),
        overridden: !body.overrides.is_empty(),
        stale: body.kept.is_some(),
        name: turn.name,
        text,
    })
}

/// The next floor above that is evaluated.
fn evaluated_above(tx: &View<'_>, node: &Node) -> Result<Option<usize>> {
    let mut above = tx.node(node.parent)?;
    while above.depth > 0 {
        if matches!(turn_of(tx, &above)?.role, Role::Assistant | Role::Narrator) {
            return Ok(Some(above.depth - 1));
        }
        above = tx.node(above.parent)?;
    }
    Ok(None)
}

fn changes(trace: &Trace) -> Changes {
    let mut changes = Changes { failed: trace.failed(), ..Changes::default() };
    for op in trace.ops() {
        match op.change {
            Change::Set { .. } => changes.changed += 1,
            Change::Insert { .. } => changes.added += 1,
            Change::Remove { .. } => changes.removed += 1,
        }
    }
    changes
}

/// Tells whether a page is valid, from the role of its turn and its own.
pub(crate) fn is_valid(turn: Role, page: Role) -> bool {
    page != Role::Other || turn == Role::Other
}

/// The first 160 characters of a text, on one line.
pub(crate) fn preview(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(160).collect()
}
