//! MVU's calls under MVU's rules: a path must exist to be set, `[value, "description"]` pairs keep
//! their description, dates can be added to. MVU's bugs are not copied; see `docs/compat.md`.

mod add;
mod delete;
mod insert;
pub(crate) mod locks;
mod pair;
mod set;

pub(crate) use add::add_at;
pub(crate) use delete::delete_path;
pub(crate) use insert::{insert_at, unmarked};
pub(crate) use set::set_at;

use storeyline_calls::{Arg, Form};
use storeyline_state::{StatePath, Text, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path};
use crate::native;
use crate::target;

pub(crate) const BUILTINS: &[&Builtin] = &[&set::SET, &add::ADD, &insert::INSERT, &delete::DELETE];

/// The same calls under native rules: `set` and `add` create missing containers.
pub(crate) const CREATING: &[&Builtin] = &[&native::SET, &native::ADD, &insert::INSERT, &delete::DELETE];

/// Parses the path argument: `''` is the whole state.
fn path(draft: &Draft<'_>, args: &[Arg]) -> Result<StatePath, Refusal> {
    let text = match args.first().map(|arg| &arg.value) {
        Some(Value::Text(text)) => text,
        Some(Value::Number(number)) => &Text::from(number.to_string()),
        Some(Value::List(_)) => return path_of_keys(&args[0].value),
        _ => {
            return Err(Refusal::new(
                "E-PATH-ARG",
                "第一个参数应是路径文本。",
                "The first argument must be a path in quotes.",
            ));
        }
    };
    let written = text.trim();
    if written.is_empty() {
        return Ok(StatePath::root());
    }
    target::dotted(draft.state(), written).map_err(refuse_path)
}

/// Converts `['a', 'b']` to a path.
fn path_of_keys(list: &Value) -> Result<StatePath, Refusal> {
    let key = |key: &Value| key.as_text().map_or_else(|| storeyline_state::json::write(key), str::to_owned);
    StatePath::from_keys(list.as_list().unwrap_or_default().iter().map(key)).map_err(refuse_path)
}

/// Rounds computed values to 12 digits, as MVU does; exact results are unchanged.
fn computed(value: Value, form: Form) -> Value {
    match (&value, form) {
        (Value::Number(number), Form::Arithmetic) if number.floor() != *number && number.rounded(14) != *number => {
            Value::Number(number.rounded(12))
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn under_native_rules_the_same_calls_create_what_is_missing() {
        assert_eq!(after("{}", "_.set('a.b', 1);"), r#"{"a":{"b":1}}"#);
        assert_eq!(after("{}", "_.add('a', 2);"), r#"{"a":2}"#);
        assert_eq!(after(r#"{"包":["绳"]}"#, "_.assign('包', '灯');"), r#"{"包":["绳","灯"]}"#);
        assert_eq!(after(r#"{"包":["绳"]}"#, "_.remove('包', '绳');"), r#"{"包":[]}"#);
        assert_eq!(after(r#"{"a":1,"b":2}"#, "_.unset('a');"), r#"{"b":2}"#);
    }
}
