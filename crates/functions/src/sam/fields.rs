//! Changes of one field in MongoDB's terms, shared by `@.DB` (5.x) and the patch ops (6.x).
//!
//! Not copied from SAM: multiplying a missing value by 1 instead of 0, replacing a text by a list
//! to push into, and leaving holes in lists.

use storeyline_state::object::array_index;
use storeyline_state::{Number, StatePath, Value};

use super::basic::remove_where;
use super::moves::into_itself;
use super::select::is_match;
use super::write::{combine, guard, number, put, take, write};
use crate::draft::{Draft, Refusal};
use crate::native;

/// Adds to the number at a path; a missing value is 0.
pub(super) fn increase(draft: &mut Draft<'_>, path: &StatePath, by: &Value) -> Result<(), Refusal> {
    combine(draft, path, by, |left, right| left.plus(right).ok())
}

pub(super) fn multiply(draft: &mut Draft<'_>, path: &StatePath, by: &Value) -> Result<(), Refusal> {
    combine(draft, path, by, |left, right| left.times(right).ok())
}

/// Sets the smaller or the larger of two numbers; a missing value is set.
pub(super) fn bound(
    draft: &mut Draft<'_>,
    path: &StatePath,
    given: &Value,
    choose: fn(Number, Number) -> Number,
) -> Result<(), Refusal> {
    if path.get(draft.state()).is_some_and(|old| *old != Value::Null) {
        return combine(draft, path, given, |left, right| Some(choose(left, right)));
    }
    match number(given) {
        Some(given) => write(draft, path, Value::Number(given)),
        None => Err(native::not_a_number(path, None, given)),
    }
}

/// Appends one item, or each of `{"$each": […]}`; `unique` skips items that are already there.
pub(super) fn push(draft: &mut Draft<'_>, path: &StatePath, given: &Value, unique: bool) -> Result<(), Refusal> {
    guard(draft, path)?;
    if path.get(draft.state()).is_none_or(|old| *old == Value::Null) {
        put(draft, path, Value::list(Vec::new()))?;
    }
    draft.push(path, given, unique)
}

/// Removes every item that equals the value, or that has the fields of the object.
pub(super) fn pull(draft: &mut Draft<'_>, path: &StatePath, wanted: &Value) -> Result<(), Refusal> {
    remove_where(draft, path, |item| is_match(item, wanted))
}

/// Removes the last item; with -1, the first.
pub(super) fn pop(draft: &mut Draft<'_>, path: &StatePath, which: Option<&Value>) -> Result<(), Refusal> {
    guard(draft, path)?;
    draft.pop(path, which.and_then(Value::as_number).is_some_and(|which| which < Number::ZERO))
}

pub(super) fn remove(draft: &mut Draft<'_>, path: &StatePath) -> Result<(), Refusal> {
    guard(draft, path)?;
    take(draft, path).map(|_| ())
}

/// Moves a value to another path, creating missing containers.
pub(super) fn relocate(draft: &mut Draft<'_>, from: &StatePath, to: &StatePath) -> Result<(), Refusal> {
    guard(draft, from)?;
    guard(draft, to)?;
    draft.get(from)?;
    let (source, target) = (from.keys_in(draft.state()), to.keys_in(draft.state()));
    if source == target {
        return Ok(());
    }
    if target.starts_with(&source) {
        return Err(into_itself(from));
    }
    let moved = take(draft, from)?;
    insert(draft, to, moved)
}

/// Puts a value at a path: into a list at an index or, with `-`, at its end, else under a key.
pub(super) fn insert(draft: &mut Draft<'_>, path: &StatePath, value: Value) -> Result<(), Refusal> {
    let Some((parent, key)) = path.parent() else { return write(draft, path, value) };
    let items = parent.get(draft.state()).and_then(Value::as_list);
    if key == "-" && (items.is_some() || parent.get(draft.state()).is_none()) {
        guard(draft, &parent)?;
        if items.is_none() {
            put(draft, &parent, Value::list(Vec::new()))?;
        }
        return draft.append(&parent, value);
    }
    let index = array_index(key).map(|at| at as usize);
    match (items.map(<[Value]>::len), index) {
        (Some(length), Some(at)) if at <= length => {
            guard(draft, path)?;
            draft.insert_item(&parent, at, value)
        }
        _ => write(draft, path, value),
    }
}
