//! Limits how much one message may add to a state without writing it out: copies, and nulls that
//! fill lists.
//!
//! A short message must not make a huge state: a list that is copied into itself doubles each time.

use storeyline_state::Value;

use crate::draft::Refusal;

/// Maximum weight that a message may add. Each value weighs 1, a long text more.
pub(crate) const MAX_GROWTH: usize = 50_000;

/// Number of text bytes that weigh as much as one value.
const BYTES_PER_VALUE: usize = 32;

/// Returns the new total, or refuses the growth.
pub(crate) fn grow(grown: usize, by: usize) -> Result<usize, Refusal> {
    let grown = grown.saturating_add(by);
    if grown <= MAX_GROWTH {
        return Ok(grown);
    }
    Err(Refusal::new(
        "E-GROWTH",
        "这条消息让状态增大太多，没有执行。",
        "This message makes the state grow too much; nothing was done.",
    ))
}

/// Returns the weight of a value. Stops at the limit, which bounds the cost.
pub(crate) fn weight(value: &Value) -> usize {
    let mut left = MAX_GROWTH + 1;
    weigh(value, &mut left);
    MAX_GROWTH + 1 - left
}

fn weigh(value: &Value, left: &mut usize) {
    let mut take = |weight: usize| *left = left.saturating_sub(weight);
    match value {
        Value::Text(text) => take(1 + text.len() / BYTES_PER_VALUE),
        Value::List(items) => {
            take(1);
            for item in items.iter() {
                if *left == 0 {
                    return;
                }
                weigh(item, left);
            }
        }
        Value::Object(object) => {
            take(1);
            for (key, inner) in object.iter() {
                if *left == 0 {
                    return;
                }
                *left = left.saturating_sub(key.len() / BYTES_PER_VALUE);
                weigh(inner, left);
            }
        }
        _ => take(1),
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn long_texts_weigh_more_and_weighing_ends() {
        assert_eq!(weight(&json::read(r#"{"a":[1,2],"b":"x"}"#).unwrap()), 5);
        assert_eq!(weight(&Value::text("x".repeat(320))), 11);
        assert_eq!(weight(&Value::list(vec![Value::Null; 200_000])), MAX_GROWTH + 1);
        assert!(grow(0, MAX_GROWTH).is_ok() && grow(1, MAX_GROWTH).is_err());
    }
}
