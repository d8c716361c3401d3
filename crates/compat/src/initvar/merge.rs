//! Combines several sources as MVU does.

use storeyline_state::{Object, Value};

/// Merges entries of one book: deep, the later one has priority, lists are replaced as a whole.
pub(crate) fn merge(base: &Value, over: &Value) -> Value {
    let (Value::Object(base), Value::Object(over)) = (base, over) else {
        return over.clone();
    };
    let mut out = Object::clone(base);
    for (key, value) in over.iter() {
        let merged = out.get(key).map_or_else(|| value.clone(), |old| merge(old, value));
        out.insert(key.clone(), merged);
    }
    Value::object(out)
}

/// Adds a further book: existing root keys stay; the new book's keys come first.
pub(crate) fn lay_under(state: &Value, book: &Value) -> Value {
    let (Value::Object(above), Value::Object(below)) = (state, book) else {
        return state.clone();
    };
    let entries = below.iter().chain(above.iter()).map(|(key, value)| (key.clone(), value.clone()));
    Value::object(entries.collect::<Object>())
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn entries_merge_deeply_and_books_by_root_key() {
        let read = |text| json::read(text).unwrap();
        let (a, b) = (read(r#"{"x":{"p":1,"l":[1,2]},"y":1}"#), read(r#"{"x":{"l":[3],"q":2},"z":0}"#));
        assert_eq!(json::write(&merge(&a, &b)), r#"{"x":{"p":1,"l":[3],"q":2},"y":1,"z":0}"#);
        assert_eq!(json::write(&lay_under(&a, &b)), r#"{"x":{"p":1,"l":[1,2]},"z":0,"y":1}"#);
    }
}
