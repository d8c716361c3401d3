//! The rules of a story, and evaluating a message on a state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storeyline_engine::authors::{Builtin, Library, Profile, Schema, Scope, exchange};
use storeyline_engine::{self as engine, Choices, Setting, StoryRules};
use storeyline_state::{StatePath, Value};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::wire::common::Words;
use crate::wire::value::{Any, Object, present};

/// The rules for new pages of a story.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rules {
    pub(crate) rules: Any,
    /// Where each setting comes from: `you` (chosen for this story), `kept` (a library or template saved for all cards or for this one), `card`, `default`.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) from: BTreeMap<&'static str, &'static str>,
}

impl From<StoryRules> for Rules {
    fn from(rules: StoryRules) -> Self {
        let from = rules.origins.iter().map(|(setting, origin)| (setting.as_str(), origin.as_str()));
        Rules { rules: Any(rules.rules.to_value()), from: from.collect() }
    }
}

/// Choices of the user; absent ones are unchanged.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RulesChange {
    /// Profile: `native`, `mvu`, `sam-…`, `varsystem`.
    profile: Option<String>,
    /// Whether the story has a state at all.
    enabled: Option<bool>,
    /// Whether calls in the user's own messages are executed.
    user_calls: Option<bool>,
    /// Whether reasoning blocks are skipped.
    skip_reasoning: Option<bool>,
    /// Whether `{"function": "SET", "args": […]}` is a call.
    json_calls: Option<bool>,
    /// Whether `<set path="…">…</set>` is a call.
    tag_calls: Option<bool>,
    /// Where `TIME` writes; absent: `世界.时间` if it exists, else `time`.
    time_path: Option<String>,
    /// Schema of the state; null: none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Any, required = false)]
    schema: Option<Any>,
    /// The state before the first page; a running story takes it when its first floor is re-processed.
    template: Option<Object>,
    /// A function library file; replaces the library for all cards.
    #[schema(value_type = Any, required = false)]
    library: Option<Any>,
    /// Settings that follow the card again, by the names of the other fields.
    #[serde(default)]
    unset: Vec<String>,
}

pub(crate) fn profile(word: &str) -> Result<Profile, ApiError> {
    Profile::from_word(word).ok_or_else(|| ApiError::bad_request("there is no such profile"))
}

fn path(text: &str) -> Result<StatePath, ApiError> {
    text.parse().map_err(|_| ApiError::bad_request("the time path cannot be read"))
}

pub(crate) fn schema(source: &Any) -> Result<Schema, ApiError> {
    Schema::read(&source.0).map_err(|words| ApiError::bad_request(&words.en))
}

/// Parses a library; unreadable entries are an error, so that nothing is lost silently.
pub(crate) fn library(file: &Any, scope: Scope) -> Result<Library, ApiError> {
    let read = exchange::read(&file.0, scope);
    match read.problems.first() {
        Some(problem) => Err(ApiError::bad_request(&problem.en)),
        None => Ok(read.library),
    }
}

impl RulesChange {
    /// Changes rules that belong to no story.
    pub(crate) fn apply(self, rules: &mut engine::Rules) -> Result<(), ApiError> {
        engine::RulesChange::try_from(self)?.set.apply(rules);
        Ok(())
    }
}

impl TryFrom<RulesChange> for engine::RulesChange {
    type Error = ApiError;

    fn try_from(wire: RulesChange) -> Result<Self, ApiError> {
        let chosen_schema = |source: &Any| match source.0 {
            Value::Null => Ok(None),
            _ => schema(source).map(Some),
        };
        let set = Choices {
            profile: wire.profile.as_deref().map(profile).transpose()?,
            enabled: wire.enabled,
            user_calls: wire.user_calls,
            skip_reasoning: wire.skip_reasoning,
            json_calls: wire.json_calls,
            tag_calls: wire.tag_calls,
            time_path: wire.time_path.as_deref().map(path).transpose()?,
            schema: wire.schema.as_ref().map(chosen_schema).transpose()?,
            first_state: wire.template.map(|template| template.0),
            library: wire.library.as_ref().map(|file| library(file, Scope::Global)).transpose()?,
        };
        let setting = |name: &String| Setting::from_word(name).ok_or_else(|| ApiError::bad_request("no such setting"));
        Ok(engine::RulesChange { set, unset: wire.unset.iter().map(setting).collect::<Result<_, _>>()? })
    }
}

/// A text to be evaluated on a state.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Evaluate {
    /// The state before; absent: an empty one.
    #[schema(value_type = Any, required = false)]
    pub(crate) state: Option<Any>,
    /// The text of a reply.
    pub(crate) message: String,
    /// Changes to the rules of a new story.
    pub(crate) rules: Option<RulesChange>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FunctionsQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
}

/// Parameters of the prompt text that describes the functions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ManualQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
    /// `zh` or `en`.
    pub(crate) language: Option<String>,
    /// The tag around the text.
    pub(crate) tag: Option<String>,
    /// Includes the functions saved for this card.
    pub(crate) card: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Functions {
    pub(crate) functions: Vec<Function>,
}

/// A built-in function.
#[derive(Serialize, ToSchema)]
pub(crate) struct Function {
    name: &'static str,
    aliases: Vec<&'static str>,
    syntax: &'static str,
    example: &'static str,
    words: Words,
}

impl From<&Builtin> for Function {
    fn from(builtin: &Builtin) -> Self {
        Function {
            name: builtin.name,
            aliases: builtin.aliases.to_vec(),
            syntax: builtin.syntax,
            example: builtin.example,
            words: Words { zh: builtin.zh.to_owned(), en: builtin.en.to_owned() },
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Manual {
    pub(crate) text: String,
}
