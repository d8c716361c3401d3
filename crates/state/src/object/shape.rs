//! Reading many objects of few kinds: those with the same keys in the same order share their keys.
//!
//! The first key of an object tells which kind it may be; as long as its keys are those of that
//! kind, nothing is looked up and nothing is kept twice. One that turns out to be of no kind that
//! was met is built key by key.

use triomphe::Arc;

use super::row::{KeyList, MOST, Row};
use super::{Entries, Object, array_index};
use crate::value::{Text, Value};

/// How many kinds are remembered. Two whose first keys fall together take turns.
const KINDS: usize = 64;

/// The keys of a small object, in order.
#[derive(Debug, Clone)]
pub struct Shape(Arc<KeyList>);

impl Shape {
    /// Returns the kind of an object; a wide one has none.
    pub fn of(object: &Object) -> Option<Shape> {
        match &object.0 {
            Entries::Row(row) => Some(Shape(row.kind().clone())),
            Entries::Tree(_) => None,
        }
    }

    /// Makes a kind of keys that differ from each other and stand in JavaScript's order.
    pub fn new(keys: Vec<Text>) -> Option<Shape> {
        let numbered = keys.iter().map_while(|key| array_index(key)).count();
        let (numbers, names) = keys.split_at(numbered);
        let rise = numbers.is_sorted_by(|one, next| array_index(one) < array_index(next));
        let are_names = names.iter().all(|key| array_index(key).is_none());
        (keys.len() <= MOST && rise && are_names && differ(names)).then(|| Shape(Arc::new(KeyList::new(keys))))
    }

    /// Returns the keys.
    pub fn keys(&self) -> &[Text] {
        &self.0
    }

    /// Returns a number that depends on the keys and their order only; kinds may have the same.
    pub fn fingerprint(&self) -> u8 {
        self.0.links().0 as u8
    }

    /// Makes an object of this kind from as many values.
    pub fn object(&self, values: Vec<Value>) -> Option<Object> {
        (values.len() == self.0.len()).then(|| Object(Entries::Row(Row::of_kind(self.0.clone(), values))))
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.keys() == other.keys()
    }
}

impl Eq for Shape {}

/// The kinds of objects that were met while reading one text.
#[derive(Debug, Default)]
pub struct ShapeCache {
    // Empty until the first object is done: a text is often one object and no more.
    kinds: Vec<Option<Arc<KeyList>>>,
}

impl ShapeCache {
    fn guess(&self, first: &str) -> Option<Arc<KeyList>> {
        let kind = self.kinds.get(place(first))?.as_ref()?;
        (**kind.first()? == *first).then(|| kind.clone())
    }

    fn meet(&mut self, kind: &Arc<KeyList>) {
        let Some(first) = kind.first() else { return };
        if self.kinds.is_empty() {
            self.kinds.resize(KINDS, None);
        }
        self.kinds[place(first)] = Some(kind.clone());
    }
}

/// Tells whether all keys differ. Only those that fall into one place have to be compared.
fn differ(keys: &[Text]) -> bool {
    let mut taken = [false; KINDS];
    keys.iter().enumerate().all(|(at, key)| {
        let is_taken = std::mem::replace(&mut taken[place(key)], true);
        !is_taken || !keys[..at].contains(key)
    })
}

/// Where a kind is kept: by the length and the first and last bytes of its first key.
fn place(key: &str) -> usize {
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
    ((ends ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % KINDS
}

/// An object whose end was not read yet.
#[derive(Debug)]
pub struct Unfinished(Part);

#[derive(Debug)]
enum Part {
    /// No entry yet, but room for some.
    Empty(usize),
    /// All entries so far are the first ones of a kind.
    OfKind(Arc<KeyList>, Vec<Value>),
    /// Something else.
    Other(Object),
}

impl Unfinished {
    /// Begins an object in which so many entries have room from the start.
    pub fn with_capacity(entries: usize) -> Unfinished {
        Unfinished(Part::Empty(entries))
    }

    /// Sets a key, as [`Object::insert`] does.
    pub fn insert(&mut self, key: &str, value: Value, kinds: &mut ShapeCache) {
        match &mut self.0 {
            Part::OfKind(kind, values) if kind.get(values.len()).is_some_and(|next| **next == *key) => {
                values.push(value);
            }
            Part::Other(object) => object.insert(key.into(), value),
            Part::Empty(room) => {
                self.0 = match kinds.guess(key) {
                    Some(kind) => {
                        let mut values = Vec::with_capacity(kind.len());
                        values.push(value);
                        Part::OfKind(kind, values)
                    }
                    None => {
                        let mut object = Object::with_capacity(*room);
                        object.insert(key.into(), value);
                        Part::Other(object)
                    }
                };
            }
            Part::OfKind(kind, values) => {
                let mut object = Object(Entries::Row(Row::beginning_of(kind, std::mem::take(values))));
                object.insert(key.into(), value);
                self.0 = Part::Other(object);
            }
        }
    }

    /// Ends the object; others of its kind may follow.
    pub fn finish(self, kinds: &mut ShapeCache) -> Object {
        let object = self.finish_last();
        if let Entries::Row(row) = &object.0 {
            kinds.meet(row.kind());
        }
        object
    }

    /// Ends the object that nothing follows.
    pub fn finish_last(self) -> Object {
        match self.0 {
            Part::Empty(_) => Object::default(),
            Part::OfKind(kind, values) => Object(Entries::Row(match kind.len() == values.len() {
                true => Row::of_kind(kind, values),
                false => Row::beginning_of(&kind, values),
            })),
            Part::Other(object) => object,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::edit;

    /// Few keys, so that kinds meet again, are the beginning of each other, and name a key twice.
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
        fn objects_of_a_kind_are_what_they_are_one_by_one(objects in prop::collection::vec(object(), 1..12)) {
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
    fn a_kind_has_different_keys_in_javascripts_order() {
        let kind = |keys: &[&str]| Shape::new(keys.iter().map(|key| (*key).into()).collect());
        for keys in [&[][..], &["b", "a"], &["2", "10", "b", "a", "01"]] {
            let object = kind(keys).unwrap().object(vec![Value::Null; keys.len()]).unwrap();
            let wanted: Object = keys.iter().map(|key| ((*key).into(), Value::Null)).collect();
            assert_eq!(object, wanted, "{keys:?}");
        }
        for keys in [&["a", "a"][..], &["10", "2"], &["2", "2"], &["a", "2"], &["a"; 33]] {
            assert_eq!(kind(keys), None, "{keys:?}");
        }
        assert_eq!(kind(&["a"]).unwrap().object(Vec::new()), None);
    }

    #[test]
    fn a_change_of_keys_leaves_the_others_of_the_kind_alone() {
        let read = json::read(r#"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#).unwrap();
        let items = read.as_list().unwrap();
        let rows = items.iter().map(|item| match &item.as_object().unwrap().0 {
            Entries::Row(row) => row.kind().clone(),
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
