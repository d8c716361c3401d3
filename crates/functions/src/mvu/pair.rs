//! `[value, "description"]` pairs: a list of two whose second item is text and whose first is no
//! list.

use storeyline_state::{Spot, StatePath, Value};

use crate::draft::{Refusal, missing, refuse_path};

pub(super) fn value_of(value: &Value) -> Option<&Value> {
    match value.as_list()? {
        [first, Value::Text(_)] if first.as_list().is_none() => Some(first),
        _ => None,
    }
}

/// Returns path and position of the value of a pair.
pub(super) fn first(pair: Spot, path: &StatePath) -> Result<(StatePath, Spot), Refusal> {
    let path = path.child("0").map_err(refuse_path)?;
    let spot = pair.item(0).ok_or_else(|| missing(&path))?;
    Ok((path, spot))
}
