//! Finds which floor last set the value at each of some paths, by walking up from a floor. Opening a
//! floor does not need it.

use storeyline_history::{Node, NodeTable, StateKey};
use storeyline_state::{Change, Op, RefId, Step, StoryId};
use storeyline_store::{Owner, View};
use storeyline_wire::trails::Causes;

use crate::branch::{find_branch, node_at, state_above};
use crate::engine::ReadEngine;
use crate::error::EngineError;

/// How many floors one request searches. The answer says how far the search got.
pub const MAX_FLOORS_SEARCHED: usize = 2_000;

/// With at most this many paths the path filter of a floor is queried for each; with more, reading its
/// trace takes fewer lookups.
const FEW_PATHS: usize = 4;

impl ReadEngine {
    /// Returns which floor last set each path, up to and including `floor`.
    pub fn causes(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        floor: usize,
        paths: &[Vec<Step>],
    ) -> Result<Causes, EngineError> {
        self.read(owner, |tx| {
            let mut node = node_at(tx, &find_branch(tx, story, branch)?, floor)?;
            let mut search = Search::new(paths);
            let last = (floor + 1).saturating_sub(MAX_FLOORS_SEARCHED);
            loop {
                let floor = node.depth - 1;
                search.record_floor(tx, &node)?;
                if search.pending.is_empty() || floor == last {
                    return Ok(Causes { floors: search.floors, searched_from: floor });
                }
                node = tx.node(node.parent)?;
            }
        })
    }
}

struct Search<'a> {
    paths: &'a [Vec<Step>],
    floors: Vec<Option<usize>>,
    /// Indices of paths without a floor yet.
    pending: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(paths: &'a [Vec<Step>]) -> Self {
        Search { paths, floors: vec![None; paths.len()], pending: (0..paths.len()).collect() }
    }

    /// Records which pending paths a floor set.
    fn record_floor(&mut self, tx: &View<'_>, node: &Node) -> Result<(), EngineError> {
        let Some(own) = node.state else { return Ok(()) };
        if own == state_above(tx, node)? || !self.may_set(tx, own)? {
            return Ok(());
        }
        let trace = tx.trace(own)?;
        self.pending.retain(|&index| {
            let is_set = trace.ops().any(|op| sets(op, &self.paths[index]));
            self.floors[index] = is_set.then_some(node.depth - 1);
            !is_set
        });
        Ok(())
    }

    fn may_set(&self, tx: &View<'_>, own: StateKey) -> Result<bool, EngineError> {
        if self.pending.len() > FEW_PATHS {
            return Ok(true);
        }
        for &index in &self.pending {
            if tx.may_change(own, &self.paths[index])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tells whether an op set a path: the path itself, something above it or inside it. Removing an item
/// of a list moves the others, so it sets the whole list.
fn sets(op: &Op, path: &[Step]) -> bool {
    let moved = matches!((&op.change, op.path.last()), (Change::Remove { .. }, Some(Step::Index(_))));
    let set = &op.path[..op.path.len() - usize::from(moved)];
    let shared = set.len().min(path.len());
    set[..shared] == path[..shared]
}
