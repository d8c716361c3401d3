//! Verifies everything that is stored: every state is computed again and compared; wrong states can be
//! repaired.

use std::collections::HashSet;

use storeyline_history::path_states::{StateTable, stored_state_above};
use storeyline_history::{
    Evaluation, Node, NodeKey, NodeTable, Page, PagePosition, StateKey, Trace, TurnPage, digest, evaluate,
};
use storeyline_state::{Value, text};
use storeyline_store::{Owner, Store, StoreError, View};

use crate::engine::{Engine, ReadEngine};
use crate::error::Result;
use crate::workers::LeasedScripts;

/// The result of a verification.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    pub stories: usize,
    /// Branches and tags, with those in the trash.
    pub branches: usize,
    /// Shared floors count once.
    pub floors: usize,
    /// Floors that keep a state under the edit policy `manual`; they are not computed.
    pub stale: usize,
    pub problems: Vec<Problem>,
}

/// Something that is wrong in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The branch on which it was found first.
    pub branch: String,
    pub floor: usize,
    pub what: String,
    pub repaired: bool,
}

impl ReadEngine {
    /// Computes every state again and compares. `progress` is called with the number of checked floors.
    pub fn verify(&self, owner: &Owner, mut progress: impl FnMut(usize)) -> Result<Verified> {
        self.check_everything(owner, false, &mut progress)
    }

    fn check_everything(&self, owner: &Owner, repair: bool, progress: &mut dyn FnMut(usize)) -> Result<Verified> {
        let store = self.store();
        let (view, scripts) = (store.view(owner), self.scripts(owner));
        let (verified, seen) = (Verified::default(), HashSet::new());
        let mut check = Check { store, owner, view, repair, verified, seen, scripts, progress };
        check.everything()?;
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
    /// Computes every state again, compares, and writes computed states over wrong ones.
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
    seen: HashSet<NodeKey>,
    scripts: LeasedScripts<'a>,
    progress: &'a mut dyn FnMut(usize),
}

impl Check<'_> {
    fn everything(&mut self) -> Result<()> {
        for story in self.view.stories()? {
            self.verified.stories += 1;
            self.seen.insert(story.root);
            let refs = self.view.refs(story.key);
            for found in self.readable(refs, &story.title, 0)?.unwrap_or_default() {
                self.verified.branches += 1;
                if let Some(head) = found.head {
                    self.path(head, &found.name)?;
                }
            }
        }
        Ok(())
    }

    /// Checks the nodes on the path to a head that were not checked on another path.
    fn path(&mut self, head: NodeKey, branch: &str) -> Result<()> {
        let mut new = Vec::new();
        let mut key = head;
        while !self.seen.contains(&key) {
            let node = self.view.node(key);
            // The floors below a node that cannot be read cannot be checked.
            let Some(node) = self.readable(node, branch, 0)? else { return Ok(()) };
            key = node.parent;
            new.push(node);
        }
        for node in new.into_iter().rev() {
            self.seen.insert(node.key);
            self.node(&node, branch)?;
            self.verified.floors += 1;
            (self.progress)(self.verified.floors);
        }
        Ok(())
    }

    fn report(&mut self, branch: &str, floor: usize, what: impl Into<String>, repaired: bool) {
        self.verified.problems.push(Problem { branch: branch.to_owned(), floor, what: what.into(), repaired });
    }

