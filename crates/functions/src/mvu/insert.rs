//! `_.insert(path, value)` and `_.insert(path, key or index, value)`; `_.assign` is the same.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, locked, wrong_kind};
use crate::mvu::locks::{Container, cleaned, is_mark};
use crate::mvu::{computed, path};
use crate::native::merge;

pub(super) const INSERT: Builtin = Builtin {
    name: "insert",
    aliases: &["assign"],
    syntax: "_.insert('path', key, value);//reason",
    zh: "插入到列表或对象",
    en: "inserts into a list or an object",
    example: "_.insert('背包', '火折子');//捡到",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, INSERT.syntax, 2..=16)?;
    let path = path(draft, args)?;
    let last = &args[args.len().min(3) - 1];
    let Some(value) = unmarked(computed(last.value.clone(), last.form)) else { return Ok(()) };
    if args.len() >= 3 {
        return insert_under(draft, &path, &args[1].value, value);
    }
    let container = draft.locks().map(|locks| locks.at(&path.keys_in(draft.state())));
    let spot = draft.find(&path)?;
    if matches!(spot.value(), Value::List(_) | Value::Object(_))
        && container.as_ref().is_some_and(|container| !container.open)
    {
        return Err(locked(&path));
    }
    match (spot.value(), &value) {
        (Value::List(items), _) => {
            let (end, value) = (items.len(), filled(draft, &container, value));
            draft.put_item(spot, &path, end, value)
        }
        (Value::Object(_), Value::Object(given)) => merge(draft, &path, given),
        (Value::Null, Value::Object(_)) => draft.put(spot, &path, value),
        (Value::Null, Value::List(_)) => draft.put(spot, &path, Value::list(vec![value])),
        (Value::Object(_), other) => Err(wrong_kind(&path, other, ("对象", "an object"))),
        (other, _) => Err(wrong_kind(&path, other, ("列表或对象", "a list or an object"))),
    }
}

/// Same as `insert_at`, but null becomes an object, whatever the key looks like.
fn insert_under(draft: &mut Draft<'_>, path: &StatePath, key: &Value, value: Value) -> Result<(), Refusal> {
    let spot = draft.find(path)?;
    match (spot.value(), key) {
        (Value::Null, Value::Number(number)) => {
            let entry = (number.to_string().into(), value);
            draft.put(spot, path, Value::object([entry].into_iter().collect()))
        }
        _ => insert_at(draft, path, key, value),
    }
}

/// Removes the marks by which MVU locks and opens containers. Returns `None` if the value is such a
/// mark.
///
/// In MVU the marks of an inserted value open it, so that a reply can lift the card's locks; here
/// they have no effect.
pub(crate) fn unmarked(value: Value) -> Option<Value> {
    (!is_mark(&value)).then(|| cleaned(&value))
}

/// Fills a single new entry from the template of its container.
fn filled(draft: &Draft<'_>, container: &Option<Container>, value: Value) -> Value {
    match (draft.locks(), container) {
        (Some(locks), Some(container)) => cleaned(&locks.filled(value, container.template.as_ref())),
        _ => value,
    }
}

/// Puts a value under a key of an object or at an index of a list; `-` and `-1` are the end.
pub(crate) fn insert_at(draft: &mut Draft<'_>, path: &StatePath, key: &Value, value: Value) -> Result<(), Refusal> {
    let container = draft.locks().map(|locks| locks.at(&path.keys_in(draft.state())));
    let value = filled(draft, &container, value);
    let spot = draft.find(path)?;
    match spot.value() {
        Value::List(_) if container.as_ref().is_some_and(|container| !container.open) => Err(locked(path)),
        Value::List(items) => {
            let length = items.len() as i64;
            let wanted = match key {
                Value::Number(number) => number.as_i64(),
                Value::Text(text) if &**text == "-" => Some(length),
                Value::Text(text) => text.parse::<i64>().ok(),
                _ => None,
            };
            let wanted = wanted.ok_or_else(|| wrong_kind(path, key, ("列表位置", "a place in the list")))?;
            let at = if wanted < 0 { length + wanted + 1 } else { wanted };
            draft.put_item(spot, path, at.clamp(0, length) as usize, value)
        }
        Value::Object(_) | Value::Null => {
            let key = match key {
                Value::Text(text) => text.clone(),
                Value::Number(number) => number.to_string().into(),
                other => return Err(wrong_kind(path, other, ("键", "a key"))),
            };
            if container.is_some_and(|container| !container.allows_key(&key)) {
                return Err(locked(path));
            }
            draft.put_entry(spot, path, &key, value)
        }
        other => Err(wrong_kind(path, other, ("列表或对象", "a list or an object"))),
    }
}
