//! The command `_.delete` of MVU (MagVarUpdate, a SillyTavern extension whose cards we run), also written `_.remove`
//! and `_.unset`. With a path it removes the value there; with a second argument one entry of the list or object there:
//! by index or value, by key or position. Refuses what a lock of the container protects.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, locked, missing, refuse_path};
use crate::mvu::path;
use crate::native::remove;

pub(super) const DELETE: Builtin = Builtin {
    name: "delete",
    aliases: &["remove", "unset"],
    syntax: "_.remove('path', keyOrValue);//reason",
    zh: "删除变量、列表项或键",
    en: "removes a value, an item or a key",
    example: "_.remove('背包', '绳');//用掉",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, DELETE.syntax, 1..=16)?;
    let path = path(draft, args)?;
    let Some(what) = args.get(1) else { return delete_path(draft, &path) };
    // A number on an object is the n-th key.
    if let (Value::Object(object), Value::Number(number)) = (draft.get(&path)?, &what.value) {
        let nth = number.as_index().and_then(|nth| object.iter().nth(nth)).map(|(key, _)| key.clone());
        let child = nth.and_then(|key| draft.child(&path, &key).ok()).ok_or_else(|| missing(&path))?;
        return delete_path(draft, &child);
    }
    let key = what.value.as_text().unwrap_or_default();
    check_removal_allowed(draft, &path, key)?;
    remove(draft, &path, &what.value)
}

/// Refuses unless the container allows the key or item to be removed.
fn check_removal_allowed(draft: &Draft<'_>, container: &StatePath, key: &str) -> Result<(), Refusal> {
    let Some(locks) = draft.locks() else { return Ok(()) };
    if locks.at(&container.keys_in(draft.state())).allows_removal(key) { Ok(()) } else { Err(locked(container)) }
}

/// Removes the value at an existing path.
pub(crate) fn delete_path(draft: &mut Draft<'_>, path: &StatePath) -> Result<(), Refusal> {
    let exact = StatePath::from_keys(path.keys_in(draft.state())).map_err(refuse_path)?;
    let (container, key) = exact.parent().ok_or_else(|| missing(path))?;
    draft.get(path)?;
    check_removal_allowed(draft, &container, key)?;
    if draft.unset(path)? { Ok(()) } else { Err(missing(path)) }
}
