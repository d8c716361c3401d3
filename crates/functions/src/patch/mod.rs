//! Executes one op of a `<JSONPatch>` block: RFC 6902, and the ops that MVU and SAM added.

mod block;

pub(crate) use block::Blocks;

use storeyline_calls::Call;
use storeyline_state::{Number, StatePath, Value};

use crate::draft::{Draft, Refusal, refuse_path};
use crate::mvu;
use crate::native::{add_number, number};
use crate::profile::Profile;
use crate::target;

pub(crate) fn apply(draft: &mut Draft<'_>, call: &Call, profile: Profile) -> Result<(), Refusal> {
    let op = &call.args[0].value;
    let path = pointer(draft, op.get("path").or(op.get("to")))?;
    let value = || op.get("value").cloned().ok_or_else(no_value);
    match (call.name.as_str(), profile) {
        ("replace", Profile::Mvu) => mvu::set_at(draft, &path, value()?),
        ("replace", _) => {
            draft.get(&path)?;
            draft.set(&path, value()?)
        }
        ("delta", Profile::Mvu) => mvu::add_at(draft, &path, &value()?),
        ("delta" | "inc", _) => add_number(draft, &path, &value()?, |left, right| left.plus(right).ok()),
        ("mul", _) => add_number(draft, &path, &value()?, |left, right| left.times(right).ok()),
        ("min", _) => add_number(draft, &path, &value()?, |left, right| Some(left.min(right))),
        ("max", _) => add_number(draft, &path, &value()?, |left, right| Some(left.max(right))),
        ("add" | "insert", Profile::Mvu) => match mvu::unmarked(value()?) {
            Some(value) => add(draft, &path, value),
            None => Ok(()),
        },
        ("add" | "insert", _) => add(draft, &path, value()?),
        ("forced_set", _) => draft.set(&path, value()?),
        ("remove", _) => mvu::delete_path(draft, &path),
        ("move", _) => {
            let from = pointer(draft, op.get("from"))?;
            let moved = draft.get(&from)?.clone();
            mvu::delete_path(draft, &from)?;
            add(draft, &path, moved)
        }
        ("copy", _) => {
            let copied = {
                let from = pointer(draft, op.get("from"))?;
                draft.copy_of(&from)?
            };
            add(draft, &path, copied)
        }
        ("test", _) => check(draft, &path, &value()?),
        ("push", _) => push(draft, &path, &value()?, false),
        ("addToSet", _) => push(draft, &path, &value()?, true),
        ("pull", _) => {
            let wanted = value()?;
            draft.pull(&path, |item| *item == wanted).map(|_| ())
        }
        // `-1` removes the first item, anything else the last.
        ("pop", _) => draft.pop(&path, number(op.get("value")).is_some_and(|number| number < Number::ZERO)),
        (name, _) => Err(Refusal::new(
            "E-UNKNOWN",
            format!("没有叫 {name} 的补丁操作，没有执行。"),
            format!("There is no patch op {name}; nothing was done."),
        )),
    }
}

pub(crate) fn no_value() -> Refusal {
    Refusal::new("E-PATCH-VALUE", "这个操作缺少 value，没有执行。", "This op has no value; nothing was done.")
}

/// RFC 6902 `test`.
pub(crate) fn check(draft: &Draft<'_>, path: &StatePath, value: &Value) -> Result<(), Refusal> {
    if draft.get(path)? == value {
        return Ok(());
    }
    Err(Refusal::new(
        "E-PATCH-TEST",
        format!("{path} 与 test 的值不同。"),
        format!("{path} is not what the test says."),
    ))
}

fn pointer(draft: &Draft<'_>, text: Option<&Value>) -> Result<StatePath, Refusal> {
    let text = text.and_then(Value::as_text).ok_or_else(no_value)?;
    target::pointer(draft.state(), text.trim()).map_err(refuse_path)
}

/// RFC 6902 `add`: into a list at an index or at its end, else under a key. The container must
/// exist.
fn add(draft: &mut Draft<'_>, path: &StatePath, value: Value) -> Result<(), Refusal> {
    let Some((parent, key)) = path.parent() else { return draft.set(path, value) };
    mvu::insert_at(draft, &parent, &Value::text(key), value)
}

/// `{"$each": [...]}` pushes several.
fn push(draft: &mut Draft<'_>, path: &StatePath, value: &Value, unique: bool) -> Result<(), Refusal> {
    let path = &match path.parent() {
        Some((list, "-")) if list.get(draft.state()).is_some_and(|list| list.as_list().is_some()) => list,
        _ => path.clone(),
    };
    if path.get(draft.state()).is_none() {
        draft.set(path, Value::list(Vec::new()))?;
    }
    draft.push(path, value, unique)
}