    /// Returns what was read; damage is reported as a problem.
    fn readable<T>(&mut self, read: Result<T, StoreError>, branch: &str, floor: usize) -> Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) => {
                self.report(branch, floor, damage(error)?, false);
                Ok(None)
            }
        }
    }

    fn node(&mut self, node: &Node, branch: &str) -> Result<()> {
        let floor = node.depth - 1;
        let parent = self.view.node(node.parent);
        let Some(parent) = self.readable(parent, branch, floor)? else { return Ok(()) };
        let turn = node.turn.map(|turn| self.view.turn(turn)).transpose();
        let Some(turn) = self.readable(turn, branch, floor)? else { return Ok(()) };
        let Some(turn) = turn else {
            self.report(branch, floor, "the floor has no turn", false);
            return Ok(());
        };
        if digest::extend(parent.digest, &turn.row()) != node.digest {
            self.report(branch, floor, "the digest does not fit the turns", false);
        }
        let mut is_readable = true;
        for page in &turn.pages {
            let what = match (self.view.page_text(page.at), self.view.inputs(page.at)) {
                (Ok(words), _) if text::hash(&words) != page.text => "the text is not the one that was stored".into(),
                (Ok(_), Ok(inputs)) if inputs.body.hash() != page.body => {
                    "the inputs are not the ones that were stored".into()
                }
                (Ok(_), Ok(_)) => continue,
                (Err(error), _) | (_, Err(error)) => damage(error)?,
            };
            is_readable = is_readable && page.page != turn.active_page().page;
            self.report(branch, floor, format!("page {}: {what}", page.page), false);
        }
        if is_readable { self.state(node, &parent, turn.active_page(), branch) } else { Ok(()) }
    }

    fn state(&mut self, node: &Node, parent: &Node, page: &TurnPage, branch: &str) -> Result<()> {
        let floor = node.depth - 1;
        let (Some(above), Some(own)) = (stored_state_above(&self.view, parent, page)?, node.state) else {
            self.report(branch, floor, "the state is missing", false);
            return Ok(());
        };
        let inputs = self.view.inputs(page.at)?;
        let before = match self.view.rebuild(above) {
            Ok(before) if floor > 0 || before == inputs.rules.first_state => before,
            // It was reported at its own floor.
            Err(_) if floor > 0 => return Ok(()),
            _ => {
                self.report(branch, floor, "the first state is not the one in the rules", self.repair);
                let state = inputs.rules.first_state.clone();
                if self.repair {
                    self.write_again(above, Evaluation { state: state.clone(), trace: Trace::default() })?;
                }
                state
            }
        };
        if inputs.body.kept.is_some() {
            self.verified.stale += 1;
            return Ok(());
        }
        let words = self.view.page_text(page.at)?;
        let position = PagePosition { round: floor as i64, page: Some(page.page) };
        let given = Page { body: &inputs.body, text: &words, rules: &inputs.rules, position };
        let evaluation = evaluate(&before, &given, &mut self.scripts).map_err(StoreError::from)?;
        let Some(what) = self.difference(own, above, &before, &evaluation) else { return Ok(()) };
        let repaired = self.repair && own != above;
        if repaired {
            self.write_again(own, evaluation)?;
        }
        self.report(branch, floor, what, repaired);
        Ok(())
    }

    /// Says how the stored state differs from the computed one. A floor that changes nothing shares the
    /// state above it.
    fn difference(
        &self,
        own: StateKey,
        above: StateKey,
        before: &Value,
        computed: &Evaluation,
    ) -> Option<&'static str> {
        let stored = match own == above {
            true => Ok((before.clone(), computed.trace.clone())),
            false => self.view.rebuild(own).and_then(|state| Ok((state, self.view.trace(own)?))),
        };
        match stored {
            Ok((state, _)) if state != computed.state => Some("the stored state is not what the page gives"),
            Ok((_, trace)) if trace != computed.trace => {
                Some("what is stored about the calls is not what the page gives")
            }
            Ok(_) => None,
            Err(_) => Some("the stored state is damaged"),
        }
    }

    fn write_again(&mut self, key: StateKey, evaluation: Evaluation) -> Result<()> {
        // The old view would not see what is written.
        self.view = self.store.view(self.owner);
        Ok(self.store.repair(self.owner, &[(key, evaluation)])?)
    }
}

/// Describes damage; any other error ends the check.
fn damage(error: StoreError) -> Result<String> {
    match error {
        StoreError::Damaged { .. } | StoreError::Missing { .. } => Ok(error.to_string()),
        other => Err(other.into()),
    }
}
