//! The tree of a story for clients that draw it: chains of floors with their forks, floors with a mark, and the pages
//! beside the active ones. Only floors that are shown are read; a chain is found by climbing, not by listing it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use storeyline_history::node::{ancestor, common_ancestor};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Node, NodeKey, NodeTable};
use storeyline_state::{PageId, RefId, StoryId};
use storeyline_store::{self as store, Owner, Ref, RefKey, View};
use storeyline_wire::tree::{
    Chain, FloorPages, Graph, Mark, Marks, MarksQuery, PagePlaces, RefPlace, SiblingPage, Siblings,
};
use storeyline_wire::view::FloorLine;

use crate::branch::{find_branch, find_story, length, state_above};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};
use crate::search::places_of;
use crate::value_history::TracedPath;
use crate::view::{floor_line, is_valid, preview, turn_of};

/// Maximum number of chains in an answer.
const MAX_CHAINS: usize = 500;
/// Floors that are shown on each side of one with a fork or a ref.
const NEIGHBOURS: usize = 2;
/// A gap of so many floors is not left out.
const SMALL_GAP: usize = 1;
/// Maximum number of marks in an answer.
const MAX_MARKS: usize = 2_000;
/// Floors that are examined between two looks at the clock.
const STEP: usize = 256;

/// What is searched for on the floors of all branches.
struct MarkSearch {
    failed: bool,
    overridden: bool,
    path: Option<TracedPath>,
}

/// A chain while the tree is being built.
struct Line {
    parent: Option<usize>,
    /// Depth of the last node of the parent that it shares.
    fork: usize,
    head: NodeKey,
    depth: usize,
    of: RefId,
}

struct Tree {
    lines: Vec<Line>,
    refs: Vec<RefPlace>,
    left_out: usize,
}

impl ReadEngine {
    /// Returns the tree of a story. Refs in the trash are left out.
    pub fn graph(&self, owner: &Owner, story: StoryId) -> Result<Graph> {
        self.read(owner, |tx| {
            let tree = tree(tx, &find_story(tx, story)?)?;
            let mut chains = Vec::with_capacity(tree.lines.len());
            for (index, line) in tree.lines.iter().enumerate() {
                let floors = shown_floors(&tree, index);
                chains.push(Chain {
                    parent: line.parent,
                    from: line.fork,
                    to: line.depth - 1,
                    branch: line.of,
                    lines: lines(tx, line.head, &floors)?,
                });
            }
            Ok(Graph { chains, refs: tree.refs, left_out: tree.left_out })
        })
    }

    /// Returns the floors of all branches that fulfil a condition, until `stop` holds.
    pub fn marks(&self, owner: &Owner, story: StoryId, query: &MarksQuery, stop: &dyn Fn() -> bool) -> Result<Marks> {
        let path = query.path.as_deref().map(TracedPath::read).transpose()?;
        let search = MarkSearch { failed: query.failed, overridden: query.overridden, path };
        self.read(owner, |tx| {
            let tree = tree(tx, &find_story(tx, story)?)?;
            let mut marks = Vec::new();
            for line in &tree.lines {
                for nodes in tx.path_below(line.head, line.fork)?.chunks(STEP) {
                    if stop() {
                        return Ok(Marks { marks, more: true });
                    }
                    for node in nodes {
                        if !is_marked(tx, node, &search)? {
                            continue;
                        }
                        if marks.len() == MAX_MARKS {
                            return Ok(Marks { marks, more: true });
                        }
                        marks.push(Mark { branch: line.of, floor: node.depth - 1 });
                    }
                }
            }
            Ok(Marks { marks, more: tree.left_out > 0 })
        })
    }

