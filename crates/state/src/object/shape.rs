//! Object shapes: objects with the same keys in the same order share one list of keys.
//!
//! Used while reading many objects. The first key of an object selects a cached shape; as long as
//! the following keys match it, no key is looked up or allocated. An object that matches no cached
//! shape is built key by key.

use triomphe::Arc;

use super::row::{KeyList, MAX_ENTRIES, Row};
use super::{Entries, Object, array_index};
use crate::value::{Text, Value};

/// Number of slots in the cache. Shapes whose first keys hash to the same slot replace each other.
const CACHE_SLOTS: usize = 64;

/// The keys of a small object, in order.
#[derive(Debug, Clone)]
pub struct Shape(Arc<KeyList>);

impl Shape {
    /// Returns the shape of an object. A wide object (a tree) has none.
    pub fn of(object: &Object) -> Option<Shape> {
        match &object.0 {
            Entries::Row(row) => Some(Shape(row.shape().clone())),
            Entries::Tree(_) => None,
        }
    }

    /// Makes a shape from keys. Returns `None` unless they are distinct and in JavaScript's order.
    pub fn new(keys: Vec<Text>) -> Option<Shape> {
        let numbered = keys.iter().map_while(|key| array_index(key)).count();
        let (numbers, names) = keys.split_at(numbered);
        let ascending = numbers.is_sorted_by(|one, next| array_index(one) < array_index(next));
        let are_names = names.iter().all(|key| array_index(key).is_none());
        (keys.len() <= MAX_ENTRIES && ascending && are_names && are_distinct(names))
            .then(|| Shape(Arc::new(KeyList::new(keys))))
    }

    pub fn keys(&self) -> &[Text] {
        &self.0
    }

    /// Returns a short fingerprint of the keys and their order. Different shapes may have the same
    /// one.
    pub fn fingerprint(&self) -> u8 {
        self.0.links().0 as u8
    }

    /// Makes an object of this shape. Returns `None` unless there is one value per key.
    pub fn object(&self, values: Vec<Value>) -> Option<Object> {
        (values.len() == self.0.len()).then(|| Object(Entries::Row(Row::of_shape(self.0.clone(), values))))
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.keys() == other.keys()
    }
}

impl Eq for Shape {}

/// The shapes met while parsing one text.
#[derive(Debug, Default)]
pub struct ShapeCache {
    // Empty until the first object is complete: a text is often a single object.
    shapes: Vec<Option<Arc<KeyList>>>,
}

impl ShapeCache {
    fn guess(&self, first: &str) -> Option<Arc<KeyList>> {
        let shape = self.shapes.get(slot_of(first))?.as_ref()?;
        (**shape.first()? == *first).then(|| shape.clone())
    }

    fn remember(&mut self, shape: &Arc<KeyList>) {
        let Some(first) = shape.first() else { return };
        if self.shapes.is_empty() {
            self.shapes.resize(CACHE_SLOTS, None);
        }
        self.shapes[slot_of(first)] = Some(shape.clone());
    }
}

/// Tells whether all keys are distinct. Only keys that hash to the same slot are compared.
fn are_distinct(keys: &[Text]) -> bool {
    let mut taken = [false; CACHE_SLOTS];
    keys.iter().enumerate().all(|(at, key)| {
        let is_taken = std::mem::replace(&mut taken[slot_of(key)], true);
        !is_taken || !keys[..at].contains(key)
    })
}

