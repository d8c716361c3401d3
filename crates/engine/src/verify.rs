//! Verifies everything that is stored: rows against each other, and every state against what its page gives; what can
//! be computed can be repaired.
//!
//! It reads snapshots and writes in short steps, so that others go on meanwhile.

use std::collections::{HashMap, HashSet};

use storeyline_history::evaluate::counts;
use storeyline_history::path_states::{Inputs, MemoKey, StateTable, keep};
use storeyline_history::{
    Evaluation, Node, NodeKey, NodeTable, Page, PageKey, PagePosition, StateKey, Trace, Turn, TurnPage, evaluate,
};
use storeyline_state::{Value, text};
use storeyline_store::{DiskTrouble, Owner, RowProblem, Store, StoreError, View};
use storeyline_wire::care::{Problem, Verified};

use crate::engine::{Engine, ReadEngine};
use crate::error::Result;
use crate::workers::LeasedScripts;

impl ReadEngine {
    /// Checks every row, computes every state again and compares. `progress` is called with the number of checked
    /// floors.
    pub fn verify(&self, owner: &Owner, mut progress: impl FnMut(usize)) -> Result<Verified> {
        self.check_everything(owner, false, &mut progress)
    }

    fn check_everything(&self, owner: &Owner, repair: bool, progress: &mut dyn FnMut(usize)) -> Result<Verified> {
        let store = self.store();
        let (view, scripts) = (store.view_past_cache(owner), self.scripts(owner));
        let verified = Verified::default();
        let (unsound, seen, confirmed) = (HashSet::new(), HashSet::new(), HashSet::new());
        let (corrected, last, written) = (HashMap::new(), None, 0);
        let mut check = Check {
            store,
            owner,
            view,
            repair,
            verified,
            unsound,
            wrong_pages: HashSet::new(),
            seen,
            confirmed,
            corrected,
            last,
            written,
            scripts,
            progress,
        };
        let done = check.rows().and_then(|()| check.everything()).and_then(|()| check.rows_again());
        if let Err(error) = done {
            let what = damage(error)?;
            check.report("", 0, what, false);
        }
        // The integrity check may need the only connection, so the view is dropped first.
        let Check { view, mut verified, .. } = check;
        drop(view);
        for trouble in store.integrity()? {
            verified.problems.push(Problem { branch: String::new(), floor: 0, what: trouble, repaired: false });
        }
        Ok(verified)
    }
}

impl Engine {
    /// Does the same, and writes what can be computed over what is wrong.
    pub fn repair(&self, owner: &Owner, mut progress: impl FnMut(usize)) -> Result<Verified> {
        self.check_everything(owner, true, &mut progress)
    }
}

struct Check<'a> {
    store: &'a Store,
    owner: &'a Owner,
    view: View<'a>,
    repair: bool,
    verified: Verified,
    /// States that are not what their rows say.
    unsound: HashSet<StateKey>,
    /// Versions of pages from which nothing is computed.
    wrong_pages: HashSet<PageKey>,
    seen: HashSet<NodeKey>,
    /// States that are right for a node.
    confirmed: HashSet<StateKey>,
    /// The states that nodes should have, where they have others.
    corrected: HashMap<NodeKey, StateKey>,
    /// The state of the node that was checked last: most often the next one stands on it.
    last: Option<(StateKey, Value)>,
    /// How many states and nodes were written.
    written: usize,
    scripts: LeasedScripts<'a>,
    progress: &'a mut dyn FnMut(usize),
}

/// A page to be evaluated, and what it stands on.
struct Standing<'a> {
    node: &'a Node,
    page: &'a TurnPage,
    inputs: Inputs,
    above: StateKey,
    before: Value,
}

