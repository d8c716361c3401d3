//! `UNSET`: removes a key or an item; later items of a list move up.

use storeyline_calls::Arg;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument};

pub(crate) const UNSET: Builtin = Builtin {
    name: "UNSET",
    aliases: &["DELETE", "DEL"],
    syntax: "@.UNSET(\"path.to.var\");",
    zh: "删除字段",
    en: "removes a value",
    example: "@.UNSET(\"临时数据.flag\");",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, UNSET.syntax, 1..=1)?;
    let path = path_argument(draft, args)?;
    if draft.unset(&path)? {
        return Ok(());
    }
    Err(Refusal::new(
        "E-MISSING",
        format!("没有 {path}，无需删除。"),
        format!("There is no {path}; nothing was removed."),
    ))
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn unset_removes_keys_and_items() {
        assert_eq!(after(r#"{"a":1,"b":2}"#, "@.UNSET(\"a\");"), r#"{"b":2}"#);
        assert_eq!(after(r#"{"a":[1,2,3]}"#, "@.UNSET(\"a[0]\");"), r#"{"a":[2,3]}"#);
        assert_eq!(after("{}", "@.UNSET(\"a\");"), "E-MISSING");
    }
}
