//! JSON values on the wire: numbers stay exact, keys stay in order.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use storeyline_state::{Value, json};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::wire::common::raw;

/// Any JSON value.
#[derive(Debug, Clone)]
pub(crate) struct Any(pub(crate) Value);

/// A JSON object.
#[derive(Debug, Clone)]
pub(crate) struct Object(pub(crate) Value);

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    json::read(raw.get()).map_err(serde::de::Error::custom)
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer).map(Any)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match read(deserializer)? {
            value if value.as_object().is_some() => Ok(Object(value)),
            _ => Err(serde::de::Error::custom("an object is wanted here")),
        }
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw(&self.0).serialize(serializer)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw(&self.0).serialize(serializer)
    }
}

impl PartialSchema for Any {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        object.description(Some("Any JSON value; numbers are exact, keys keep their order.")).into()
    }
}

impl ToSchema for Any {
    fn name() -> Cow<'static, str> {
        "Json".into()
    }
}

impl PartialSchema for Object {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::Object);
        let object = object.additional_properties(Some(AdditionalProperties::FreeForm(true)));
        object.description(Some("Any JSON object; numbers are exact, keys keep their order.")).into()
    }
}

impl ToSchema for Object {
    fn name() -> Cow<'static, str> {
        "JsonObject".into()
    }
}

/// Parses a value that may be null, which is not the same as absent.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Any>, D::Error> {
    Any::deserialize(deserializer).map(Some)
}
