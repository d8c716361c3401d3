//! Builds JSON objects whose fields are known when the program is written.

use storeyline_state::{Object, Value};

/// Returns an object with these fields, in this order.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::object(fields.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
}
