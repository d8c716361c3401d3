//! Read-only views for clients: lists of stories, branches and floors, and one floor with its state and
//! trace.

use storeyline_history::node::{ancestor, common_ancestor};
use storeyline_history::path_states::{StateTable, state_above, state_of_page, stored_state_above};
use storeyline_history::{Node, NodeTable, Role, StateKey, Trace, Turn, TurnPage};
use storeyline_state::{Change, NodeId, PageId, RefId, StateHash, StoryId, Value};
use storeyline_store::{Owner, Ref, StoreError, Story, View};

use crate::branch::{self, find_any_ref, find_branch, find_story, length, node_at, turns_to};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};
use crate::stories::is_trashed;
use crate::sync::node_name;

/// A story and its branches.
#[derive(Debug, Clone)]
pub struct StoryLine {
    pub story: Story,
    pub profile: &'static str,
    /// Last changed first; without those in the trash.
    pub refs: Vec<RefLine>,
}

/// A branch or tag, with its length.
#[derive(Debug, Clone)]
pub struct RefLine {
    pub branch: Ref,
    /// The node of its head.
    pub node: Option<NodeId>,
    /// Number of floors.
    pub floors: usize,
}

/// Numbers of changes that a page made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub changed: usize,
    pub added: usize,
    pub removed: usize,
    /// Number of calls that failed.
    pub failed: usize,
}

/// One floor in a list.
#[derive(Debug, Clone)]
pub struct FloorLine {
    pub floor: usize,
    pub turn: Turn,
    /// When the page was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// Beginning of the text, on one line.
    pub preview: String,
    pub changes: Changes,
    /// Whether the page has overrides.
    pub overridden: bool,
    /// Whether the page keeps a state from before a change further up.
    pub stale: bool,
}

/// A message for the prompt of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptMessage {
    pub floor: usize,
    /// The active page.
    pub page: PageId,
    pub role: Role,
    pub name: String,
    pub text: String,
}

/// One page in the list of a floor's pages.
#[derive(Debug, Clone)]
pub struct PageLine {
    pub page: PageId,
    /// Beginning of the text, on one line.
    pub preview: String,
}

/// A floor, with the text, state and trace of one of its pages.
#[derive(Debug, Clone)]
pub struct FloorView {
    pub floor: usize,
    /// The page that is shown.
    pub page: PageId,
    pub turn: Turn,
    /// When the page was written, in milliseconds since 1970.
    pub time: Option<i64>,
    pub text: String,
    /// All pages of the floor.
    pub pages: Vec<PageLine>,
    /// The floor whose state it builds on; `None` for the first state.
    pub from: Option<usize>,
    pub state: Value,
    pub hash: StateHash,
    pub trace: Trace,
    /// Whether the page has overrides.
    pub overridden: bool,
    /// Whether the page keeps a state from before a change further up.
    pub stale: bool,
}

impl ReadEngine {
    /// Returns all stories that are not in the trash.
    pub fn stories(&self, owner: &Owner) -> Result<Vec<StoryLine>> {
        self.story_lines(owner, false)
    }

    /// Returns the stories in the trash.
    pub fn trashed_stories(&self, owner: &Owner) -> Result<Vec<StoryLine>> {
        self.story_lines(owner, true)
    }

    fn story_lines(&self, owner: &Owner, trashed: bool) -> Result<Vec<StoryLine>> {
        self.read(owner, |tx| {
            let mut lines = Vec::new();
            for story in tx.stories()? {
                if is_trashed(tx, &story)? == trashed {
                    lines.push(story_line(tx, story)?);
                }
            }
            lines.sort_by_key(|line| {
                std::cmp::Reverse(line.refs.first().map_or(line.story.created, |first| first.branch.updated))
            });
            Ok(lines)
        })
    }

    /// Returns a story with its branches, in the trash or not.
    pub fn story(&self, owner: &Owner, story: StoryId) -> Result<StoryLine> {
        self.read(owner, |tx| story_line(tx, find_story(tx, story)?))
    }

    pub fn is_trashed(&self, owner: &Owner, story: StoryId) -> Result<bool> {
        self.read(owner, |tx| is_trashed(tx, &find_story(tx, story)?))
    }

    /// Returns all branches and tags of a story, with those in the trash.
    pub fn ref_lines(&self, owner: &Owner, story: StoryId) -> Result<Vec<RefLine>> {
        self.read(owner, |tx| {
            let refs = tx.refs(find_story(tx, story)?.key)?;
            refs.into_iter().map(|found| ref_line(tx, found)).collect()
        })
    }

