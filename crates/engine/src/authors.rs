//! Functions for card authors: evaluate a reply without a story, and produce the prompt text that
//! describes the functions to a model.

use storeyline_calls::{Call, Dialect, Form, ParseSettings, parse, value};
use storeyline_compat::{Card, Given, Initial, WorldBook, find_initial};
use storeyline_functions::builtins;
pub use storeyline_functions::library::exchange;
pub use storeyline_functions::library::function::{Executor, FunctionKind, Scope, VarFunction};
use storeyline_functions::manual::{self, Language, TAG};
use storeyline_functions::script::NoScripts;
pub use storeyline_functions::{Builtin, CallTrace, Incomplete, Library, Profile, Schema, Scripts, Verdict};
use storeyline_history::{Body, Evaluation, Page, PagePosition, Rules, evaluate};
use storeyline_state::json::{self, JsonError};
use storeyline_state::{Value, text};
use storeyline_store::Owner;

use crate::engine::ReadEngine;
use crate::error::{EngineError, Result};
use crate::import::ImportRequest;
use crate::library::Tried;
use crate::replay::{EvaluatedFloor, replay};

/// Returns the calls in a text.
pub fn read_calls(message: &str) -> Vec<Call> {
    parse(message, &ParseSettings::default()).calls
}

/// Reads a library file: JSON, or the notation of JavaScript with comments, bare keys and functions.
/// Nothing in it is run.
pub fn read_library_text(text: &str) -> Result<Value, JsonError> {
    json::read(text).or_else(|error| {
        // In JavaScript a value is a statement and may end with `;`.
        let read = value::read(text.trim_end_matches(|mark: char| mark == ';' || mark.is_whitespace()));
        let whole = read.form == Form::Literal && matches!(read.value, Value::Object(_) | Value::List(_));
        if whole { Ok(read.value) } else { Err(problem(text, error)) }
    })
}

/// The problem of a text that is neither JSON nor JavaScript notation. In the latter the first place that is no
/// JSON says nothing; where the tolerant parser stopped is where it is wrong.
fn problem(text: &str, json: JsonError) -> JsonError {
    let Some(at) = value::stopped_at(text) else { return json };
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    JsonError { problem: "this does not continue the value before it", line, column }
}

/// Evaluates a reply that belongs to no story.
pub fn try_message(
    state: &Value,
    message: &str,
    rules: &Rules,
    scripts: &mut dyn Scripts,
) -> Result<Evaluation, Incomplete> {
    let body = Body::lone_reply(text::hash(""));
    let text = text::canonical(message);
    evaluate(state, &Page { body: &body, text: &text, rules, position: PagePosition::default() }, scripts)
}

impl ReadEngine {
    /// Evaluates a reply that belongs to no story; nothing is written.
    pub fn try_message(&self, owner: &Owner, state: &Value, message: &str, rules: &Rules) -> Result<Evaluation> {
        try_message(state, message, rules, &mut self.scripts(owner)).map_err(|error| EngineError::Store(error.into()))
    }

    /// Evaluates a chat file up to the floor `last`; `visit` is called for every floor, and nothing is
    /// written.
    pub fn replay(
        &self,
        owner: &Owner,
        request: &ImportRequest,
        change: impl FnOnce(&mut Rules),
        last: Option<usize>,
        visit: impl FnMut(&EvaluatedFloor<'_>),
    ) -> Result<(storeyline_wire::import::Initial, Value)> {
        replay(request, change, last, &mut self.scripts(owner), visit)
    }
}

/// Returns how a story with this card and these world books would begin.
pub fn card_beginning(card: &Card, books: &[WorldBook]) -> Initial {
    find_initial(&Given { card: Some(card), books, ..Given::default() })
}

/// Evaluates a reply without scripts; `None` if there is no such profile.
pub fn try_text(state: &Value, message: &str, profile: &str) -> Option<Evaluation> {
    let rules = Rules { profile: Profile::from_word(profile)?, ..Rules::default() };
    try_message(state, message, &rules, &mut NoScripts).ok()
}

/// Returns the built-ins that the prompt of a profile describes.
pub fn taught(profile: Profile) -> &'static [&'static Builtin] {
    let dialect = match profile {
        Profile::Mvu => Dialect::Underscore,
        Profile::VarSystem => Dialect::Hash,
        Profile::Sam(_) if builtins(profile, Dialect::At).is_empty() => Dialect::Patch,
        Profile::Native | Profile::Sam(_) => Dialect::At,
    };
    builtins(profile, dialect)
}

/// Returns the prompt text for the functions of a profile and a library, inside `tag` or the usual one.
pub fn prompt_text(profile: Profile, library: &Library, chinese: bool, tag: Option<&str>) -> String {
    let language = if chinese { Language::Chinese } else { Language::English };
    manual::manual(taught(profile), library, language, tag.unwrap_or(TAG))
}

/// Returns how a prompt describes a function; nothing for one that the model does not call.
pub fn function_manual(tried: &Tried) -> Option<String> {
    let Tried::Function(function) = tried else { return None };
    let called = matches!(function.kind, FunctionKind::Active { .. });
    called.then(|| manual::entry(function, taught(Profile::Native), Language::Chinese))
}
