//! `_.set(path, [old,] new)`: replaces the value at an existing path.

use storeyline_calls::{Arg, Form};
use storeyline_state::{Spot, StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, missing};
use crate::mvu::locks::Locks;
use crate::mvu::{computed, pair, path};
use crate::written::value_over;

pub(super) const SET: Builtin = Builtin {
    name: "set",
    aliases: &[],
    syntax: "_.set('path', old, new);//reason",
    zh: "设置已有变量",
    en: "sets a value that exists",
    example: "_.set('角色.好感', 12, 19);//送花",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, SET.syntax, 2..=16)?;
    let path = path(draft, args)?;
    let new = &args[args.len() - 1];
    if new.form == Form::Undefined {
        return if draft.unset(&path)? { Ok(()) } else { Err(missing(&path)) };
    }
    let spot = draft.find(&path)?;
    let old = pair::value_of(spot.value()).unwrap_or(spot.value());
    let value = value_over(&path, Some(old), new)?;
    replace(draft, spot, &path, computed(value, new.form))
}

/// Replaces the value at an existing path; in a pair, only the value of the pair.
pub(crate) fn set_at(draft: &mut Draft<'_>, path: &StatePath, new: Value) -> Result<(), Refusal> {
    let spot = draft.find(path)?;
    replace(draft, spot, path, new)
}

fn replace(draft: &mut Draft<'_>, spot: Spot, path: &StatePath, new: Value) -> Result<(), Refusal> {
    let old = spot.value();
    // A new list that is no pair itself replaces the whole list, which only looks like a pair.
    let replaces_list = new.as_list().is_some() && pair::value_of(&new).is_none();
    let strict = draft.locks().is_some_and(Locks::strict_set);
    match pair::value_of(old).filter(|_| !replaces_list && !strict) {
        Some(value) => {
            let given = if value.as_number().is_some() { pair::value_of(&new).cloned().unwrap_or(new) } else { new };
            let given = with_type_of(value, given);
            let (first, spot) = pair::first(spot, path)?;
            draft.put(spot, &first, given)
        }
        None => {
            let given = with_type_of(old, new);
            draft.put(spot, path, given)
        }
    }
}

/// Converts a numeric text to a number if the old value is a number.
fn with_type_of(old: &Value, new: Value) -> Value {
    match (old, &new) {
        (Value::Number(_), Value::Text(text)) => text.trim().parse().map_or(new, Value::Number),
        _ => new,
    }
}
