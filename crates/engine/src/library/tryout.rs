//! Trying out a function or a pattern, as the editor of the library does. Nothing is stored.

use std::time::Instant;

use storeyline_functions::library::function::{Scope, VarFunction};
use storeyline_functions::library::steps::AutoRule;
use storeyline_functions::script::PatternMatch;
use storeyline_functions::{Library, Scripts, Stopped};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Body, Evaluation, Page, PagePosition, Rules, evaluate};
use storeyline_state::{Value, Words, text};
use storeyline_store::Owner;
use storeyline_wire::library::TryPlace;

use super::working;
use crate::branch::{find_any_ref, find_story, node_at};
use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};

/// A function or rule of a library.
#[derive(Debug, Clone)]
pub enum Tried {
    Function(VarFunction),
    Rule(AutoRule),
}

/// What a function did when it was tried out.
#[derive(Debug)]
pub struct Tryout {
    pub evaluation: Evaluation,
    /// What `console` printed.
    pub printed: Vec<String>,
    pub milliseconds: f64,
}

impl Tried {
    /// Reads a definition of an exchange file.
    pub fn read(definition: &Value) -> Result<Tried, Words> {
        if definition.get("trigger").is_some() || definition.get("actions").is_some() {
            return AutoRule::from_value(definition, Scope::Card).map(Tried::Rule);
        }
        VarFunction::from_value(definition, Scope::Card).map(Tried::Function)
    }

    /// Returns a library in which this one is on. Others are there for its steps, but none of them runs by
    /// itself, and none hides it.
    pub fn alone_in(&self, library: &Library) -> Library {
        let mut alone = library.clone();
        alone.rules.clear();
        let name = match self {
            Tried::Function(function) => function.name.to_lowercase(),
            Tried::Rule(_) => String::new(),
        };
        let is_other = |other: &VarFunction| {
            matches!(other.kind, storeyline_functions::library::function::FunctionKind::Active { .. })
                && other.name.to_lowercase() != name
        };
        alone.functions.retain(is_other);
        match self.clone() {
            Tried::Function(function) => alone.functions.push(VarFunction { enabled: true, speaker: None, ..function }),
            Tried::Rule(rule) => alone.rules.push(AutoRule { enabled: true, speaker: None, ..rule }),
        }
        alone
    }
}

impl ReadEngine {
    /// Runs a function on a text: on the state of a floor under the rules of its story, or on a state under the
    /// rules of a new story with the functions of a card.
    pub fn try_function(
        &self,
        owner: &Owner,
        tried: &Tried,
        message: &str,
        place: Option<&TryPlace>,
        state: Option<&Value>,
        card: &str,
    ) -> Result<Tryout> {
        let (state, rules) = self.read(owner, |tx| {
            let Some(place) = place else {
                let mut rules = Rules { library: working(tx, "")?.0, ..Rules::default() };
                if !card.is_empty() {
                    rules.library.extend(working(tx, card)?.0);
                }
                return Ok((state.cloned().unwrap_or_else(Value::empty_object), rules));
            };
            let (story, branch) = (find_story(tx, place.story)?, find_any_ref(tx, place.story, place.branch)?);
            let node = node_at(tx, &branch, place.floor as usize)?;
            let state = tx.state(node.state.ok_or(EngineError::EmptyPath)?)?;
            Ok((state, tx.rules(story.rules)?.as_ref().clone()))
        })?;
        let rules = Rules { library: tried.alone_in(&rules.library), ..rules };
        let text = text::canonical(message);
        let body = Body::lone_reply(text::hash(&text));
        let page = Page { body: &body, text: &text, rules: &rules, position: PagePosition::default() };
        let mut scripts = self.scripts(owner);
        scripts.listen();
        let start = Instant::now();
        let evaluated = evaluate(&state, &page, &mut scripts);
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        // Also after a failure, so that the worker stops collecting.
        let printed = scripts.printed();
        let evaluation = evaluated.map_err(|error| EngineError::Store(error.into()))?;
        Ok(Tryout { evaluation, printed, milliseconds })
    }

    /// Finds the matches of a pattern, in the same worker as a story would.
    pub fn try_pattern(&self, owner: &Owner, pattern: &str, text: &str) -> Result<Result<Vec<PatternMatch>, Words>> {
        match self.scripts(owner).find(pattern, text) {
            Ok(found) => Ok(Ok(found)),
            Err(Stopped::Refused(refusal)) => Ok(Err(refusal.message)),
            Err(Stopped::Incomplete(incomplete)) => Err(EngineError::Store(incomplete.into())),
        }
    }
}
