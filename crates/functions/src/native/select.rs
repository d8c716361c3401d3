//! Commands that change the first item of a list whose field `key` equals a value: `SELECT_SET` sets another field,
//! `SELECT_ADD` adds a number to it or appends, `SELECT_UPDATE` merges an object into the item, `SELECT_DEL` removes the
//! item. Both fields may be dotted paths.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, missing, path_argument, refuse_path, shown, wrong_kind};
use crate::native::{add_number, merge};

pub(crate) const SELECT_SET: Builtin = Builtin {
    name: "SELECT_SET",
    aliases: &[],
    syntax: "@.SELECT_SET(\"path.to.array\", \"key\", value, \"field\", new);",
    zh: "设置列表中某一项的字段",
    en: "sets a field of an item of a list",
    example: "@.SELECT_SET(\"队伍\", \"名\", \"小满\", \"好感\", 33);",
    apply: |draft, args| {
        count_arguments(args, SELECT_SET.syntax, 5..=5)?;
        let field = field(draft, args)?;
        draft.set(&field, args[4].value.clone())
    },
};

pub(crate) const SELECT_ADD: Builtin = Builtin {
    name: "SELECT_ADD",
    aliases: &[],
    syntax: "@.SELECT_ADD(\"path.to.array\", \"key\", value, \"field\", 5);",
    zh: "给列表中某一项的字段做加法或追加",
    en: "adds to a field of an item of a list",
    example: "@.SELECT_ADD(\"队伍\", \"名\", \"小满\", \"好感\", 1);",
    apply: |draft, args| {
        count_arguments(args, SELECT_ADD.syntax, 5..=5)?;
        let field = field(draft, args)?;
        if let Some(Value::List(_)) = field.get(draft.state()) {
            return draft.append(&field, args[4].value.clone());
        }
        add_number(draft, &field, &args[4].value, |left, right| left.plus(right).ok())
    },
};

pub(crate) const SELECT_UPDATE: Builtin = Builtin {
    name: "SELECT_UPDATE",
    aliases: &[],
    syntax: "@.SELECT_UPDATE(\"path.to.array\", \"key\", value, {field: new});",
    zh: "合并到列表中的某一项",
    en: "merges into an item of a list",
    example: "@.SELECT_UPDATE(\"队伍\", \"名\", \"小满\", {\"好感\": 2});",
    apply: |draft, args| {
        count_arguments(args, SELECT_UPDATE.syntax, 4..=4)?;
        let item = item(draft, args)?;
        match &args[3].value {
            Value::Object(given) => merge(draft, &item, given),
            other => Err(wrong_kind(&item, other, ("对象", "an object"))),
        }
    },
};

pub(crate) const SELECT_DEL: Builtin = Builtin {
    name: "SELECT_DEL",
    aliases: &[],
    syntax: "@.SELECT_DEL(\"path.to.array\", \"key\", value);",
    zh: "删除列表中的某一项",
    en: "removes an item of a list",
    example: "@.SELECT_DEL(\"队伍\", \"名\", \"小满\");",
    apply: |draft, args| {
        count_arguments(args, SELECT_DEL.syntax, 3..=3)?;
        let item = item(draft, args)?;
        draft.unset(&item).map(|_| ())
    },
};

/// Returns the path of the first item whose field equals the value.
fn item(draft: &Draft<'_>, args: &[Arg]) -> Result<StatePath, Refusal> {
    let path = path_argument(draft, args)?;
    let items = draft.list(&path)?;
    let key: StatePath = match &args[1].value {
        Value::Text(text) => text.parse().map_err(refuse_path)?,
        _ => return Err(missing(&path)),
    };
    let wanted = &args[2].value;
    let at = items.iter().position(|item| key.get(item) == Some(wanted)).ok_or_else(|| {
        let wanted = shown(wanted);
        Refusal::new(
            "E-MISSING",
            format!("{path} 里没有 {key} 等于 {wanted} 的项，没有改动。"),
            format!("{path} has no item whose {key} is {wanted}; nothing was changed."),
        )
    })?;
    draft.child(&path, &at.to_string())
}

/// Returns the path of a field of that item; a dotted field is nested.
fn field(draft: &Draft<'_>, args: &[Arg]) -> Result<StatePath, Refusal> {
    let item = item(draft, args)?;
    let Value::Text(text) = &args[3].value else { return Err(missing(&item)) };
    let field: StatePath = text.parse().map_err(refuse_path)?;
    field.keys().iter().try_fold(item, |path, key| path.child(key)).map_err(refuse_path)
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn an_item_is_found_by_a_field_of_any_type() {
        let state = r#"{"l":[{"id":1,"n":5,"t":[]},{"id":"1","n":7}]}"#;
        assert_eq!(
            after(state, "@.SELECT_SET(\"l\", \"id\", 1, \"p.x\", 2);"),
            r#"{"l":[{"id":1,"n":5,"t":[],"p":{"x":2}},{"id":"1","n":7}]}"#
        );
        assert_eq!(
            after(state, "@.SELECT_ADD(\"l\", \"id\", \"1\", \"n\", -2);"),
            r#"{"l":[{"id":1,"n":5,"t":[]},{"id":"1","n":5}]}"#
        );
        assert_eq!(
            after(state, "@.SELECT_ADD(\"l\", \"id\", 1, \"t\", \"x\");"),
            r#"{"l":[{"id":1,"n":5,"t":["x"]},{"id":"1","n":7}]}"#
        );
        assert_eq!(after(state, "@.SELECT_DEL(\"l\", \"id\", 1);"), r#"{"l":[{"id":"1","n":7}]}"#);
        assert_eq!(after(state, "@.SELECT_DEL(\"l\", \"id\", 9);"), "E-MISSING");
    }
}
