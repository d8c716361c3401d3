//! `INSERT`: puts a value into a list at an index, or under a key of an object.

use storeyline_calls::Arg;

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument};
use crate::mvu;

pub(super) const INSERT: Builtin = Builtin {
    name: "INSERT",
    aliases: &[],
    syntax: "@.INSERT(\"path.to.array\", index, item);",
    zh: "插入到列表的某个位置，或对象的某个键",
    en: "inserts at a place of a list or under a key of an object",
    example: "@.INSERT(\"成就\", 0, \"初见\");",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, INSERT.syntax, 3..=3)?;
    mvu::insert_at(draft, &path_argument(draft, args)?, &args[1].value, args[2].value.clone())
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn insert_knows_places_and_keys() {
        assert_eq!(after(r#"{"l":[1,2]}"#, "@.INSERT(\"l\", 1, 9);"), r#"{"l":[1,9,2]}"#);
        assert_eq!(after(r#"{"l":[1]}"#, "@.INSERT(\"l\", -1, 9);"), r#"{"l":[1,9]}"#);
        assert_eq!(after(r#"{"o":{}}"#, "@.INSERT(\"o\", \"k\", 9);"), r#"{"o":{"k":9}}"#);
        assert_eq!(after(r#"{"n":1}"#, "@.INSERT(\"n\", 0, 9);"), "E-KIND");
        assert_eq!(after("{}", "@.INSERT(\"l\", 0, 9);"), "E-MISSING");
    }
}
