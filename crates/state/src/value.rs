//! One JSON value: the state of a page, and every part of it.
//!
//! Lists and objects are shared (`Arc`) and copied on write, so that a copy of a state costs a
//! pointer. Each shared part caches its digest; a change of one leaf updates only the digests on
//! the path to it.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use triomphe::Arc;

use crate::digest::{self, Sum};
use crate::id::StateHash;
use crate::json;
use crate::list::List;
use crate::number::Number;
use crate::object::Object;
use crate::op::Step;

/// A text: short ones are stored inline, long ones are shared.
pub type Text = smol_str::SmolStr;

#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(Text),
    List(Arc<Shared<List>>),
    /// In JavaScript's key order.
    Object(Arc<Shared<Object>>),
}

/// A list or an object together with its cached digest.
#[derive(Debug, Clone, Default)]
pub struct Shared<T> {
    inner: T,
    sum: OnceLock<Sum>,
}

/// A container that can update its digest incrementally.
pub trait Tracked: Clone {
    #[doc(hidden)]
    fn compute_sum(&self) -> Sum;
    /// Starts tracking changes from a digest that is correct now.
    #[doc(hidden)]
    fn track_from(&mut self, sum: Sum);
}

impl<T: Tracked> Shared<T> {
    fn new(inner: T) -> Shared<T> {
        Shared { inner, sum: OnceLock::new() }
    }

    pub(crate) fn sum(&self) -> Sum {
        *self.sum.get_or_init(|| self.inner.compute_sum())
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

/// Returns the contents for changing; copies them if shared. The digest is updated later.
pub fn edit<T: Tracked>(shared: &mut Arc<Shared<T>>) -> &mut T {
    let shared = Arc::make_mut(shared);
    if let Some(sum) = shared.sum.take() {
        shared.inner.track_from(sum);
    }
    &mut shared.inner
}

impl Value {
    pub fn text(text: impl AsRef<str>) -> Value {
        Value::Text(Text::new(text))
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(Shared::new(List::from(items))))
    }

    pub fn object(object: Object) -> Value {
        Value::Object(Arc::new(Shared::new(object)))
    }

    pub fn entries<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::object(Object::from(entries))
    }

    /// Returns a list of texts.
    pub fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Value {
        Value::list(texts.into_iter().map(Value::text).collect())
    }

    /// Returns `{}`, the state of a story without a template.
    pub fn empty_object() -> Value {
        Value::object(Object::default())
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn to_text(&self) -> Option<String> {
        self.as_text().map(str::to_owned)
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the value under a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }

    /// Returns the value that steps lead to.
    pub fn at(&self, steps: &[Step]) -> Option<&Value> {
        steps.iter().try_fold(self, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.as_list()?.get(*index),
        })
    }

    /// Parses a list; `None` if this is no list or an item cannot be read.
    pub fn read_list<T>(&self, read: impl FnMut(&Value) -> Option<T>) -> Option<Vec<T>> {
        self.as_list()?.iter().map(read).collect()
    }

    /// Parses the value under a key, which may be missing; `None` if it cannot be read.
    pub fn read_optional<T>(&self, key: &str, read: impl FnOnce(&Value) -> Option<T>) -> Option<Option<T>> {
        self.get(key).map_or(Some(None), |value| read(value).map(Some))
    }

    /// Returns a copy in which every text and every key is replaced.
    pub fn map_texts(&self, replace: &impl Fn(&str) -> String) -> Value {
        match self {
            Value::Text(text) => Value::text(replace(text)),
            Value::List(items) => Value::list(items.iter().map(|item| item.map_texts(replace)).collect()),
            Value::Object(object) => {
                let entries = object.iter().map(|(key, value)| (replace(key).into(), value.map_texts(replace)));
                Value::object(entries.collect())
            }
            other => other.clone(),
        }
    }

    /// Returns the nesting of lists and objects: 0 for a leaf.
    pub fn depth(&self) -> usize {
        match self {
            Value::List(items) => 1 + items.iter().map(Value::depth).max().unwrap_or(0),
            Value::Object(object) => 1 + object.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns the content hash. Key order is part of the content.
    pub fn hash(&self) -> StateHash {
        StateHash::from_bytes(digest::whole(self))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b) || a.inner == b.inner,
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b) || a.inner == b.inner,
            _ => false,
        }
    }
}

impl Eq for Value {}

/// A value is its JSON text, in any format: numbers stay exact and nesting stays bounded.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&json::write(self))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        #[derive(Deserialize)]
        struct Json<'a>(#[serde(borrow)] Cow<'a, str>);

        let Json(text) = Json::deserialize(deserializer)?;
        json::read_stored(&text).map_err(de::Error::custom)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Number(number.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn the_hash_depends_on_content_and_order_only() {
        let read = |text| json::read(text).unwrap();
        assert_eq!(read(r#"{"a":1,"b":[2]}"#).hash(), read(r#"{ "a": 1.0, "b": [2] }"#).hash());
        assert_ne!(read(r#"{"a":1,"b":2}"#).hash(), read(r#"{"b":2,"a":1}"#).hash());
        assert_ne!(read(r#"["1"]"#).hash(), read("[1]").hash());
        assert_ne!(read(r#"[["a"],"b"]"#).hash(), read(r#"[["a","b"]]"#).hash());
    }

    #[test]
    fn a_change_after_hashing_gives_another_hash() {
        let mut value = json::read(r#"{"a":1}"#).unwrap();
        let before = value.hash();
        let Value::Object(object) = &mut value else { unreachable!() };
        edit(object).insert("a".into(), 2.into());
        assert_ne!(value.hash(), before);
    }
}
