//! The rules of a story, and what a message makes of a state under some.

use serde::{Deserialize, Serialize};
use storeyline_engine::Rules;
use storeyline_engine::authors::{Builtin, Library, Profile, Schema, Scope, exchange};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::wire::common::WordsWire;
use crate::wire::value::{Any, present};

/// The rules that new pages of a story take.
#[derive(Serialize, ToSchema)]
#[schema(as = Rules)]
pub(crate) struct RulesWire {
    pub(crate) rules: Any,
}

/// What is to be changed of rules; what is absent stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = RulesChange)]
pub(crate) struct RulesChangeWire {
    /// Whose conventions count: `native`, `mvu`, `sam-…`, `varsystem`.
    profile: Option<String>,
    /// Whether calls in the user's own messages count.
    user_calls: Option<bool>,
    /// Whether reasoning blocks are left out.
    skip_reasoning: Option<bool>,
    /// Whether `{"function": "SET", "args": […]}` is a call.
    json_calls: Option<bool>,
    /// Whether `<set path="…">…</set>` is a call.
    tag_calls: Option<bool>,
    /// What the state may look like; null: no schema.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Any, required = false)]
    schema: Option<Any>,
    /// A function library file; replaces all functions but those of the card.
    #[schema(value_type = Any, required = false)]
    library: Option<Any>,
}

pub(crate) fn profile(word: &str) -> Result<Profile, ApiError> {
    Profile::from_word(word).ok_or_else(|| ApiError::bad_request("there is no such profile"))
}

pub(crate) fn schema(source: &Any) -> Result<Schema, ApiError> {
    Schema::read(&source.0).map_err(|words| ApiError::bad_request(&words.en))
}

/// A library as it stands; what cannot be read in it is refused, so that nothing gets lost unseen.
pub(crate) fn library(file: &Any, scope: Scope) -> Result<Library, ApiError> {
    let read = exchange::read(&file.0, scope);
    match read.problems.first() {
        Some(problem) => Err(ApiError::bad_request(&problem.en)),
        None => Ok(read.library),
    }
}

impl RulesChangeWire {
    /// Changes rules as the command line does.
    pub(crate) fn apply(self, rules: &mut Rules) -> Result<(), ApiError> {
        if let Some(file) = &self.library {
            let new = library(file, Scope::Global)?;
            let own = &mut rules.library;
            own.functions.retain(|function| function.scope == Scope::Card);
            own.rules.retain(|rule| rule.scope == Scope::Card);
            own.functions.extend(new.functions);
            own.rules.extend(new.rules);
            own.off = new.off;
        }
        if let Some(word) = &self.profile {
            rules.profile = profile(word)?;
        }
        if let Some(source) = &self.schema {
            let nothing = matches!(source.0, storeyline_state::Value::Null);
            rules.schema = if nothing { None } else { Some(schema(source)?) };
        }
        for (wanted, switch) in [
            (self.user_calls, &mut rules.user_calls),
            (self.skip_reasoning, &mut rules.skip_reasoning),
            (self.json_calls, &mut rules.json_calls),
            (self.tag_calls, &mut rules.tag_calls),
        ] {
            *switch = wanted.unwrap_or(*switch);
        }
        Ok(())
    }
}

/// A text to be tried on a state.
#[derive(Deserialize, ToSchema)]
#[schema(as = Evaluate)]
pub(crate) struct EvaluateWire {
    /// The state before; nothing: an empty one.
    #[schema(value_type = Any, required = false)]
    pub(crate) state: Option<Any>,
    /// The text of a reply.
    pub(crate) message: String,
    /// Other rules than those that a new story has.
    pub(crate) rules: Option<RulesChangeWire>,
}

/// Whose functions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FunctionsQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
}

/// The text that teaches a model the functions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ManualQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub(crate) profile: Option<String>,
    /// `zh` or `en`.
    pub(crate) language: Option<String>,
    /// The tag around the text.
    pub(crate) tag: Option<String>,
    /// The functions that are kept for this card are in it too.
    pub(crate) card: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Functions)]
pub(crate) struct FunctionsWire {
    pub(crate) functions: Vec<FunctionWire>,
}

/// A built-in function.
#[derive(Serialize, ToSchema)]
#[schema(as = Function)]
pub(crate) struct FunctionWire {
    name: &'static str,
    aliases: Vec<&'static str>,
    syntax: &'static str,
    example: &'static str,
    words: WordsWire,
}

impl From<&Builtin> for FunctionWire {
    fn from(builtin: &Builtin) -> Self {
        FunctionWire {
            name: builtin.name,
            aliases: builtin.aliases.to_vec(),
            syntax: builtin.syntax,
            example: builtin.example,
            words: WordsWire { zh: builtin.zh.to_owned(), en: builtin.en.to_owned() },
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Manual)]
pub(crate) struct ManualWire {
    pub(crate) text: String,
}