    /// Returns the pages of those floors of a range that have several.
    pub fn siblings(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        from: usize,
        limit: usize,
    ) -> Result<Siblings> {
        self.read(owner, |tx| {
            let branch = find_branch(tx, story, branch)?;
            let total = length(tx, branch.head)?;
            let Some(head) = branch.head.filter(|_| from < total) else { return Ok(Siblings { floors: Vec::new() }) };
            let forks = forks_from(tx, story, &branch, head)?;
            let last = ancestor(tx, head, total.min(from.saturating_add(limit)))?.ok_or(EngineError::EmptyPath)?;
            let mut floors = Vec::new();
            for node in tx.path_below(last.key, from)? {
                floors.extend(floor_pages(tx, &branch, &node, &forks)?);
            }
            Ok(Siblings { floors })
        })
    }

    /// Returns where a page is, on all refs of a story.
    pub fn places_of_page(&self, owner: &Owner, story: StoryId, page: PageId) -> Result<PagePlaces> {
        self.read(owner, |tx| {
            let places = places_of(tx, find_story(tx, story)?.key, page)?;
            Ok(PagePlaces { page, places })
        })
    }
}

/// Builds the chains: the path of the current branch, then what each other ref has beyond the chains before it.
fn tree(tx: &View<'_>, story: &store::Story) -> Result<Tree> {
    let mut refs: Vec<(Ref, Node)> = Vec::new();
    let all = tx.refs(story.key)?;
    let mut keys: Vec<RefKey> = all.iter().map(|found| found.key).collect();
    keys.sort_unstable();
    for found in all {
        if let Some(head) = found.head.filter(|_| found.trashed.is_none()) {
            let node = tx.node(head)?;
            refs.push((found, node));
        }
    }
    // The last changed survive the limit. Then they stand in the order in which they were made, branches before tags,
    // so that a chain keeps its place while the branches grow.
    refs.sort_by_key(|(found, _)| (story.current != Some(found.key), Reverse(found.updated)));
    let left_out = refs.len().saturating_sub(MAX_CHAINS);
    refs.truncate(MAX_CHAINS);
    refs.sort_by_key(|(found, _)| (story.current != Some(found.key), found.kind == store::RefKind::Tag, found.key));
    let mut tree = Tree { lines: Vec::new(), refs: Vec::new(), left_out };
    let mut children: HashMap<NodeKey, usize> = HashMap::new();
    for (found, head) in refs {
        let chain = add(tx, &mut tree.lines, &mut children, found.id, &head)?;
        let made = keys.binary_search(&found.key).unwrap_or_default();
        tree.refs.push(RefPlace { branch: found.id, chain, floor: head.depth - 1, made });
    }
    Ok(tree)
}

/// Adds the path to a node; returns the chain that it ends on. `children` has the chains by their first nodes.
fn add(
    tx: &View<'_>,
    lines: &mut Vec<Line>,
    children: &mut HashMap<NodeKey, usize>,
    of: RefId,
    head: &Node,
) -> Result<usize> {
    let mut at: Option<usize> = None;
    loop {
        let fork = match at.map(|at| lines[at].head) {
            Some(other) => common_ancestor(tx, head.key, other)?.map_or(0, |shared| shared.depth),
            None => 0,
        };
        if let Some(at) = at.filter(|_| fork == head.depth) {
            return Ok(at);
        }
        let first = tx.ancestor_at(head.clone(), fork + 1)?.key;
        if let Some(next) = children.get(&first) {
            at = Some(*next);
            continue;
        }
        children.insert(first, lines.len());
        // What two paths share from the beginning belongs to no chain if they have no floor in common.
        let parent = at.filter(|_| fork > 0);
        lines.push(Line { parent, fork, head: head.key, depth: head.depth, of });
        return Ok(lines.len() - 1);
    }
}

