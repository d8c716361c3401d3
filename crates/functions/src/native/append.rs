//! `APPEND`: an item at the end of a list; creates the list.

use storeyline_calls::Arg;
use storeyline_state::Value;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, wrong_kind};

pub(super) const APPEND: Builtin = Builtin {
    name: "APPEND",
    aliases: &["PUSH"],
    syntax: "@.APPEND(\"path.to.array\", item);",
    zh: "数组追加",
    en: "appends to a list",
    example: "@.APPEND(\"背包\", \"治疗药水\");",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, APPEND.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    match path.get(draft.state()) {
        Some(Value::List(_)) => draft.append(&path, args[1].value.clone()),
        None | Some(Value::Null) => draft.set(&path, Value::list(vec![args[1].value.clone()])),
        Some(other) => Err(wrong_kind(&path, other, ("列表", "a list"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn append_creates_and_refuses() {
        assert_eq!(after(r#"{"包":["a"]}"#, "@.APPEND(\"包\", \"b\");"), r#"{"包":["a","b"]}"#);
        assert_eq!(after("{}", "@.APPEND(\"背包.物品\", \"药\");"), r#"{"背包":{"物品":["药"]}}"#);
        assert_eq!(after(r#"{"包":"x"}"#, "@.APPEND(\"包\", \"b\");"), "E-KIND");
    }
}
