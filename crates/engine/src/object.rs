//! JSON objects: building one from fields, and the order of keys.

use storeyline_state::{Object, Value};

/// Returns an object with these fields, in this order.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::object(fields.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
}

/// Returns a value with its keys in the order of another; other keys come last.
pub(crate) fn in_order_of(value: &Value, like: &Value) -> Value {
    match (value, like) {
        (Value::Object(object), Value::Object(like)) => {
            let known = like.iter().filter_map(|(key, like)| Some((key.clone(), in_order_of(object.get(key)?, like))));
            let others = object.iter().filter(|(key, _)| like.get(key).is_none());
            let others = others.map(|(key, value)| (key.clone(), value.clone()));
            Value::object(known.chain(others).collect::<Object>())
        }
        (Value::List(items), Value::List(like)) => {
            let none = Value::Null;
            let like = like.iter().chain(std::iter::repeat(&none));
            Value::list(items.iter().zip(like).map(|(item, like)| in_order_of(item, like)).collect())
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn keys_come_in_the_order_of_the_other() {
        let read = |text: &str| json::read(text).unwrap();
        let ordered = in_order_of(
            &read(r#"{"a":1,"b":[{"x":1,"y":2},{"q":1}],"z":{"k":1}}"#),
            &read(r#"{"b":[{"y":0,"x":0}],"c":5,"a":{}}"#),
        );
        assert_eq!(json::write(&ordered), r#"{"b":[{"y":2,"x":1},{"q":1}],"a":1,"z":{"k":1}}"#);
    }
}