impl Check<'_> {
    fn rows(&mut self) -> Result<(), StoreError> {
        let checked =
            if self.repair { self.store.repair_rows(self.owner)? } else { self.store.check_rows(self.owner)? };
        (self.unsound, self.wrong_pages) = (checked.unsound, checked.wrong_pages);
        checked.problems.into_iter().for_each(|problem| self.report_row(problem));
        Ok(())
    }

    /// A repaired state may change what follows from it in other rows.
    fn rows_again(&mut self) -> Result<(), StoreError> {
        if self.written == 0 {
            return Ok(());
        }
        self.view = self.store.view_past_cache(self.owner);
        let checked = self.store.repair_rows(self.owner)?;
        let left = |what: &str| checked.problems.iter().any(|problem| !problem.repaired && row_words(problem) == what);
        for problem in self.verified.problems.iter_mut().filter(|problem| problem.branch.is_empty()) {
            problem.repaired = problem.repaired || !left(&problem.what);
        }
        let known: HashSet<String> = self.verified.problems.iter().map(|problem| problem.what.clone()).collect();
        let new = checked.problems.into_iter().filter(|problem| !problem.repaired);
        new.filter(|problem| !known.contains(&row_words(problem))).for_each(|problem| self.report_row(problem));
        Ok(())
    }

    fn report_row(&mut self, problem: RowProblem) {
        let repaired = problem.repaired;
        self.report("", 0, row_words(&problem), repaired);
    }

    fn everything(&mut self) -> Result<(), StoreError> {
        for story in self.view.stories()? {
            // Each story is read in a snapshot of its own.
            self.view = self.store.view_past_cache(self.owner);
            self.verified.stories += 1;
            self.seen.insert(story.root);
            let refs = self.view.refs(story.key);
            for found in self.readable(refs, &story.title, 0)?.unwrap_or_default() {
                self.verified.branches += 1;
                if let Some(head) = found.head {
                    self.path(head, Some(&found.name))?;
                }
            }
        }
        self.view = self.store.view_past_cache(self.owner);
        // What only the log leads to.
        self.view.node_keys()?.into_iter().try_for_each(|node| self.path(node, None))
    }

    /// Checks the nodes on the path to a head that were not checked on another path.
    fn path(&mut self, head: NodeKey, branch: Option<&str>) -> Result<(), StoreError> {
        let name = branch.unwrap_or_default();
        let mut new: Vec<Node> = Vec::new();
        let mut key = head;
        // Marked on the way up, so that it ends in a ring too.
        while self.seen.insert(key) {
            let node = self.view.node(key);
            // The floors below a node that cannot be read cannot be checked.
            let Some(node) = self.readable(node, name, 0)? else { return Ok(()) };
            if node.depth == 0 {
                break;
            }
            key = node.parent;
            new.push(node);
        }
        for node in new.into_iter().rev() {
            self.node(&node, branch)?;
            if branch.is_some() {
                self.verified.floors += 1;
                (self.progress)(self.verified.floors);
            }
        }
        Ok(())
    }

    fn report(&mut self, branch: &str, floor: usize, what: impl Into<String>, repaired: bool) {
        self.verified.problems.push(Problem { branch: branch.to_owned(), floor, what: what.into(), repaired });
    }

    /// Returns what was read; damage is reported as a problem.
    fn readable<T>(
        &mut self,
        read: Result<T, StoreError>,
        branch: &str,
        floor: usize,
    ) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) => {
                self.report(branch, floor, damage(error)?, false);
                Ok(None)
            }
        }
    }

    fn node(&mut self, node: &Node, branch: Option<&str>) -> Result<(), StoreError> {
        let (floor, name) = (node.depth - 1, branch.unwrap_or_default());
        let parent = self.view.node(node.parent);
        let Some(parent) = self.readable(parent, name, floor)? else { return Ok(()) };
        let turn = node.turn.map(|turn| self.view.turn(turn)).transpose();
        let Some(Some(turn)) = self.readable(turn, name, floor)? else { return Ok(()) };
        if !self.pages(&turn, name, floor)? {
            return Ok(());
        }
        // A change that was interrupted leaves nodes without states, which no branch has.
        if node.state.is_none() && branch.is_none() {
            return Ok(());
        }
        let page = turn.active_page();
        match self.standing(node, &parent, page, name) {
            Ok(Some(standing)) => self.state(standing, name),
            Ok(None) => Ok(()),
            Err(error) => {
                self.report(name, floor, damage(error)?, false);
                Ok(())
            }
        }
    }

    /// Checks the pages of a turn; tells whether the active one is right.
    fn pages(&mut self, turn: &Turn, branch: &str, floor: usize) -> Result<bool, StoreError> {
        let mut is_right = true;
        for page in &turn.pages {
            let what = match (self.view.page_text(page.at), self.view.inputs(page.at)) {
                (Ok(words), _) if text::hash(&words) != page.text => "the text is not the one that was stored".into(),
                (Ok(_), Ok(inputs)) if inputs.body.hash() != page.body => {
                    "the inputs are not the ones that were stored".into()
                }
                // It was reported at its row.
                (Ok(_), Ok(_)) => {
                    is_right =
                        is_right && !(page.page == turn.active_page().page && self.wrong_pages.contains(&page.at));
                    continue;
                }
                (Err(error), _) | (_, Err(error)) => damage(error)?,
            };
            is_right = is_right && page.page != turn.active_page().page;
            self.report(branch, floor, format!("page {}: {what}", page.page), false);
        }
        Ok(is_right)
    }

    /// Returns what a page stands on; nothing if that is not right, which was reported at its own floor.
    fn standing<'a>(
        &mut self,
        node: &'a Node,
        parent: &Node,
        page: &'a TurnPage,
        branch: &str,
    ) -> Result<Option<Standing<'a>>, StoreError> {
        let inputs = self.view.inputs(page.at)?;
        let above = match parent.depth {
            0 => Some(self.first_state(&inputs, branch)?).flatten(),
            _ => self.corrected.get(&parent.key).copied().or(parent.state),
        };
        let above = above.filter(|state| !self.unsound.contains(state));
        let Some(above) = above else { return Ok(None) };
        let before = match &self.last {
            Some((state, value)) if *state == above => value.clone(),
            _ => match self.view.rebuild(above) {
                Ok(before) => before,
                // It was reported at its own row.
                Err(error) => return damage(error).map(|_| None),
            },
        };
        Ok(Some(Standing { node, page, inputs, above, before }))
    }

    /// Returns the first state of rules, written again if it is wrong.
    fn first_state(&mut self, inputs: &Inputs, branch: &str) -> Result<Option<StateKey>, StoreError> {
        let memo = MemoKey::first_state(inputs.body.rules);
        let stored = self.view.memo(memo)?;
        let is_right = |state: StateKey| {
            !self.unsound.contains(&state)
                && self.view.rebuild(state).is_ok_and(|state| state == inputs.rules.first_state)
        };
        if stored.is_some_and(is_right) {
            return Ok(stored);
        }
        self.report(branch, 0, "the first state is not the one in the rules", self.repair);
        if !self.repair {
            return Ok(None);
        }
        let whole = Evaluation { state: inputs.rules.first_state.clone(), trace: Trace::default() };
        self.write(stored, Some(memo), None, &whole).map(Some)
    }

    fn state(&mut self, standing: Standing<'_>, branch: &str) -> Result<(), StoreError> {
        let Standing { node, page, inputs, above, before } = standing;
        let floor = node.depth - 1;
        if !counts(&inputs.body, &inputs.rules) {
            self.last = Some((above, before));
            return self.point(node, above, branch, "the page gives the state above it");
        }
        let position = PagePosition { round: floor as i64, page: Some(page.page) };
        let under = before.hash();
        let memo = match inputs.rules.use_position() {
            true => MemoKey::placed(under, page.body, position),
            false => MemoKey::new(under, page.body),
        };
        let evaluation = if inputs.body.kept.is_some() {
            self.verified.stale += usize::from(!branch.is_empty());
            let Some(kept) = self.kept_state(node, page, &inputs, branch)? else { return Ok(()) };
            keep(&before, kept)
        } else {
            let words = self.view.page_text(page.at)?;
            let given = Page { body: &inputs.body, text: &words, rules: &inputs.rules, position };
            match evaluate(&before, &given, &mut self.scripts) {
                Ok(evaluation) => evaluation,
                Err(error) => {
                    let what = format!("the page could not be evaluated now: {}", StoreError::from(error));
                    self.report(branch, floor, what, false);
                    return Ok(());
                }
            }
        };
        let (key, found) = self.right_state(node, memo, above, &evaluation)?;
        if let Some(what) = found {
            let what = format!("{what} (node {}, state {})", node.key.0, key.or(node.state).map_or(0, |key| key.0));
            self.report(branch, floor, what, self.repair);
            if !self.repair {
                return Ok(());
            }
        }
        let key = match (found, key) {
            (None, Some(key)) => key,
            (_, key) => self.write(key, Some(memo), Some(above), &evaluation)?,
        };
        self.last = Some((key, evaluation.state));
        self.confirmed.insert(key);
        self.point(node, key, branch, "the floor has the state of another")
    }

    /// Returns the state that a floor should have, and what is wrong with it; no state if none is stored.
    fn right_state(
        &self,
        node: &Node,
        memo: MemoKey,
        above: StateKey,
        computed: &Evaluation,
    ) -> Result<(Option<StateKey>, Option<&'static str>), StoreError> {
        let stored = self.view.memos(memo)?;
        let own = node.state.filter(|own| stored.contains(own));
        let others = stored.iter().copied().filter(|state| Some(*state) != own);
        let mut first = None;
        for state in own.into_iter().chain(others) {
            let wrong = self.difference(state, above, computed);
            if wrong.is_none() {
                return Ok((Some(state), None));
            }
            first = first.or(Some((Some(state), wrong)));
        }
        if let Some(first) = first {
            return Ok(first);
        }
        // The memo of its own state may be wrong; unless that state is right for another floor.
        let own = node.state.filter(|own| !self.confirmed.contains(own));
        let is_free = |own: &StateKey| self.unsound.contains(own) || self.difference(*own, above, computed).is_none();
        let own = own.filter(is_free);
        Ok((own, Some("the state is not stored under what it was computed from")))
    }

    /// Says how a stored state differs from the computed one.
    fn difference(&self, stored: StateKey, above: StateKey, computed: &Evaluation) -> Option<&'static str> {
        if self.unsound.contains(&stored) {
            return Some("the stored state is damaged");
        }
        let hashes = |base: Option<StateKey>| {
            let base = base.map(|base| self.view.state_hash(base)).transpose()?;
            Ok::<_, StoreError>(base == Some(self.view.state_hash(above)?))
        };
        let read = self
            .view
            .state_hash(stored)
            .and_then(|hash| Ok((hash, self.view.trace(stored)?, hashes(self.view.base_of_state(stored)?)?)));
        match read {
            Ok((hash, ..)) if hash != computed.state.hash() => Some("the stored state is not what the page gives"),
            Ok((_, trace, _)) if trace != computed.trace => {
                Some("what is stored about the calls is not what the page gives")
            }
            Ok((_, _, false)) => Some("the stored state stands on another than the one above it"),
            Ok(_) => None,
            Err(_) => Some("the stored state is damaged"),
        }
    }

    /// Returns the state that a page keeps. If it is damaged, the floor itself may still have it.
    fn kept_state(
        &mut self,
        node: &Node,
        page: &TurnPage,
        inputs: &Inputs,
        branch: &str,
    ) -> Result<Option<Value>, StoreError> {
        let Some(kept) = self.view.kept(page.at)? else { return Ok(None) };
        if !self.unsound.contains(&kept) {
            return self.view.rebuild(kept).map(Some);
        }
        let own = node.state.filter(|own| !self.unsound.contains(own));
        let state = own.map(|own| self.view.rebuild(own)).transpose()?;
        let state = state.filter(|state| Some(state.hash()) == inputs.body.kept);
        let is_repaired = self.repair && state.is_some();
        self.report(
            branch,
            node.depth - 1,
            format!("the state that the page keeps is damaged (state {})", kept.0),
            is_repaired,
        );
        if let Some(state) = state.as_ref().filter(|_| is_repaired) {
            let whole = Evaluation { state: state.clone(), trace: Trace::default() };
            self.write(Some(kept), None, None, &whole)?;
        }
        Ok(state)
    }

    /// Makes sure that a node has a state that is right.
    fn point(&mut self, node: &Node, state: StateKey, branch: &str, what: &str) -> Result<(), StoreError> {
        if node.state == Some(state) {
            return Ok(());
        }
        self.corrected.insert(node.key, state);
        let what = if node.state.is_none() { "the state is missing" } else { what };
        self.report(branch, node.depth - 1, format!("{what} (node {})", node.key.0), self.repair);
        if self.repair {
            self.store.change_state_of_node(self.owner, node.key, node.state, state)?;
            self.after_writing();
        }
        Ok(())
    }

    fn write(
        &mut self,
        key: Option<StateKey>,
        memo: Option<MemoKey>,
        base: Option<StateKey>,
        evaluation: &Evaluation,
    ) -> Result<StateKey, StoreError> {
        let key = self.store.rewrite_state(self.owner, key, memo, base, evaluation)?;
        self.unsound.remove(&key);
        self.after_writing();
        Ok(key)
    }

    fn after_writing(&mut self) {
        self.written += 1;
        // The old view would not see what was written.
        self.view = self.store.view_past_cache(self.owner);
    }
}

fn row_words(problem: &RowProblem) -> String {
    format!("{} {}: {}", problem.table, problem.key, problem.what)
}

/// Describes damage; any other error ends the check.
fn damage(error: StoreError) -> Result<String, StoreError> {
    match error {
        StoreError::Damaged { .. }
        | StoreError::Missing { .. }
        | StoreError::Disk { reason: DiskTrouble::Damaged, .. } => Ok(error.to_string()),
        other => Err(other),
    }
}
