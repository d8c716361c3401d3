//! Infers a schema from a state.

use storeyline_state::{Object, Text, Value};

use super::ValueType;

pub(super) fn infer(state: &Value) -> Value {
    let mut entries: Vec<(Text, Value)> = Vec::new();
    // A value that is null now may have any type later.
    if *state != Value::Null {
        entries.push(("type".into(), ValueType::of(state).as_str().into()));
    }
    match state {
        Value::Object(object) if !object.is_empty() => {
            let fields: Object = object.iter().map(|(key, value)| (key.clone(), infer(value))).collect();
            entries.push(("properties".into(), Value::object(fields)));
        }
        Value::List(items) => {
            let mut rules = items.iter().map(infer);
            if let Some(first) = rules.next().filter(|first| rules.all(|rule| rule == *first)) {
                entries.push(("items".into(), first));
            }
        }
        _ => {}
    }
    Value::object(entries.into_iter().collect())
}
