//! An object's entries in JavaScript's order: integer-like keys ascending, then the others as
//! inserted. The order reaches prompts and hashes, so it is part of the value.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::value::Value;

/// The entries of a JSON object.
#[derive(Debug, Clone, Default)]
pub struct Object {
    entries: IndexMap<Arc<str>, Value>,
}

impl Object {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.get(key)
    }

    /// Returns the value under a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.entries.get_mut(key)
    }

    /// Returns the position of a key.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.entries.get_index_of(key)
    }

    /// Sets a key; a new one takes the place that JavaScript would give it. Returns that place.
    pub fn insert(&mut self, key: Arc<str>, value: Value) -> usize {
        if let Some((index, _, slot)) = self.entries.get_full_mut(&*key) {
            *slot = value;
            return index;
        }
        let index = match array_index(&key) {
            Some(number) => {
                self.entries.keys().take_while(|other| array_index(other).is_some_and(|o| o < number)).count()
            }
            None => self.entries.len(),
        };
        self.entries.shift_insert(index, key, value);
        index
    }

    /// Puts a key back at the place it was removed from.
    pub fn insert_at(&mut self, at: usize, key: Arc<str>, value: Value) {
        let at = at.min(self.entries.len());
        self.entries.shift_insert(at, key, value);
    }

    /// Removes a key and returns its place and value; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<(usize, Value)> {
        let (index, _, value) = self.entries.shift_remove_full(key)?;
        Some((index, value))
    }

    /// Goes through the entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.entries.iter()
    }
}

/// Order counts: it reaches prompts.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a == b)
    }
}

impl Eq for Object {}

impl FromIterator<(Arc<str>, Value)> for Object {
    /// Sorts once at the end: number after number, each put in its place, would take time squared.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(iter: I) -> Self {
        let mut entries: IndexMap<Arc<str>, Value> = iter.into_iter().collect();
        if entries.keys().any(|key| array_index(key).is_some()) {
            entries.sort_by_cached_key(|key, _| array_index(key).unwrap_or(u32::MAX));
        }
        Object { entries }
    }
}

/// The number that a key is to JavaScript, if it is an array index.
pub fn array_index(key: &str) -> Option<u32> {
    let canonical = key == "0" || (!key.starts_with('0') && !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()));
    if !canonical {
        return None;
    }
    key.parse::<u32>().ok().filter(|number| *number != u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(object: &Object) -> Vec<&str> {
        object.iter().map(|(key, _)| &**key).collect()
    }

    #[test]
    fn integer_like_keys_come_first_in_ascending_order() {
        let object: Object =
            ["b", "10", "a", "2", "01", "4294967295"].map(|key| (Arc::from(key), Value::Null)).into_iter().collect();
        assert_eq!(keys(&object), ["2", "10", "b", "a", "01", "4294967295"]);
    }

    #[test]
    fn many_integer_like_keys_are_no_burden() {
        let object: Object =
            (0..300_000).rev().map(|number: i64| (Arc::from(number.to_string()), Value::Null)).collect();
        assert_eq!((object.len(), object.position("299999")), (300_000, Some(299_999)));
    }

    #[test]
    fn a_removed_key_can_go_back_to_its_place() {
        let mut object: Object = ["a", "b", "c"].map(|key| (Arc::from(key), Value::Null)).into_iter().collect();
        let (at, value) = object.remove("b").unwrap();
        object.insert_at(at, "b".into(), value);
        assert_eq!(keys(&object), ["a", "b", "c"]);
    }
}
