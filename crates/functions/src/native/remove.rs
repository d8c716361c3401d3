//! The command `@.REMOVE(path, what)` of Storeyline's own notation: removes an item of a list or a key of an object.
//! In a list a number is always an index; anything else removes the first item that equals it.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, shown, wrong_kind};

pub(super) const REMOVE: Builtin = Builtin {
    name: "REMOVE",
    aliases: &[],
    syntax: "@.REMOVE(\"path.to.array\", indexOrValue);",
    zh: "数组删除(按索引或值)",
    en: "removes an item by index or value",
    example: "@.REMOVE(\"背包.物品\", 0);",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, REMOVE.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    remove(draft, &path, &args[1].value)
}

pub(crate) fn remove(draft: &mut Draft<'_>, path: &StatePath, what: &Value) -> Result<(), Refusal> {
    match draft.get(path)? {
        Value::List(items) => {
            let at = match what {
                Value::Number(number) => number.as_index().filter(|at| *at < items.len()),
                other => items.iter().position(|item| item == other),
            };
            let at = at.ok_or_else(|| not_there(path, what))?;
            draft.remove_item(path, at)
        }
        Value::Object(object) => {
            let key = what.as_text().filter(|key| object.get(key).is_some()).ok_or_else(|| not_there(path, what))?;
            let child = draft.child(path, key)?;
            draft.unset(&child).map(|_| ())
        }
        other => Err(wrong_kind(path, other, ("列表或对象", "a list or an object"))),
    }
}

fn not_there(path: &StatePath, what: &Value) -> Refusal {
    let what = shown(what);
    Refusal::new(
        "E-MISSING",
        format!("{path} 里没有 {what}，没有改动。"),
        format!("{path} has no {what}; nothing was changed."),
    )
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn remove_takes_items_and_keys() {
        assert_eq!(after(r#"{"包":["a","b"]}"#, "@.REMOVE(\"包\", 0);"), r#"{"包":["b"]}"#);
        assert_eq!(after(r#"{"包":["a",{"n":1}]}"#, "@.REMOVE(\"包\", {n: 1});"), r#"{"包":["a"]}"#);
        assert_eq!(after(r#"{"o":{"x.y":1,"z":2}}"#, "@.REMOVE(\"o\", \"x.y\");"), r#"{"o":{"z":2}}"#);
        assert_eq!(after(r#"{"包":["a"]}"#, "@.REMOVE(\"包\", 5);"), "E-MISSING");
        assert_eq!(after(r#"{"包":"a"}"#, "@.REMOVE(\"包\", 0);"), "E-KIND");
        assert_eq!(after("{}", "@.REMOVE(\"包\", 0);"), "E-MISSING");
    }
}
