//! `PUSH_UNIQUE` and `PULL`: a list as a set.

use storeyline_calls::Arg;
use storeyline_state::Value;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, wrong_kind};

pub(crate) const PUSH_UNIQUE: Builtin = Builtin {
    name: "PUSH_UNIQUE",
    aliases: &["ADD_TO_SET"],
    syntax: "@.PUSH_UNIQUE(\"path.to.array\", item);",
    zh: "数组追加(不重复)",
    en: "appends to a list what is not in it yet",
    example: "@.PUSH_UNIQUE(\"成就\", \"初遇\");",
    apply: push,
};

pub(crate) const PULL: Builtin = Builtin {
    name: "PULL",
    aliases: &[],
    syntax: "@.PULL(\"path.to.array\", item);",
    zh: "删除数组中所有相同的项",
    en: "removes all equal items of a list",
    example: "@.PULL(\"背包\", \"伤药\");",
    apply: pull,
};

fn push(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, PUSH_UNIQUE.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    let item = &args[1].value;
    match path.get(draft.state()) {
        None | Some(Value::Null) => draft.set(&path, Value::list(vec![item.clone()])),
        Some(Value::List(items)) if items.contains(item) => Ok(()),
        Some(Value::List(_)) => draft.append(&path, item.clone()),
        Some(other) => Err(wrong_kind(&path, other, ("列表", "a list"))),
    }
}

fn pull(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, PULL.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    draft.pull(&path, |item| *item == args[1].value).map(|_| ())
}
