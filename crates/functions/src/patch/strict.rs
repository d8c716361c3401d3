//! Strict RFC 6902: a whole patch, all or nothing.
//!
//! For patches written by programs. Patches written by models are applied op by op, with more
//! tolerance.

use storeyline_state::object::array_index;
use storeyline_state::{StatePath, Value};

use crate::draft::{Draft, Refusal, missing, refuse_path, wrong_kind};
use crate::patch::no_value;

/// Applies a patch, or tells which rule it breaks; then the document stays unchanged.
pub fn apply_strict(document: &Value, patch: &Value) -> Result<Value, Refusal> {
    let ops =
        patch.as_list().ok_or_else(|| Refusal::new("E-PATCH-READ", "补丁应是列表。", "A patch is a list of ops."))?;
    let mut draft = Draft::new(document.clone(), None);
    for op in ops {
        apply(&mut draft, op)?;
    }
    Ok(draft.finish().0)
}

fn apply(draft: &mut Draft<'_>, op: &Value) -> Result<(), Refusal> {
    let text = |key: &str| op.get(key).and_then(Value::as_text).ok_or_else(no_value);
    let value = || op.get("value").cloned().ok_or_else(no_value);
    let path = pointer(text("path")?)?;
    match text("op")? {
        "add" => add(draft, &path, value()?),
        "remove" => remove(draft, &path).map(|_| ()),
        "replace" => {
            draft.get(&path)?;
            draft.set(&path, value()?)
        }
        "move" => {
            let from = text("from")?;
            if text("path")?.starts_with(&format!("{from}/")) {
                return Err(Refusal::new("E-PATCH-MOVE", "不能移到自己里面。", "Nothing can be moved into itself."));
            }
            let moved = remove(draft, &pointer(from)?)?;
            add(draft, &path, moved)
        }
        "copy" => {
            let copied = draft.copy_of(&pointer(text("from")?)?)?;
            add(draft, &path, copied)
        }
        "test" => {
            if equal_ignoring_order(draft.get(&path)?, &value()?) {
                return Ok(());
            }
            Err(Refusal::new(
                "E-PATCH-TEST",
                format!("{path} 与 test 的值不同。"),
                format!("{path} is not what the test says."),
            ))
        }
        name => Err(Refusal::new(
            "E-UNKNOWN",
            format!("没有叫 {name} 的补丁操作。"),
            format!("There is no patch op {name}."),
        )),
    }
}

fn pointer(text: &str) -> Result<StatePath, Refusal> {
    if !text.is_empty() && !text.starts_with('/') {
        return Err(Refusal::new("E-PATCH-PATH", "路径应以 / 开头。", "A pointer begins with a slash."));
    }
    StatePath::from_pointer(text).map_err(refuse_path)
}

fn add(draft: &mut Draft<'_>, path: &StatePath, value: Value) -> Result<(), Refusal> {
    let Some((parent, key)) = path.parent() else { return draft.set(path, value) };
    match draft.get(&parent)? {
        Value::Object(_) => draft.set(path, value),
        Value::List(items) => {
            let at = if key == "-" { Some(items.len()) } else { array_index(key).map(|at| at as usize) };
            let at = at.ok_or_else(|| missing(path))?;
            draft.insert_item(&parent, at, value)
        }
        other => Err(wrong_kind(&parent, &other.clone(), ("列表或对象", "a list or an object"))),
    }
}

fn remove(draft: &mut Draft<'_>, path: &StatePath) -> Result<Value, Refusal> {
    let old = draft.get(path)?.clone();
    match path.parent() {
        None => draft.set(path, Value::Null)?,
        Some(_) => {
            draft.unset(path)?;
        }
    }
    Ok(old)
}

/// Compares as RFC 6902 does: the order of keys does not matter.
fn equal_ignoring_order(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal_ignoring_order(value, other)))
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal_ignoring_order(a, b))
        }
        _ => a == b,
    }
}
