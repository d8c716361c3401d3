//! Types used by several messages.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use storeyline_state::{self as state, Op, Value, json};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::utf16::Utf16;
use crate::wire::value::Any;

/// A sentence in two languages.
#[derive(Serialize, ToSchema)]
pub(crate) struct Words {
    pub(crate) zh: String,
    pub(crate) en: String,
}

impl From<&state::Words> for Words {
    fn from(words: &state::Words) -> Self {
        Words { zh: words.zh.clone(), en: words.en.clone() }
    }
}

/// A diagnostic with its span in the text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Diagnostic {
    code: String,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    message: Words,
    /// Start and end in UTF-16 code units of the text.
    span: [usize; 2],
}

/// Returns the diagnostics of a text.
pub(crate) fn diagnostics(found: &[state::Diagnostic], text: &str) -> Vec<Diagnostic> {
    if found.is_empty() { Vec::new() } else { diagnostics_at(found, &Utf16::of(text)) }
}

/// Returns diagnostics whose spans are in a text.
pub(crate) fn diagnostics_at(found: &[state::Diagnostic], units: &Utf16<'_>) -> Vec<Diagnostic> {
    let diagnostic = |found: &state::Diagnostic| Diagnostic {
        code: found.code.clone(),
        severity: found.severity.as_str(),
        message: (&found.message).into(),
        span: units.span(&found.span),
    };
    found.iter().map(diagnostic).collect()
}

/// Converts every item of a list.
pub(crate) fn all<T, W: From<T>>(items: impl IntoIterator<Item = T>) -> Vec<W> {
    items.into_iter().map(Into::into).collect()
}

/// Converts a value to raw JSON: exact numbers, keys in order.
pub(crate) fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(json::write(value)).expect("our writer writes JSON")
}

/// One step of a path: a key of an object, or an index of a list.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Step {
    Key(String),
    Index(usize),
}

pub fn path(steps: &[state::Step]) -> Vec<Step> {
    let step = |step: &state::Step| match step {
        state::Step::Key(key) => Step::Key(key.to_string()),
        state::Step::Index(index) => Step::Index(*index),
    };
    steps.iter().map(step).collect()
}

/// Parses a path in a query: a JSON list of keys.
pub(crate) fn read_path(text: &str) -> Result<Vec<state::Step>, ApiError> {
    let steps: Vec<Step> =
        serde_json::from_str(text).map_err(|_| ApiError::bad_request("a `path` is not a JSON list of keys"))?;
    let step = |step| match step {
        Step::Key(key) => state::Step::Key(key.into()),
        Step::Index(index) => state::Step::Index(index),
    };
    Ok(steps.into_iter().map(step).collect())
}

/// A change of one path of a state.
#[derive(Serialize, ToSchema)]
pub struct Change {
    path: Vec<Step>,
    /// `changed`, `added` or `removed`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    old: Option<Any>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    new: Option<Any>,
}

impl From<&Op> for Change {
    fn from(op: &Op) -> Self {
        let any = |value: &Value| Some(Any(value.clone()));
        let (kind, old, new) = match &op.change {
            state::Change::Set { old, new } => ("changed", any(old), any(new)),
            state::Change::Insert { new, .. } => ("added", None, any(new)),
            state::Change::Remove { old, .. } => ("removed", any(old), None),
        };
        Change { path: path(&op.path), kind, old, new }
    }
}

pub fn ops(ops: &[Op]) -> Vec<Change> {
    all(ops)
}

/// Parses an id that may be null or absent.
pub(crate) fn optional_id<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.filter(|text| !text.is_empty()).map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}
