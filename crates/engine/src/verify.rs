//! Checking everything that is stored against what it must be: every state is computed again.

use storeyline_history::digest;
use storeyline_history::node::path_below;
use storeyline_history::path_states::StateTable;
use storeyline_history::{Page, Place, Scripts, evaluate};
use storeyline_state::{NodeId, Value};
use storeyline_store::{Owner, StoreError, Tx};

use crate::engine::Engine;
use crate::error::EngineError;

/// What was looked at and what is wrong.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// How many stories.
    pub stories: usize,
    /// How many branches.
    pub branches: usize,
    /// How many floors, counted per branch.
    pub floors: usize,
    /// What is wrong; empty if all is well.
    pub problems: Vec<Problem>,
}

/// Something that is not what it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// On which branch.
    pub branch: String,
    /// On which floor.
    pub floor: usize,
    /// What.
    pub what: String,
}

impl Engine {
    /// Computes every state on every branch again and compares. `progress` hears of each floor.
    pub fn verify(&self, owner: &Owner, mut progress: impl FnMut(usize)) -> Result<Verified, EngineError> {
        let scripts = &mut self.scripts();
        self.look(owner, |tx| {
            let mut verified = Verified::default();
            for story in tx.stories()? {
                verified.stories += 1;
                for branch in tx.refs(story.id)? {
                    verified.branches += 1;
                    let Some(head) = branch.head else { continue };
                    verify_path(tx, story.root, head, &branch.name, &mut verified, &mut progress, &mut ***scripts)?;
                }
            }
            Ok(verified)
        })
    }
}

fn verify_path(
    tx: &Tx<'_>,
    root: NodeId,
    head: NodeId,
    branch: &str,
    verified: &mut Verified,
    progress: &mut impl FnMut(usize),
    scripts: &mut dyn Scripts,
) -> Result<(), EngineError> {
    let mut state = stored_state(tx, root)?;
    let mut digest = None;
    for node in path_below(tx, head, 0)? {
        let floor = node.depth - 1;
        let mut wrong =
            |what: &str| verified.problems.push(Problem { branch: branch.to_owned(), floor, what: what.to_owned() });
        let turn = tx.turn(node.turn.expect("only the root has no turn"))?;
        digest = digest::extend(digest, &turn.row());
        if digest != node.digest {
            wrong("the digest does not fit the turns");
        }
        let (body, text, rules) = tx.body(turn.active_page().body)?;
        let place = Place { round: floor as i64, page: Some(turn.active_page().page) };
        let page = Page { body: &body, text: &text, rules: &rules, place };
        state = evaluate(&state, &page, scripts).map_err(StoreError::from)?.state;
        match tx.state_of(node.id)? {
            None => wrong("the state is missing"),
            // By its bytes: a hash is a key, and older databases have keys of an older kind.
            Some(hash) if tx.rebuild(hash)? != state => wrong("the stored state is not what the page gives"),
            Some(_) => {}
        }
        verified.floors += 1;
        progress(verified.floors);
    }
    Ok(())
}

fn stored_state(tx: &Tx<'_>, node: NodeId) -> Result<Value, EngineError> {
    let hash = tx.state_of(node)?.expect("the root has one");
    Ok(tx.rebuild(hash)?)
}
