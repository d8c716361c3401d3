//! Checking everything that is stored against what it must be: every state is computed again.

use std::collections::HashSet;

use storeyline_history::path_states::{StateTable, stored_state_above};
use storeyline_history::{Evaluation, Node, NodeKey, NodeTable, Page, PagePosition, StateKey, Trace, digest, evaluate};
use storeyline_state::{Value, text};
use storeyline_store::{Owner, Store, StoreError, View};

use crate::engine::{Engine, ReadEngine};
use crate::error::Result;
use crate::workers::LeasedScripts;

/// What was looked at and what is wrong.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// How many stories.
    pub stories: usize,
    /// How many branches and tags, those in the trash too.
    pub branches: usize,
    /// How many floors, shared ones counted once.
    pub floors: usize,
    /// Floors whose state is from before a change further up, as the edit policy says.
    pub stale: usize,
    /// What is wrong; empty if all is well.
    pub problems: Vec<Problem>,
}

/// Something that is not what it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// On which branch it was found first.
    pub branch: String,
    /// On which floor.
    pub floor: usize,
    /// What.
    pub what: String,
    /// Whether it was put right.
    pub repaired: bool,
}

impl ReadEngine {
    /// Computes every state again and compares. `progress` hears of each floor.
    pub fn verify(&self, owner: &Owner, mut progress: impl FnMut(usize)) -> Result<Verified> {
        self.check_everything(owner, false, &mut progress)
    }

    fn check_everything(&self, owner: &Owner, repair: bool, progress: &mut dyn FnMut(usize)) -> Result<Verified> {
        let store = self.store();
        let (view, scripts) = (store.view(owner), self.scripts(owner));
        let (verified, seen) = (Verified::default(), HashSet::new());
        let mut check = Check { store, owner, view, repair, verified, seen, scripts, progress };
        check.everything()?;
        // The check of the file needs the database for itself where readers and the writer share a connection.
        let Check { view, mut verified, .. } = check;
        drop(view);
        for trouble in store.integrity()? {
            verified.problems.push(Problem { branch: String::new(), floor: 0, what: trouble, repaired: false });
        }
        Ok(verified)
    }
}

impl Engine {
    /// Computes every state again, compares, and puts right what can be computed.
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
            let refs = match self.view.refs(story.key) {
                Ok(refs) => refs,
                Err(error) => {
                    self.wrong(&story.title, 0, damage(error)?, false);
                    continue;
                }
            };
            for found in refs {
                self.verified.branches += 1;
                if let Some(head) = found.head {
                    self.path(head, &found.name)?;
                }
            }
        }
        Ok(())
    }

    /// Checks the nodes on the way to a head that were not seen on another way.
    fn path(&mut self, head: NodeKey, branch: &str) -> Result<()> {
        let mut new = Vec::new();
        let mut key = head;
        while !self.seen.contains(&key) {
            match self.view.node(key) {
                Ok(node) => {
                    key = node.parent;
                    new.push(node);
                }
                Err(error) => {
                    // What hangs on a node that cannot be read is out of reach.
                    self.wrong(branch, 0, damage(error)?, false);
                    return Ok(());
                }
            }
        }
        for node in new.into_iter().rev() {
            self.seen.insert(node.key);
            self.node(&node, branch)?;
            self.verified.floors += 1;
            (self.progress)(self.verified.floors);
        }
        Ok(())
    }

    fn wrong(&mut self, branch: &str, floor: usize, what: String, repaired: bool) {
        self.verified.problems.push(Problem { branch: branch.to_owned(), floor, what, repaired });
    }

    fn node(&mut self, node: &Node, branch: &str) -> Result<()> {
        let floor = node.depth - 1;
        let parent = match self.view.node(node.parent) {
            Ok(parent) => parent,
            Err(error) => {
                self.wrong(branch, floor, damage(error)?, false);
                return Ok(());
            }
        };
        let turn = match node.turn.map(|turn| self.view.turn(turn)).transpose() {
            Ok(Some(turn)) => turn,
            Ok(None) => {
                self.wrong(branch, floor, "the floor has no turn".into(), false);
                return Ok(());
            }
            Err(error) => {
                self.wrong(branch, floor, damage(error)?, false);
                return Ok(());
            }
        };
        if digest::extend(parent.digest, &turn.row()) != node.digest {
            self.wrong(branch, floor, "the digest does not fit the turns".into(), false);
        }
        let mut whole = true;
        for page in &turn.pages {
            let what = match (self.view.page_text(page.at), self.view.inputs(page.at)) {
                (Ok(words), _) if text::hash(&words) != page.text => "the text is not the one that was stored".into(),
                (Ok(_), Ok(inputs)) if inputs.body.hash() != page.body => {
                    "the inputs are not the ones that were stored".into()
                }
                (Ok(_), Ok(_)) => continue,
                (Err(error), _) | (_, Err(error)) => damage(error)?,
            };
            whole = whole && page.page != turn.active_page().page;
            self.wrong(branch, floor, format!("page {}: {what}", page.page), false);
        }
        if whole { self.state(node, &parent, &turn.active_page().clone(), branch) } else { Ok(()) }
    }

    fn state(&mut self, node: &Node, parent: &Node, page: &storeyline_history::TurnPage, branch: &str) -> Result<()> {
        let floor = node.depth - 1;
        let (Some(above), Some(own)) = (stored_state_above(&self.view, parent, page)?, node.state) else {
            self.wrong(branch, floor, "the state is missing".into(), false);
            return Ok(());
        };
        let inputs = self.view.inputs(page.at)?;
        let before = match self.view.rebuild(above) {
            Ok(before) if floor > 0 || before == inputs.rules.first_state => before,
            // It was reported where it belongs.
            Err(_) if floor > 0 => return Ok(()),
            _ => {
                let what = "the first state is not the one in the rules";
                self.wrong(branch, floor, what.into(), self.repair);
                let (state, trace) = (inputs.rules.first_state.clone(), Trace::default());
                if self.repair {
                    self.write_again(above, Evaluation { state: state.clone(), trace })?;
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
        let what = match own == above {
            true if evaluation.state == before => return Ok(()),
            true => "the stored state is not what the page gives",
            false => match self.stored(own) {
                Ok((state, _)) if state != evaluation.state => "the stored state is not what the page gives",
                Ok((_, trace)) if trace != evaluation.trace => {
                    "what is stored about the calls is not what the page gives"
                }
                Ok(_) => return Ok(()),
                Err(_) => "the stored state is damaged",
            },
        };
        let repaired = self.repair && own != above;
        if repaired {
            self.write_again(own, evaluation)?;
        }
        self.wrong(branch, floor, what.into(), repaired);
        Ok(())
    }

    /// Writes an evaluation again; the next look sees it.
    fn write_again(&mut self, key: StateKey, evaluation: Evaluation) -> Result<()> {
        self.view = self.store.view(self.owner);
        Ok(self.store.repair(self.owner, &[(key, evaluation)])?)
    }

    fn stored(&self, key: StateKey) -> Result<(Value, storeyline_history::Trace), StoreError> {
        Ok((self.view.rebuild(key)?, self.view.trace(key)?))
    }
}

/// What is wrong with something that cannot be read; any other trouble ends the check.
fn damage(error: StoreError) -> Result<String> {
    match error {
        StoreError::Damaged { .. } | StoreError::Missing { .. } => Ok(error.to_string()),
        other => Err(other.into()),
    }
}
