//! Object shapes: objects with the same keys in the same order share one list of keys.
//!
//! The store reads and writes objects by their shapes.

use triomphe::Arc;

use super::row::{KeyList, MAX_ENTRIES, Row};
use super::{Entries, Object, array_index};
use crate::value::{Text, Value};

/// The keys of a small object, in order.
#[derive(Debug, Clone)]
pub struct Shape(Arc<KeyList>);

impl Shape {
    /// Returns the shape of an object. A wide object (a tree) has none.
    pub fn of(object: &Object) -> Option<Shape> {
        match &object.entries {
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
        let are_distinct = || (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        (keys.len() <= MAX_ENTRIES && ascending && are_names && are_distinct())
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
        (values.len() == self.0.len()).then(|| Row::of_shape(self.0.clone(), values).into())
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.keys() == other.keys()
    }
}

impl Eq for Shape {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::value::edit;

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
        let shape = Shape::new(vec!["a".into(), "b".into()]).unwrap();
        let row = |a: i64| Value::object(shape.object(vec![a.into(), (a + 1).into()]).unwrap());
        let items = [row(1), row(3), row(5)];
        items.iter().for_each(|item| assert_eq!(item.hash(), json::read(&json::write(item)).unwrap().hash()));
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
