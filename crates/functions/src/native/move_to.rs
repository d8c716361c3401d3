//! `MOVE`: moves a value from one path to another.

use storeyline_calls::Arg;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument};

pub(super) const MOVE: Builtin = Builtin {
    name: "MOVE",
    aliases: &["RENAME"],
    syntax: "@.MOVE(\"from.path\", \"to.path\");",
    zh: "移动或改名",
    en: "moves or renames a value",
    example: "@.MOVE(\"临时数据.flag\", \"角色.flag\");",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, MOVE.syntax, 2..=2)?;
    let (from, to) = (path_argument(draft, args)?, path_argument(draft, &args[1..])?);
    let value = draft.get(&from)?.clone();
    let (from_keys, to_keys) = (from.keys_in(draft.state()), to.keys_in(draft.state()));
    if to_keys.starts_with(&from_keys) {
        return Err(Refusal::new(
            "E-MOVE",
            format!("{from} 不能移到 {to}：那是它自己或它里面。"),
            format!("{from} cannot be moved to {to}: that is itself or inside it."),
        ));
    }
    draft.unset(&from)?;
    draft.set(&to, value)
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn move_takes_a_value_elsewhere() {
        assert_eq!(after(r#"{"a":{"x":1},"b":2}"#, "@.MOVE(\"a.x\", \"c.y\");"), r#"{"a":{},"b":2,"c":{"y":1}}"#);
        assert_eq!(after(r#"{"a":{}}"#, "@.MOVE(\"a\", \"a.b\");"), "E-MOVE");
        assert_eq!(after(r#"{"a":1}"#, "@.MOVE(\"a\", \"a\");"), "E-MOVE");
        assert_eq!(after("{}", "@.MOVE(\"a\", \"b\");"), "E-MISSING");
    }
}
