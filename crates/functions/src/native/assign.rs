//! `ASSIGN`: merges objects deeply and replaces lists.

use storeyline_calls::Arg;
use storeyline_state::{Object, StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, wrong_kind};

pub(super) const ASSIGN: Builtin = Builtin {
    name: "ASSIGN",
    aliases: &["UPDATE"],
    syntax: "@.ASSIGN(\"path.to.object\", {key: value});",
    zh: "对象合并",
    en: "merges into an object",
    example: "@.ASSIGN(\"角色\", {\"等级\": 2});",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, ASSIGN.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    let Value::Object(given) = &args[1].value else {
        return Err(wrong_kind(&path, &args[1].value, ("对象", "an object")));
    };
    match path.get(draft.state()) {
        None | Some(Value::Null) => draft.set(&path, args[1].value.clone()),
        Some(Value::Object(_)) => merge(draft, &path, given),
        Some(other) => Err(wrong_kind(&path, other, ("对象", "an object"))),
    }
}

/// Merges entries into the object at a path. Two objects are merged, all else is replaced.
pub(crate) fn merge(draft: &mut Draft<'_>, path: &StatePath, given: &Object) -> Result<(), Refusal> {
    for (key, value) in given.iter() {
        let child = draft.child(path, key)?;
        match (child.get(draft.state()), value) {
            (Some(Value::Object(_)), Value::Object(inner)) => merge(draft, &child, inner)?,
            _ => draft.set(&child, value.clone())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn assign_merges_objects_and_replaces_lists() {
        let state = r#"{"角":{"岚":{"血":1,"技":["a","b"]}}}"#;
        assert_eq!(
            after(state, "@.ASSIGN(\"角\", {\"岚\": {\"技\": [\"x\"], \"新\": 2}});"),
            r#"{"角":{"岚":{"血":1,"技":["x"],"新":2}}}"#
        );
        assert_eq!(after("{}", "@.ASSIGN(\"角\", {等级: 2});"), r#"{"角":{"等级":2}}"#);
        assert_eq!(after(r#"{"角":5}"#, "@.ASSIGN(\"角\", {等级: 2});"), "E-KIND");
    }
}
