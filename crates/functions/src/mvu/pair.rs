//! `[value, "description"]`: a list of two whose second item is text and whose first is no list.

use storeyline_state::Value;

/// Returns the value of a pair.
pub(super) fn value_of(value: &Value) -> Option<&Value> {
    match value.as_list()? {
        [first, Value::Text(_)] if first.as_list().is_none() => Some(first),
        _ => None,
    }
}
