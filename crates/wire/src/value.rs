//! JSON values on the wire: numbers stay exact, keys stay in order.

use std::borrow::Cow;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use storeyline_state::{Value, json};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub struct Json(pub Value);

/// A JSON object.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonObject(pub Value);

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    json::read(raw.get()).map_err(serde::de::Error::custom)
}

/// Converts a value to raw JSON: exact numbers, keys in order.
fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(json::write(value)).expect("our writer writes JSON")
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer).map(Json)
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match read(deserializer)? {
            value if value.as_object().is_some() => Ok(JsonObject(value)),
            _ => Err(serde::de::Error::custom("an object is wanted here")),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw(&self.0).serialize(serializer)
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw(&self.0).serialize(serializer)
    }
}

impl Deref for Json {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Json(value)
    }
}

impl PartialEq<Value> for Json {
    fn eq(&self, other: &Value) -> bool {
        self.0 == *other
    }
}

impl PartialSchema for Json {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        object.description(Some("Any JSON value; numbers are exact, keys keep their order.")).into()
    }
}

impl ToSchema for Json {
    fn name() -> Cow<'static, str> {
        "Json".into()
    }
}

impl PartialSchema for JsonObject {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::Object);
        let object = object.additional_properties(Some(AdditionalProperties::FreeForm(true)));
        object.description(Some("Any JSON object; numbers are exact, keys keep their order.")).into()
    }
}

impl ToSchema for JsonObject {
    fn name() -> Cow<'static, str> {
        "JsonObject".into()
    }
}

/// Parses a value that may be null, which is not the same as absent.
pub fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}
