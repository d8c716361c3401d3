//! Ids and hashes as text, validated when parsed.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use storeyline_engine::ChangeSeq;
use storeyline_state as state;
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A UUID; capitals are accepted.
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
/// 64 hexadecimal digits.
const HEX: &str = "^[0-9a-f]{64}$";

macro_rules! ids {
    ($($name:ident($inner:ty), $pattern:expr, $format:expr, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name(pub(crate) $inner);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map($name).map_err(serde::de::Error::custom)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        impl From<$inner> for $name {
            fn from(id: $inner) -> Self {
                $name(id)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let format: Option<&str> = $format;
                let object = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .format(format.map(|format| SchemaFormat::Custom(format.to_owned())))
                    .pattern(Some($pattern))
                    .description(Some($doc));
                object.into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )*};
}

ids! {
    StoryId(state::StoryId), UUID, Some("uuid"), "A story.";
    RefId(state::RefId), UUID, Some("uuid"), "A branch or a tag.";
    PageId(state::PageId), UUID, Some("uuid"), "One alternative text of a floor.";
    ChatId(state::ChatId), UUID, Some("uuid"), "A chat of the host.";
    NodeId(state::NodeId), HEX, None, "One turn under one ancestry; it never changes.";
    StateHash(state::StateHash), HEX, None, "Names a state by its content.";
    TextHash(state::TextHash), "^[A-Za-z0-9_-]{22}$", None, "The first 128 bits of SHA-256 over a canonical text, base64url.";
    Cursor(Position), "^c[0-9a-f]{1,16}$", None, "A position in the changes; give it back as it came.";
}

/// A position in the changes of an owner, as text. Clients return it unchanged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position(pub(crate) ChangeSeq);

impl From<ChangeSeq> for Cursor {
    fn from(seq: ChangeSeq) -> Self {
        Cursor(Position(seq))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{:x}", self.0.0)
    }
}

impl FromStr for Position {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix('c').and_then(|digits| i64::from_str_radix(digits, 16).ok());
        number.map(|number| Position(ChangeSeq(number))).ok_or("this is no position that was given out")
    }
}
