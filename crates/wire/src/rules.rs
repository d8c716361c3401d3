//! The rules of a story, and evaluating a message on a state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::common::Words;
use crate::value::{Json, JsonObject, present};

/// The rules for new pages of a story.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Rules {
    pub rules: Json,
    /// Where each setting comes from: `you` (chosen for this story), `kept` (a library or template saved for all cards or for this one), `card`, `default`.
    pub from: BTreeMap<String, String>,
}

/// Choices of the user; absent ones are unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct RulesChange {
    /// Profile: `native`, `mvu`, `sam-…`, `varsystem`.
    pub profile: Option<String>,
    /// Whether the story has a state at all.
    pub enabled: Option<bool>,
    /// Whether calls in the user's own messages are executed.
    pub user_calls: Option<bool>,
    /// Whether reasoning blocks are skipped.
    pub skip_reasoning: Option<bool>,
    /// Whether `{"function": "SET", "args": […]}` is a call.
    pub json_calls: Option<bool>,
    /// Whether `<set path="…">…</set>` is a call.
    pub tag_calls: Option<bool>,
    /// Where `TIME` writes; absent: `世界.时间` if it exists, else `time`.
    pub time_path: Option<String>,
    /// Schema of the state; null: none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Json, required = false)]
    pub schema: Option<Json>,
    /// The state before the first page; a running story takes it when its first floor is re-processed.
    pub template: Option<JsonObject>,
    /// A function library file; replaces the library for all cards.
    #[schema(value_type = Json, required = false)]
    pub library: Option<Json>,
    /// Settings that follow the card again, by the names of the other fields.
    #[serde(default)]
    pub unset: Vec<String>,
}

/// A text to be evaluated on a state.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Evaluate {
    /// The state before; absent: an empty one.
    #[schema(value_type = Json, required = false)]
    pub state: Option<Json>,
    /// The text of a reply.
    pub message: String,
    /// Changes to the rules of a new story.
    pub rules: Option<RulesChange>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FunctionsQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub profile: Option<String>,
}

/// Parameters of the prompt text that describes the functions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ManualQuery {
    /// `native`, `mvu`, `sam-…`, `varsystem`.
    pub profile: Option<String>,
    /// `zh` or `en`.
    pub language: Option<String>,
    /// The tag around the text.
    pub tag: Option<String>,
    /// Includes the functions saved for this card.
    pub card: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Functions {
    pub functions: Vec<Function>,
}

/// A built-in function.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Function {
    pub name: String,
    pub aliases: Vec<String>,
    pub syntax: String,
    pub example: String,
    pub words: Words,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Manual {
    pub text: String,
}

/// A state that may have metadata of MVU.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct StripMvu {
    pub state: JsonObject,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StrippedMvu {
    pub state: Json,
    /// Whether there was metadata.
    pub changed: bool,
}

/// A state whose types shall stay as they are.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct InferSchema {
    pub state: JsonObject,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct InferredSchema {
    pub schema: Json,
}