/// The floors of a chain that are shown, in order.
fn shown_floors(tree: &Tree, index: usize) -> Vec<usize> {
    let Line { fork, depth, .. } = tree.lines[index];
    let mut points = BTreeSet::from([fork, depth - 1]);
    let forks = tree.lines.iter().filter(|line| line.parent == Some(index)).map(|line| line.fork - 1);
    let ends = tree.refs.iter().filter(|place| place.chain == index).map(|place| place.floor);
    points.extend(forks.chain(ends).filter(|floor| *floor >= fork));
    let mut shown = BTreeSet::new();
    for point in points {
        let (first, last) = (point.saturating_sub(NEIGHBOURS).max(fork), (point + NEIGHBOURS).min(depth - 1));
        shown.extend(first..=last);
    }
    let mut floors: Vec<usize> = Vec::with_capacity(shown.len());
    for floor in shown {
        if let Some(last) = floors.last().copied().filter(|last| floor - last <= SMALL_GAP + 1) {
            floors.extend(last + 1..floor);
        }
        floors.push(floor);
    }
    floors
}

/// The lines of some floors on the path to a node; floors after one another are read together.
fn lines(tx: &View<'_>, head: NodeKey, floors: &[usize]) -> Result<Vec<FloorLine>> {
    let mut lines = Vec::with_capacity(floors.len());
    for stretch in floors.chunk_by(|one, next| one + 1 == *next) {
        let (first, last) = (stretch[0], stretch[stretch.len() - 1]);
        let last = ancestor(tx, head, last + 1)?.ok_or(EngineError::EmptyPath)?;
        for node in tx.path_below(last.key, first)? {
            lines.push(floor_line(tx, &node)?);
        }
    }
    Ok(lines)
}

fn is_marked(tx: &View<'_>, node: &Node, search: &MarkSearch) -> Result<bool> {
    if search.overridden {
        let page = *turn_of(tx, node)?.active_page();
        if !tx.inputs(page.at)?.body.overrides.is_empty() {
            return Ok(true);
        }
    }
    if search.failed
        && let Some(own) = node.state
        && own != state_above(tx, node)?
        && tx.trace(own)?.failed() > 0
    {
        return Ok(true);
    }
    search.path.as_ref().map_or(Ok(false), |path| path.is_changed_by(tx, node))
}

/// The other branches of a story that leave a branch, by the floor at which they do, with the page they read there.
fn forks_from(
    tx: &View<'_>,
    story: StoryId,
    branch: &Ref,
    head: NodeKey,
) -> Result<HashMap<usize, Vec<(RefId, PageId)>>> {
    let mut forks: HashMap<usize, Vec<(RefId, PageId)>> = HashMap::new();
    let others = tx.refs(find_story(tx, story)?.key)?.into_iter();
    let others = others.filter(|other| other.key != branch.key && other.trashed.is_none());
    for other in others.filter(|other| other.kind == store::RefKind::Branch) {
        let Some(end) = other.head else { continue };
        let shared = common_ancestor(tx, head, end)?.map_or(0, |shared| shared.depth);
        if let Some(node) = ancestor(tx, end, shared + 1)? {
            forks.entry(shared).or_default().push((other.id, turn_of(tx, &node)?.active_page().page));
        }
    }
    Ok(forks)
}

fn floor_pages(
    tx: &View<'_>,
    branch: &Ref,
    node: &Node,
    forks: &HashMap<usize, Vec<(RefId, PageId)>>,
) -> Result<Option<FloorPages>> {
    let turn = turn_of(tx, node)?;
    if turn.pages.len() < 2 {
        return Ok(None);
    }
    let floor = node.depth - 1;
    let there = forks.get(&floor).map_or(&[][..], Vec::as_slice);
    let mut pages = Vec::with_capacity(turn.pages.len());
    for (index, page) in turn.pages.iter().enumerate() {
        let cursor = tx.cursor(branch.key, page.page)?.filter(|_| index != turn.active);
        let leaf = cursor.map(|leaf| tx.node(leaf)).transpose()?;
        let body = tx.inputs(page.at)?.body;
        pages.push(SiblingPage {
            page: page.page,
            preview: preview(&tx.page_text(page.at)?),
            valid: is_valid(turn.role, body.role),
            continues: leaf.map(|leaf| leaf.depth.saturating_sub(floor + 1)),
            branches: there.iter().filter(|(_, read)| *read == page.page).map(|(id, _)| *id).collect(),
        });
    }
    Ok(Some(FloorPages { floor, pages }))
}
