//! Types used by several messages.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use storeyline_state::{self as state, Op, Step, Value};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::value::Json;
use crate::words::{ChangeKind, Severity};

pub use storeyline_state::Words;

/// A diagnostic with its span in the text.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Diagnostic {
    /// Stable, for example `E-ADD-NUM`.
    pub code: String,
    pub severity: Severity,
    pub message: Words,
    /// Start and end in UTF-16 code units of the text.
    pub span: [usize; 2],
}

impl From<state::Severity> for Severity {
    fn from(severity: state::Severity) -> Self {
        match severity {
            state::Severity::Error => Severity::Error,
            state::Severity::Warning => Severity::Warning,
            state::Severity::Info => Severity::Info,
        }
    }
}

/// A path of a state: keys of objects and indices of lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PathStep<'a> {
    Key(Cow<'a, str>),
    Index(usize),
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|step| match step {
            Step::Key(key) => PathStep::Key(Cow::Borrowed(key)),
            Step::Index(index) => PathStep::Index(*index),
        }))
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let steps = Vec::<PathStep<'_>>::deserialize(deserializer)?.into_iter().map(|step| match step {
            PathStep::Key(key) => Step::Key(key.into()),
            PathStep::Index(index) => Step::Index(index),
        });
        Ok(Path(steps.collect()))
    }
}

impl PartialSchema for Path {
    fn schema() -> RefOr<Schema> {
        let step = |kind| ObjectBuilder::new().schema_type(kind);
        let index = step(Type::Integer).minimum(Some(0));
        let one = OneOfBuilder::new().item(step(Type::String)).item(index);
        let steps = ArrayBuilder::new().items(RefOr::T(Schema::OneOf(one.build())));
        steps.description(Some("Keys of objects and indices of lists.")).into()
    }
}

impl ToSchema for Path {
    fn name() -> Cow<'static, str> {
        "StatePath".into()
    }
}

/// A change of one path of a state.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Change {
    pub path: Path,
    pub kind: ChangeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub old: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub new: Option<Json>,
}

impl From<&Op> for Change {
    fn from(op: &Op) -> Self {
        let json = |value: &Value| Some(Json(value.clone()));
        let (kind, old, new) = match &op.change {
            state::Change::Set { old, new } => (ChangeKind::Changed, json(old), json(new)),
            state::Change::Insert { new, .. } => (ChangeKind::Added, None, json(new)),
            state::Change::Remove { old, .. } => (ChangeKind::Removed, json(old), None),
        };
        Change { path: Path(op.path.clone()), kind, old, new }
    }
}

/// Returns ops as changes.
pub fn changes<'a>(ops: impl IntoIterator<Item = &'a Op>) -> Vec<Change> {
    ops.into_iter().map(Change::from).collect()
}

/// Parses an id that may be null, absent or empty.
pub fn optional_id<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.filter(|text| !text.is_empty()).map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}