    /// Returns how many floors two refs of a story share.
    pub fn shared_floors(&self, owner: &Owner, story: StoryId, one: RefId, other: RefId) -> Result<usize> {
        self.read(owner, |tx| {
            let (one, other) = (find_any_ref(tx, story, one)?, find_any_ref(tx, story, other)?);
            let (Some(one), Some(other)) = (one.head, other.head) else { return Ok(0) };
            Ok(common_ancestor(tx, one, other)?.map_or(0, |shared| shared.depth))
        })
    }

    /// Returns the messages of a branch for a prompt, without hidden turns and turns that are not for
    /// models.
    pub fn messages_for_prompt(&self, owner: &Owner, story: StoryId, branch: RefId) -> Result<Vec<PromptMessage>> {
        self.read(owner, |tx| {
            let mut messages = Vec::new();
            for (floor, turn) in turns_to(tx, find_branch(tx, story, branch)?.head)?.iter().enumerate() {
                let page = turn.active_page();
                // A single page may be excluded although its turn is not.
                let role = tx.inputs(page.at)?.body.role;
                if !turn.hidden && role != Role::Other {
                    let text = tx.page_text(page.at)?;
                    messages.push(PromptMessage { floor, page: page.page, role, name: turn.name.clone(), text });
                }
            }
            Ok(messages)
        })
    }

    /// Returns the number of floors of a branch, and some of them in order.
    pub fn floors(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        from: usize,
        limit: usize,
    ) -> Result<(usize, Vec<FloorLine>)> {
        self.read(owner, |tx| {
            let branch = find_branch(tx, story, branch)?;
            let total = length(tx, branch.head)?;
            let Some(head) = branch.head.filter(|_| from < total) else {
                return Ok((total, Vec::new()));
            };
            let last =
                ancestor(tx, head, total.min(from.saturating_add(limit)))?.expect("it is not deeper than the head");
            let lines =
                tx.path_below(last.key, from)?.iter().map(|node| floor_line(tx, node)).collect::<Result<_, _>>()?;
            Ok((total, lines))
        })
    }

    /// Returns the turns of a ref, in the trash or not, with the texts of all their pages.
    pub fn turns(&self, owner: &Owner, story: StoryId, id: RefId) -> Result<Vec<(Turn, Vec<String>)>> {
        self.read(owner, |tx| {
            let texts = |turn: &Turn| -> Result<Vec<String>> {
                turn.pages.iter().map(|page| Ok(tx.page_text(page.at)?)).collect()
            };
            let turns = turns_to(tx, find_any_ref(tx, story, id)?.head)?;
            turns.iter().map(|turn| Ok(((**turn).clone(), texts(turn)?))).collect()
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
    ) -> Result<FloorView> {
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

fn story_line(tx: &View<'_>, story: Story) -> Result<StoryLine> {
    let profile = tx.rules(story.rules)?.profile.as_str();
    let refs = tx.refs(story.key)?.into_iter().filter(|found| found.trashed.is_none());
    let refs = refs.map(|found| ref_line(tx, found)).collect::<Result<_>>()?;
    Ok(StoryLine { story, profile, refs })
}

fn ref_line(tx: &View<'_>, branch: Ref) -> Result<RefLine> {
    Ok(RefLine { floors: length(tx, branch.head)?, node: node_name(tx, branch.head)?, branch })
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

fn floor_line(tx: &View<'_>, node: &Node) -> Result<FloorLine> {
    let turn = turn_of(tx, node)?;
    let page = turn.active_page().at;
    let preview = preview(&tx.page_text(page)?);
    let changes = changes(&trace_of(tx, node)?);
    let body = tx.inputs(page)?.body;
    let (overridden, stale) = (!body.overrides.is_empty(), body.kept.is_some());
    Ok(FloorLine { floor: node.depth - 1, time: body.time, preview, changes, overridden, stale, turn })
}

fn floor_view(tx: &View<'_>, node: &Node, index: usize, state: StateKey) -> Result<FloorView> {
    let turn = turn_of(tx, node)?;
    let looked_at = turn.pages[index];
    let above = stored_state_above(tx, &tx.node(node.parent)?, &looked_at)?;
    let trace = trace_between(tx, above, Some(state))?;
    let line = |page: &TurnPage| Ok(PageLine { page: page.page, preview: preview(&tx.page_text(page.at)?) });
    let pages = turn.pages.iter().map(line).collect::<Result<_>>()?;
    let body = tx.inputs(looked_at.at)?.body;
    Ok(FloorView {
        floor: node.depth - 1,
        page: looked_at.page,
        time: body.time,
        text: tx.page_text(looked_at.at)?,
        pages,
        from: evaluated_above(tx, node)?,
        state: tx.state(state)?,
        hash: tx.state_hash(state)?,
        trace,
        overridden: !body.overrides.is_empty(),
        stale: body.kept.is_some(),
        turn,
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

/// The first 160 characters of a text, on one line.
fn preview(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(160).collect()
}
