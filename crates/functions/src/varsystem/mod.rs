//! ST-VarSystem's ten functions. Its SET parses a text again as JSON and its ADD destroys a text;
//! both are bugs and not copied. Only UPDATE has its own rules.

use storeyline_calls::Arg;
use storeyline_state::Value;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, wrong_kind};
use crate::native;

pub(crate) const BUILTINS: &[&Builtin] = &[
    &native::SET,
    &UPDATE,
    &native::ADD,
    &native::UNSET,
    &native::SELECT_SET,
    &native::SELECT_ADD,
    &native::SELECT_UPDATE,
    &native::SELECT_DEL,
    &native::PUSH_UNIQUE,
    &native::PULL,
];

const UPDATE: Builtin = Builtin {
    name: "UPDATE",
    aliases: &[],
    syntax: "#update(\"path.to.object\", {key: value})",
    zh: "对象合并(一层)",
    en: "merges into an object, one level deep",
    example: "#update(\"hero\", {\"hp\": 1})",
    apply: update,
};

/// Merges objects; anything else is replaced.
fn update(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, UPDATE.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    let Value::Object(given) = &args[1].value else {
        return Err(wrong_kind(&path, &args[1].value, ("对象", "an object")));
    };
    if path.get(draft.state()).and_then(Value::as_object).is_none() {
        return draft.set(&path, args[1].value.clone());
    }
    for (key, value) in given.iter() {
        draft.set(&draft.child(&path, key)?, value.clone())?;
    }
    Ok(())
}
