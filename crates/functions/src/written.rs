//! Interprets a written argument where the state has a number.

use storeyline_calls::{Arg, Form};
use storeyline_state::{Number, StatePath, Value};

use crate::draft::{Refusal, shown};

/// Returns the value to write over `old`.
///
/// `1,500` is one number, unless the number before the comma is the old value: then it is MVU's
/// `old, new`. A number is not replaced by an expression that cannot be computed.
pub(crate) fn value_over(path: &StatePath, old: Option<&Value>, new: &Arg) -> Result<Value, Refusal> {
    let Some(old) = old.and_then(Value::as_number) else { return Ok(new.value.clone()) };
    let expression = new.form == Form::Bare && new.value.as_text().is_some_and(is_expression);
    if expression {
        return Err(Refusal::new(
            "E-NOT-COMPUTED",
            format!("{} 无法算出数值，{path} 保持原值。", shown(&new.value)),
            format!("{} cannot be computed; {path} stays as it was.", shown(&new.value)),
        ));
    }
    match new.commas.as_ref().and_then(|written| written.split_once(',')) {
        Some((before, after)) if before.parse() == Ok(old) => {
            Ok(after.parse::<Number>().map_or_else(|_| new.value.clone(), Value::Number))
        }
        _ => Ok(new.value.clone()),
    }
}

/// Tells whether a text looks like an expression: two operands with a sign between them, one of
/// them with a digit, or a non-finite number.
fn is_expression(text: &str) -> bool {
    let word = text.trim_start_matches(['-', '+']);
    if word.eq_ignore_ascii_case("infinity") || word.eq_ignore_ascii_case("nan") {
        return true;
    }
    let signs = ['+', '-', '*', '/', '%', '^'];
    let between = word.find(signs).is_some_and(|at| at > 0 && !word[at..].trim_start_matches(signs).trim().is_empty());
    between && text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn a_number_is_not_replaced_by_an_expression_that_cannot_be_computed() {
        for text in ["账.支 * 2", "Infinity", "-infinity", "NaN", "hp+5", "max(hp, 3) - 1", "1/0"] {
            assert_eq!(after(r#"{"a":1}"#, &format!("@.SET(\"a\", {text});")), "E-NOT-COMPUTED", "{text}");
        }
        assert_eq!(after(r#"{"a":1}"#, "@.SET(\"a\", 重伤);"), r#"{"a":"重伤"}"#);
        assert_eq!(after(r#"{"a":1}"#, "@.SET(\"a\", \"hp + 5\");"), r#"{"a":"hp + 5"}"#);
        assert_eq!(after(r#"{"a":"x"}"#, "@.SET(\"a\", hp + 5);"), r#"{"a":"hp + 5"}"#);
        assert_eq!(after("{}", "@.SET(\"a\", 3-2号房);"), r#"{"a":"3-2号房"}"#);
    }

    #[test]
    fn thousands_are_one_number_unless_the_old_value_stands_before_the_comma() {
        assert_eq!(after(r#"{"a":5}"#, "_.set('a', 1,500);"), r#"{"a":1500}"#);
        assert_eq!(after(r#"{"a":1}"#, "_.set('a', 1,500);"), r#"{"a":500}"#);
        assert_eq!(after(r#"{"a":5}"#, "@.ADD(\"a\", 1,234,500);"), r#"{"a":1234505}"#);
        assert_eq!(after(r#"{"a":5}"#, "_.set('a',5,500);"), r#"{"a":500}"#);
        assert_eq!(after(r#"{"a":5}"#, "_.set('a', 4, 500);"), r#"{"a":500}"#);
        assert_eq!(after(r#"{"a":5}"#, "_.set('a', 4,50);"), r#"{"a":50}"#);
    }
}
