//! Extracts the variables of an MVU JSON block (seed 000 §5.3): without `$meta` and `$arrayMeta`
//! fields and without the `"$__META_EXTENSIBLE__$"` mark in lists.
//!
//! `[value, "description"]` pairs are variables and stay. Of a whole record that MVU stores with a
//! message, only `stat_data` is taken.

use storeyline_state::{Object, Value};

/// The mark of an extensible list.
const MARK: &str = "$__META_EXTENSIBLE__$";

/// The keys of a record that MVU stores.
const RECORD: [&str; 6] = ["stat_data", "display_data", "delta_data", "schema", "initialized_lorebooks", "snapshot"];

/// Returns the variables of an MVU block or record, without metadata.
pub fn strip_mvu(value: &Value) -> Value {
    without_metadata(stat_data(value).unwrap_or(value))
}

/// Returns the state inside a record of MVU; `None` if this is not one.
pub fn stat_data(value: &Value) -> Option<&Value> {
    let record = value.as_object()?;
    let state = record.get("stat_data").filter(|state| state.as_object().is_some())?;
    record.iter().all(|(key, _)| RECORD.contains(&&**key)).then_some(state)
}

/// Removes metadata. The parser bounds nesting, so recursion is safe.
pub(crate) fn without_metadata(value: &Value) -> Value {
    match value {
        Value::List(items) => {
            Value::list(items.iter().filter(|item| item.as_text() != Some(MARK)).map(without_metadata).collect())
        }
        Value::Object(object) => {
            let kept = object.iter().filter(|(key, _)| !matches!(&***key, "$meta" | "$arrayMeta"));
            Value::object(kept.map(|(key, value)| (key.clone(), without_metadata(value))).collect::<Object>())
        }
        leaf => leaf.clone(),
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn metadata_goes_and_variables_stay() {
        for (given, wanted) in [
            (
                r#"{"$meta":{"extensible":true},"a":{"$meta":1,"b":[1,"$__META_EXTENSIBLE__$",{"$arrayMeta":true,"$meta":{},"c":2}]}}"#,
                r#"{"a":{"b":[1,{"c":2}]}}"#,
            ),
            (
                r#"{"好感":[5,"对玩家的好感"],"日期":"2031-05-07"}"#,
                r#"{"好感":[5,"对玩家的好感"],"日期":"2031-05-07"}"#,
            ),
            (
                r#"{"stat_data":{"x":1,"$meta":{}},"display_data":{},"delta_data":{},"schema":{},"initialized_lorebooks":{}}"#,
                r#"{"x":1}"#,
            ),
            (r#"{"stat_data":{"x":1},"own":2}"#, r#"{"stat_data":{"x":1},"own":2}"#),
            (r#""$__META_EXTENSIBLE__$""#, r#""$__META_EXTENSIBLE__$""#),
        ] {
            assert_eq!(json::write(&strip_mvu(&json::read(given).unwrap())), wanted);
        }
    }
}
