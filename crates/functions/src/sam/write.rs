//! Writes as lodash's `set` does: an index beyond the end of a list fills it with nulls, a new
//! numeric key makes a list. Checks type lock and read-only keys.

use std::fmt::Display;

use storeyline_calls::Arg;
use storeyline_state::object::array_index;
use storeyline_state::path::{PathError, child};
use storeyline_state::{Change, Number, Object, Op, StatePath, Step, Value};

use super::batch::Batch;
use crate::draft::{Draft, Refusal, refuse_path, shown};
use crate::native;

/// Maximum number of nulls that one call may add to one list.
const MAX_FILL: usize = 1_000;

/// Parses a path: a short name if the state has them; a leading `static.` is dropped.
pub(super) fn path_at(draft: &Draft<'_>, args: &[Arg], at: usize) -> Result<StatePath, Refusal> {
    let text = match args.get(at).map(|arg| &arg.value) {
        Some(Value::Text(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => {
            return Err(Refusal::new("E-PATH-ARG", "路径参数应是文本。", "The path must be a text in quotes."));
        }
    };
    let path = path(draft, &text)?;
    // A single write never means the whole state.
    if path.keys().is_empty() { Err(refuse_path(PathError::Empty)) } else { Ok(path) }
}

/// Parses a path from its text; an empty one is the whole data.
pub(super) fn path(draft: &Draft<'_>, text: &str) -> Result<StatePath, Refusal> {
    if let Some(path) = draft.sam().and_then(|batch| batch.named(text)) {
        return Ok(path);
    }
    let inner = text.strip_prefix("static.").filter(|_| draft.state().get("static").is_none());
    match inner.unwrap_or(text) {
        "" => Ok(StatePath::root()),
        "static" if inner.is_none() && draft.sam().is_some() && draft.state().get("static").is_none() => {
            Ok(StatePath::root())
        }
        text => text.parse().map_err(refuse_path),
    }
}

/// Writes a value if the card allows it.
pub(super) fn write(draft: &mut Draft<'_>, path: &StatePath, value: Value) -> Result<(), Refusal> {
    guard(draft, path)?;
    guard_type(draft, path, &value)?;
    put(draft, path, value)
}

/// Refuses to change a read-only key.
pub(super) fn guard(draft: &Draft<'_>, path: &StatePath) -> Result<(), Refusal> {
    let watched = draft.sam().is_some_and(|batch| batch.read_only);
    match path.keys_in(draft.state()).last() {
        Some(last) if watched && last.starts_with('_') => Err(read_only(path)),
        _ => Ok(()),
    }
}

/// Refuses another type under the type lock; a missing value or null may become anything.
pub(super) fn guard_type(draft: &Draft<'_>, path: &StatePath, new: &Value) -> Result<(), Refusal> {
    let Some(old) = path.get(draft.state()).filter(|old| **old != Value::Null) else { return Ok(()) };
    if !draft.sam().is_some_and(|batch| batch.locked) || kind(old) == kind(new) {
        return Ok(());
    }
    Err(locked(path, old, new))
}

fn kind(value: &Value) -> std::mem::Discriminant<Value> {
    std::mem::discriminant(value)
}

/// Writes a value; missing containers are created, a text or number on the path is replaced.
pub(super) fn put(draft: &mut Draft<'_>, path: &StatePath, value: Value) -> Result<(), Refusal> {
    let keys = path.keys_in(draft.state());
    let mut here = draft.state();
    let mut depth = 0;
    while let Some(next) = keys.get(depth).and_then(|key| child(here, key)) {
        here = next;
        depth += 1;
    }
    if depth == keys.len() {
        return draft.set(path, value);
    }
    let missing = match here {
        Value::List(items) => {
            let Some(at) = array_index(keys[depth]).map(|at| at as usize) else { return draft.set(path, value) };
            let missing = at.saturating_sub(items.len());
            check_fill(draft, missing, path)?;
            depth += 1;
            missing
        }
        Value::Object(_) => {
            depth += 1;
            0
        }
        _ => 0,
    };
    let built = build(draft, &keys[depth..], value, path)?;
    let place = StatePath::from_keys(&keys[..depth]);
    let Ok(place) = place else { return draft.set(&StatePath::root(), built) };
    if missing > 0 {
        let list = place.parent().map_or_else(StatePath::root, |(list, _)| list);
        for _ in 0..missing {
            draft.append(&list, Value::Null)?;
        }
    }
    draft.set(&place, built)
}

fn check_fill(draft: &Draft<'_>, missing: usize, path: &StatePath) -> Result<(), Refusal> {
    if missing <= MAX_FILL {
        return draft.sam().map_or(Ok(()), |batch| batch.grow(missing));
    }
    Err(Refusal::new(
        "E-LIST-PLACE",
        format!("{path} 离列表末尾太远，没有写入。"),
        format!("{path} is too far behind the end of its list; nothing was written."),
    ))
}

/// Wraps a value in the containers that the keys require.
fn build(draft: &Draft<'_>, keys: &[&str], value: Value, path: &StatePath) -> Result<Value, Refusal> {
    let mut built = value;
    for key in keys.iter().rev() {
        built = match array_index(key) {
            Some(at) => {
                let at = at as usize;
                check_fill(draft, at, path)?;
                let mut items = vec![Value::Null; at];
                items.push(built);
                Value::list(items)
            }
            None => Value::object([((*key).into(), built)].into_iter().collect::<Object>()),
        };
    }
    Ok(built)
}

/// Removes and returns the value at a path; later items of a list move up.
pub(super) fn take(draft: &mut Draft<'_>, path: &StatePath) -> Result<Value, Refusal> {
    let old = draft.get(path)?.clone();
    draft.unset(path)?;
    Ok(old)
}

/// Checks the ops of a function that ignores type lock and read-only keys.
pub(super) fn guard_ops(batch: &Batch, ops: &[Op]) -> Result<(), Refusal> {
    for op in ops {
        if let Some(Step::Key(key)) = op.path.last().filter(|_| batch.read_only)
            && key.starts_with('_')
        {
            return Err(read_only(key));
        }
        if let (Change::Set { old, new }, true) = (&op.change, batch.locked)
            && *old != Value::Null
            && kind(old) != kind(new)
        {
            let place = match op.path.last() {
                Some(Step::Key(key)) => key.to_string(),
                Some(Step::Index(at)) => format!("[{at}]"),
                None => "static".to_owned(),
            };
            return Err(locked(place, old, new));
        }
    }
    Ok(())
}

fn read_only(path: impl Display) -> Refusal {
    Refusal::new(
        "E-READ-ONLY",
        format!("{path} 以 _ 开头，是只读的，没有改动。"),
        format!("{path} begins with `_` and is read-only; nothing was changed."),
    )
}

fn locked(path: impl Display, old: &Value, new: &Value) -> Refusal {
    let (old, new) = (shown(old), shown(new));
    Refusal::new(
        "E-TYPE-LOCK",
        format!("类型已锁定，{path} 保持 {old}，不能变成 {new}。"),
        format!("Types are locked: {path} stays {old} and does not become {new}."),
    )
}

/// Adds to a list or a number, as SAM's ADD does: null, a missing value, `false` and an empty text
/// are 0.
pub(super) fn add(draft: &mut Draft<'_>, path: &StatePath, operand: &Value) -> Result<(), Refusal> {
    guard(draft, path)?;
    if let Some(Value::List(_)) = path.get(draft.state()) {
        return draft.append(path, operand.clone());
    }
    combine(draft, path, operand, |left, right| left.plus(right).ok())
}

/// Combines the number at a path with another one.
pub(super) fn combine(
    draft: &mut Draft<'_>,
    path: &StatePath,
    operand: &Value,
    by: impl Fn(Number, Number) -> Option<Number>,
) -> Result<(), Refusal> {
    let before = path.get(draft.state()).cloned();
    let (Some(left), Some(right)) = (number(before.as_ref().unwrap_or(&Value::Null)), number(operand)) else {
        return Err(native::not_a_number(path, before.as_ref(), operand));
    };
    let result = Value::Number(by(left, right).ok_or_else(|| native::too_large(path))?);
    write(draft, path, result)
}

/// Converts a value to a number as JavaScript does, if the result is one.
pub(super) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Null => Some(Number::ZERO),
        Value::Bool(value) => Some(Number::from(i64::from(*value))),
        Value::Number(number) => Some(*number),
        Value::Text(text) if text.trim().is_empty() => Some(Number::ZERO),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::V4_2;
    use crate::sam::tests_support::data_after;

    #[test]
    fn lists_are_filled_as_lodash_does() {
        let after = |data, text| data_after(V4_2, data, text);
        assert_eq!(after(r#"{"l":["a"]}"#, "@.SET(\"l[2].x\", 1);"), r#"{"l":["a",null,{"x":1}]}"#);
        assert_eq!(after("{}", "@.SET(\"n[2]\", 1);"), r#"{"n":[null,null,1]}"#);
        assert_eq!(after(r#"{"t":"x"}"#, "@.SET(\"t.1.y\", 1);"), r#"{"t":[null,{"y":1}]}"#);
        assert_eq!(after(r#"{"l":[]}"#, "@.SET(\"l[4000000000]\", 1);"), "E-LIST-PLACE");
        assert_eq!(after("{}", "@.SET(\"n[5000]\", 1);"), "E-LIST-PLACE");
        assert_eq!(after(r#"{"l":[]}"#, "@.SET(\"l.name\", 1);"), "E-PATH");
    }

    #[test]
    fn a_path_may_begin_with_static() {
        assert_eq!(data_after(V4_2, "{}", "@.SET(\"static.a\", 1);"), r#"{"a":1}"#);
        assert_eq!(data_after(V4_2, r#"{"static":{}}"#, "@.SET(\"static.a\", 1);"), r#"{"static":{"a":1}}"#);
    }

    #[test]
    fn numbers_are_what_javascript_makes_of_them() {
        let after = |data, text| data_after(V4_2, data, text);
        assert_eq!(after(r#"{"a":true}"#, "@.ADD(\"a\", \"2\");"), r#"{"a":3}"#);
        assert_eq!(after(r#"{"a":""}"#, "@.ADD(\"a\", 2);"), r#"{"a":2}"#);
        assert_eq!(after(r#"{"a":"晴"}"#, "@.ADD(\"a\", 2);"), "E-ADD-NUM");
        assert_eq!(after(r#"{"a":1}"#, "@.ADD(\"a\", \"x\");"), "E-ADD-NUM");
        assert_eq!(after(r#"{"a":1e300}"#, "@.ADD(\"a\", 1);"), "E-ADD-SIZE");
    }
}
