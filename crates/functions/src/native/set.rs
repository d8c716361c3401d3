//! `SET`: writes a value, creating the path.

use storeyline_calls::Arg;
use storeyline_state::Spot;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument};
use crate::written::value_over;

pub(crate) const SET: Builtin = Builtin {
    name: "SET",
    aliases: &[],
    syntax: "@.SET(\"path.to.var\", value);",
    zh: "设置变量",
    en: "sets a value",
    example: "@.SET(\"角色.名字\", \"张三\");",
    apply,
};

/// `SET(path, new)` or MVU's `set(path, old, new)`: the last argument is used.
fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, SET.syntax, 2..=3)?;
    let path = path_argument(draft, args)?;
    let new = &args[args.len() - 1];
    match Spot::find(draft.state(), &path) {
        Some(spot) => {
            let value = value_over(&path, Some(spot.value()), new)?;
            draft.put(spot, &path, value)
        }
        None => draft.set(&path, value_over(&path, None, new)?),
    }
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn set_writes_and_creates() {
        assert_eq!(after("{}", "@.SET(\"角色.金币\", 5);"), r#"{"角色":{"金币":5}}"#);
        assert_eq!(after(r#"{"a":1}"#, "_.set('a', 1, 2);"), r#"{"a":2}"#);
        assert_eq!(after(r#"{"a":1}"#, "@.set('a', [true, null]);"), r#"{"a":[true,null]}"#);
    }

    #[test]
    fn set_refuses_what_it_cannot_write() {
        assert_eq!(after("{}", "@.SET(\"a\");"), "E-ARGS");
        assert_eq!(after("{}", "@.SET(5, 1);"), "E-PATH-ARG");
        assert_eq!(after("{}", "@.SET(\"__proto__.x\", 1);"), "E-PATH-ARG");
        assert_eq!(after("{\"a\":[]}", "@.SET(\"a[9]\", 1);"), "E-LIST-PLACE");
    }
}
