//! `SELECT_SET`, `SELECT_ADD`, `SELECT_DEL`: an item of a list, found by one of its fields; and
//! `INCSET`, `INCADD`, which create a missing item or list.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use super::at_least;
use super::basic::remove_where;
use super::write::{add, path_at, put, write};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, shown};

pub(super) const SELECT_SET: Builtin = Builtin {
    name: "SELECT_SET",
    aliases: &[],
    syntax: "@.SELECT_SET(\"path.to.list\", \"key\", value, \"field\", new);",
    zh: "设置列表中某一项的字段",
    en: "sets a field of an item of a list",
    example: "@.SELECT_SET(\"同伴\", \"名\", \"阿菱\", \"好感\", 20);",
    apply: |draft, args| {
        at_least(args, 5, &SELECT_SET)?;
        let list = path_at(draft, args, 0)?;
        let at = find(draft, &list, args)?.ok_or_else(|| none(&list, args))?;
        let field = field(draft, &list, at, &args[3])?;
        write(draft, &field, args[4].value.clone())
    },
};

pub(super) const SELECT_ADD: Builtin = Builtin {
    name: "SELECT_ADD",
    aliases: &[],
    syntax: "@.SELECT_ADD(\"path.to.list\", \"key\", value, \"field\", 5);",
    zh: "给列表中某一项的字段做加法或追加",
    en: "adds to a field of an item of a list",
    example: "@.SELECT_ADD(\"同伴\", \"名\", \"阿菱\", \"好感\", 5);",
    apply: |draft, args| {
        at_least(args, 5, &SELECT_ADD)?;
        let list = path_at(draft, args, 0)?;
        let at = find(draft, &list, args)?.ok_or_else(|| none(&list, args))?;
        add(draft, &field(draft, &list, at, &args[3])?, &args[4].value)
    },
};

pub(super) const SELECT_DEL: Builtin = Builtin {
    name: "SELECT_DEL",
    aliases: &[],
    syntax: "@.SELECT_DEL(\"path.to.list\", \"key\", value);",
    zh: "删除列表中所有符合的项",
    en: "removes every item that fits",
    example: "@.SELECT_DEL(\"同伴\", \"名\", \"阿菱\");",
    apply: |draft, args| {
        at_least(args, 3, &SELECT_DEL)?;
        let list = path_at(draft, args, 0)?;
        let key = key(&args[1])?;
        remove_where(draft, &list, |item| fits(item, &key, &args[2].value))
    },
};

pub(super) const INCSET: Builtin = Builtin {
    name: "INCSET",
    aliases: &[],
    syntax: "@.INCSET(\"path.to.list\", \"key\", value, \"field\", new);",
    zh: "同 SELECT_SET，没有该项时新建",
    en: "as SELECT_SET; creates the item where there is none",
    example: "@.INCSET(\"同伴\", \"名\", \"小七\", \"好感\", 0);",
    apply: |draft, args| {
        at_least(args, 5, &INCSET)?;
        let (field, _) = find_or_create(draft, args)?;
        write(draft, &field, args[4].value.clone())
    },
};

pub(super) const INCADD: Builtin = Builtin {
    name: "INCADD",
    aliases: &[],
    syntax: "@.INCADD(\"path.to.list\", \"key\", value, \"field\", 5);",
    zh: "同 SELECT_ADD，没有该项时新建",
    en: "as SELECT_ADD; creates the item where there is none",
    example: "@.INCADD(\"同伴\", \"名\", \"小七\", \"好感\", 5);",
    apply: |draft, args| {
        at_least(args, 5, &INCADD)?;
        match find_or_create(draft, args)? {
            (field, true) => write(draft, &field, args[4].value.clone()),
            (field, false) => add(draft, &field, &args[4].value),
        }
    },
};

/// Returns the path of the field, and whether its item is new.
fn find_or_create(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(StatePath, bool), Refusal> {
    let path = path_at(draft, args, 0)?;
    if path.get(draft.state()).is_none_or(|found| *found == Value::Null) {
        put(draft, &path, Value::list(Vec::new()))?;
    }
    if let Some(at) = find(draft, &path, args)? {
        return Ok((field(draft, &path, at, &args[3])?, false));
    }
    let at = draft.list(&path)?.len();
    draft.append(&path, Value::empty_object())?;
    put(draft, &field(draft, &path, at, &args[1])?, args[2].value.clone())?;
    Ok((field(draft, &path, at, &args[3])?, true))
}

/// Returns the index of the first item whose field matches.
fn find(draft: &Draft<'_>, path: &StatePath, args: &[Arg]) -> Result<Option<usize>, Refusal> {
    let key = key(&args[1])?;
    Ok(draft.list(path)?.iter().position(|item| fits(item, &key, &args[2].value)))
}

fn key(arg: &Arg) -> Result<StatePath, Refusal> {
    match &arg.value {
        Value::Text(text) => text.parse().map_err(refuse_path),
        Value::Number(number) => number.to_string().parse().map_err(refuse_path),
        _ => Err(Refusal::new("E-PATH-ARG", "字段名应是文本。", "The name of the field must be a text in quotes.")),
    }
}

/// Returns the path of a field; a dotted field is nested.
fn field(draft: &Draft<'_>, list: &StatePath, at: usize, arg: &Arg) -> Result<StatePath, Refusal> {
    let item = draft.child(list, &at.to_string())?;
    key(arg)?.keys().iter().try_fold(item, |path, key| path.child(key)).map_err(refuse_path)
}

fn fits(item: &Value, key: &StatePath, wanted: &Value) -> bool {
    key.get(item).is_some_and(|found| is_match(found, wanted))
}

/// Compares as lodash's `isMatch`: the fields of `wanted` must match, others are ignored.
pub(super) fn is_match(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| is_match(found, wanted)))
        }
        _ => found == wanted,
    }
}

fn none(path: &StatePath, args: &[Arg]) -> Refusal {
    let (key, wanted) = (shown(&args[1].value), shown(&args[2].value));
    Refusal::new(
        "E-MISSING",
        format!("{path} 里没有 {key} 等于 {wanted} 的项，没有改动。"),
        format!("{path} has no item whose {key} is {wanted}; nothing was changed."),
    )
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::V4_2;
    use crate::sam::tests_support::data_after;

    #[test]
    fn a_missing_item_is_created_by_the_inc_commands_only() {
        let after = |data, text| data_after(V4_2, data, text);
        assert_eq!(after("{}", "@.INCADD(\"l\", \"id\", 1, \"a.b\", 3);"), r#"{"l":[{"id":1,"a":{"b":3}}]}"#);
        assert_eq!(after(r#"{"l":[]}"#, "@.SELECT_ADD(\"l\", \"id\", 1, \"n\", 3);"), "E-MISSING");
        assert_eq!(after(r#"{"l":{}}"#, "@.INCSET(\"l\", \"id\", 1, \"n\", 3);"), "E-KIND");
        assert_eq!(after(r#"{"l":[5,null,{"id":1}]}"#, "@.INCADD(\"l\", \"id\", 1, \"n\", \"x\");"), "E-ADD-NUM");
    }

    #[test]
    fn an_item_may_be_found_by_a_part_of_an_object() {
        let data = r#"{"l":[{"p":{"x":1,"y":2}},{"p":{"x":3}}]}"#;
        assert_eq!(data_after(V4_2, data, "@.SELECT_DEL(\"l\", \"p\", {\"x\": 1});"), r#"{"l":[{"p":{"x":3}}]}"#);
    }
}