/// Returns the slot of a shape, from the length and the first and last bytes of its first key.
fn slot_of(key: &str) -> usize {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let bytes = key.as_bytes();
    let ends = match bytes.len() {
        0..=8 => word(bytes),
        length => word(&bytes[..8]).rotate_left(23) ^ word(&bytes[length - 8..]),
    };
    ((ends ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % CACHE_SLOTS
}

/// An object that is being parsed.
#[derive(Debug)]
pub struct ObjectBuilder(BuilderState);

#[derive(Debug)]
enum BuilderState {
    /// No entry yet; the number is the initial capacity.
    Empty(usize),
    /// All entries so far match the first keys of a shape.
    Matching(Arc<KeyList>, Vec<Value>),
    /// The entries match no shape.
    Other(Object),
}

impl ObjectBuilder {
    pub fn with_capacity(entries: usize) -> ObjectBuilder {
        ObjectBuilder(BuilderState::Empty(entries))
    }

    /// Sets a key, as [`Object::insert`] does.
    pub fn insert(&mut self, key: &str, value: Value, shapes: &mut ShapeCache) {
        match &mut self.0 {
            BuilderState::Matching(shape, values) if shape.get(values.len()).is_some_and(|next| **next == *key) => {
                values.push(value);
            }
            BuilderState::Other(object) => object.insert(key.into(), value),
            BuilderState::Empty(room) => {
                self.0 = match shapes.guess(key) {
                    Some(shape) => {
                        let mut values = Vec::with_capacity(shape.len());
                        values.push(value);
                        BuilderState::Matching(shape, values)
                    }
                    None => {
                        let mut object = Object::with_capacity(*room);
                        object.insert(key.into(), value);
                        BuilderState::Other(object)
                    }
                };
            }
            BuilderState::Matching(shape, values) => {
                let mut object = Object(Entries::Row(Row::beginning_of(shape, std::mem::take(values))));
                object.insert(key.into(), value);
                self.0 = BuilderState::Other(object);
            }
        }
    }

    /// Finishes the object and caches its shape.
    pub fn finish(self, shapes: &mut ShapeCache) -> Object {
        let object = self.finish_last();
        if let Entries::Row(row) = &object.0 {
            shapes.remember(row.shape());
        }
        object
    }

    /// Finishes the object without caching its shape.
    pub(crate) fn finish_last(self) -> Object {
        match self.0 {
            BuilderState::Empty(_) => Object::default(),
            BuilderState::Matching(shape, values) => Object(Entries::Row(match shape.len() == values.len() {
                true => Row::of_shape(shape, values),
                false => Row::beginning_of(&shape, values),
            })),
            BuilderState::Other(object) => object,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::edit;

    /// Few keys, so that shapes repeat, are prefixes of each other, and contain a key twice.
    fn object() -> impl Strategy<Value = Vec<(String, i64)>> {
        let key = prop_oneof![Just("甲"), Just("乙"), Just("丙"), Just("2"), Just("1")].prop_map(str::to_owned);
        prop::collection::vec((key, 0..9i64), 0..6)
    }

    fn one_by_one(entries: &[(String, i64)]) -> Value {
        let mut object = Object::default();
        entries.iter().for_each(|(key, value)| object.insert(key.as_str().into(), (*value).into()));
        Value::object(object)
    }

    proptest! {
        #[test]
        fn objects_of_a_shape_equal_those_built_key_by_key(objects in prop::collection::vec(object(), 1..12)) {
            let written = objects.iter().map(|entries| {
                let entries: Vec<String> = entries.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", entries.join(","))
            });
            let text = format!("[{}]", written.collect::<Vec<_>>().join(","));
            let read = json::read(&text).unwrap();
            read.hash();
            for (value, entries) in read.as_list().unwrap().iter().zip(&objects) {
                let wanted = one_by_one(entries);
                prop_assert_eq!(value, &wanted);
                prop_assert_eq!(value.hash(), wanted.hash());
            }
        }
    }

    #[test]
    fn a_shape_has_distinct_keys_in_javascripts_order() {
        let shape = |keys: &[&str]| Shape::new(keys.iter().map(|key| (*key).into()).collect());
        for keys in [&[][..], &["b", "a"], &["2", "10", "b", "a", "01"]] {
            let object = shape(keys).unwrap().object(vec![Value::Null; keys.len()]).unwrap();
            let wanted: Object = keys.iter().map(|key| ((*key).into(), Value::Null)).collect();
            assert_eq!(object, wanted, "{keys:?}");
        }
        for keys in [&["a", "a"][..], &["10", "2"], &["2", "2"], &["a", "2"], &["a"; 33]] {
            assert_eq!(shape(keys), None, "{keys:?}");
        }
        assert_eq!(shape(&["a"]).unwrap().object(Vec::new()), None);
    }

    #[test]
    fn a_change_of_keys_does_not_affect_other_objects_of_the_shape() {
        let read = json::read(r#"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#).unwrap();
        let items = read.as_list().unwrap();
        let rows = items.iter().map(|item| match &item.as_object().unwrap().0 {
            Entries::Row(row) => row.shape().clone(),
            Entries::Tree(_) => unreachable!("it is small"),
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.windows(2).all(|two| Arc::ptr_eq(&two[0], &two[1])), "one list of keys for all");
        read.hash();
        let (mut added, mut removed) = (items[0].clone(), items[1].clone());
        let Value::Object(shared) = &mut added else { unreachable!() };
        edit(shared).insert("c".into(), 7.into());
        let Value::Object(shared) = &mut removed else { unreachable!() };
        edit(shared).remove("a");
        for (value, wanted) in
            [(added, r#"{"a":1,"b":2,"c":7}"#), (removed, r#"{"b":4}"#), (items[2].clone(), r#"{"a":5,"b":6}"#)]
        {
            assert_eq!(json::write(&value), wanted);
            assert_eq!(value.hash(), json::read(wanted).unwrap().hash());
        }
    }
}
