//! Positions in the change feed as text. The other ids are those of `storeyline_state`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

pub use storeyline_state::{ChatId, NodeId, PageId, RefId, StateHash, StoryId, TextHash};

/// A position in the changes of an owner. Clients return it unchanged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(pub i64);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{:x}", self.0)
    }
}

impl FromStr for Cursor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix('c').and_then(|digits| i64::from_str_radix(digits, 16).ok());
        number.map(Cursor).ok_or("this is no position that was given out")
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for Cursor {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^c[0-9a-f]{1,16}$"));
        object.description(Some("A position in the changes; give it back as it came.")).into()
    }
}

impl ToSchema for Cursor {
    fn name() -> Cow<'static, str> {
        "Cursor".into()
    }
}
